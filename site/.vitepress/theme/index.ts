import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client';
import { type Theme, useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';
import '@shikijs/vitepress-twoslash/style.css';
import './style.css';
import RunSample from './RunSample.vue';

export default {
  extends: DefaultTheme,
  setup() {
    // The start page of the theme has no landmark for its content.
    const route = useRoute();
    const mark = async () => {
      await nextTick();
      document.querySelector('.VPHome')?.setAttribute('role', 'main');
    };
    onMounted(mark);
    watch(() => route.path, mark);

    // Who changes the language on a page has chosen: the next visit begins with it.
    watch(useData().lang, (language) => {
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
