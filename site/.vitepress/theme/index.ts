import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client';
import { type Theme, useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';
import '@shikijs/vitepress-twoslash/style.css';
import './style.css';
import RunSample from './RunSample.vue';

const hiddenLabels = [
  { id: 'main-nav-aria-label', en: 'Main navigation', pt: 'Navegação principal' },
  { id: 'sidebar-aria-label', en: 'Pages', pt: 'Páginas' },
  { id: 'doc-footer-aria-label', en: 'Previous and next page', pt: 'Página anterior e próxima' },
];

export default {
  extends: DefaultTheme,
  setup() {
    // The start page of the theme has no landmark for its content, and three of its labels have no option.
    const route = useRoute();
    const { lang } = useData();
    const mark = async () => {
      await nextTick();
      document.querySelector('.VPHome')?.setAttribute('role', 'main');
      for (const { id, en, pt } of hiddenLabels) {
        const label = document.getElementById(id);
        if (label) label.textContent = lang.value.startsWith('pt') ? pt : en;
      }
    };
    onMounted(mark);
    watch(() => route.path, mark);

    // Who changes the language on a page has chosen: the next visit begins with it.
    watch(lang, (language) => {
      try {
        localStorage.setItem('language', language.startsWith('pt') ? 'pt' : 'en');
      } catch {
        // Without storage, the language of the browser decides each time.
      }
    });
  },
  enhanceApp({ app }) {
    app.use(TwoslashFloatingVue);
    app.component('RunSample', RunSample);
  },
} satisfies Theme;
