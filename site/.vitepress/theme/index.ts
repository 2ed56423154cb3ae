import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client';
import { type Theme, useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';
import '@shikijs/vitepress-twoslash/style.css';
import './style.css';
import FilterEntries from './FilterEntries.vue';
import { foldSections } from './fold-sections';
import RunSample from './RunSample.vue';
import { showLinkedTab, showSameTab } from './section-tabs';

const hiddenLabels = [
  { id: 'main-nav-aria-label', en: 'Main navigation', pt: 'Navegação principal' },
  { id: 'sidebar-aria-label', en: 'Pages', pt: 'Páginas' },
  { id: 'doc-footer-aria-label', en: 'Previous and next page', pt: 'Página anterior e próxima' },
];

export default {
  extends: DefaultTheme,
  setup() {
    // The theme has no option for three of its labels.
    const route = useRoute();
    const { lang } = useData();
    const setLabels = async () => {
      await nextTick();
      // A group's title is a button, and the theme puts a second button inside it.
      for (const caret of document.querySelectorAll('.VPSidebarItem [role="button"] .caret')) {
        caret.removeAttribute('role');
        caret.removeAttribute('tabindex');
        caret.removeAttribute('aria-label');
      }
      for (const { id, en, pt } of hiddenLabels) {
        const label = document.getElementById(id);
        if (label) label.textContent = lang.value.startsWith('pt') ? pt : en;
      }
    };
    const showActivePage = async () => {
      await nextTick();
      document.querySelector('.VPSidebar .is-link.is-active')?.scrollIntoView({ block: 'nearest' });
    };
    onMounted(setLabels);
    onMounted(showActivePage);
    watch(() => route.path, setLabels);
    watch(() => route.path, showActivePage);

    const fold = () =>
      nextTick(() => foldSections(lang.value.startsWith('pt') ? 'Mostrar a seção' : 'Show the section'));
    onMounted(fold);
    watch(() => route.path, fold);

    onMounted(() => {
      // VitePress scrolls in the next frame, and cannot find the target in a hidden tab.
      requestAnimationFrame(() => requestAnimationFrame(showLinkedTab));
      addEventListener('hashchange', showLinkedTab);
      addEventListener('change', showSameTab);
    });
    watch(
      () => route.path,
      () => nextTick(showLinkedTab),
    );

    // Remembers the language that the reader chose for the next visit.
    watch(lang, (language) => {
      try {
        localStorage.setItem('language', language.startsWith('pt') ? 'pt' : 'en');
      } catch {
        // Without storage, the browser's language decides.
      }
    });
  },
  enhanceApp({ app }) {
    app.use(TwoslashFloatingVue);
    app.component('FilterEntries', FilterEntries);
    app.component('RunSample', RunSample);
  },
} satisfies Theme;
