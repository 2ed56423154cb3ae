import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client';
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import '@shikijs/vitepress-twoslash/style.css';
import './style.css';
import RememberLanguage from './RememberLanguage.vue';
import RunSample from './RunSample.vue';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'layout-bottom': () => h(RememberLanguage) }),
  enhanceApp({ app }) {
    app.use(TwoslashFloatingVue);
    app.component('RunSample', RunSample);
  },
} satisfies Theme;
