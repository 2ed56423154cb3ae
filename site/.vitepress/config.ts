import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { checkBoxes } from '../build/check-boxes';
import { chooseLanguage } from '../build/choose-language';
import { diagrams } from '../build/diagrams';
import { writeFiles } from '../build/files';
import { filters } from '../build/filters';
import { hovers } from '../build/hovers';
import { keepHighlighted, wholeLines } from '../build/keep-highlighted';
import { labels } from '../build/labels';
import { languages } from '../build/languages';
import { linksOfTheRepository } from '../build/links';
import { optionNames } from '../build/option-names';
import { pagesOutside } from '../build/pages-outside';
import { runnable } from '../build/runnable';
import { ownSearchBox, search } from '../build/search';
import { sidebar } from '../build/sidebar';
import { stackedTables } from '../build/stacked-tables';
import { tabs } from '../build/tabs';
import { wholePages } from '../build/whole-pages';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

export default defineConfig({
  srcDir: '../docs',
  outDir: './dist',
  cacheDir: './.cache',
  srcExclude: ['build/**', 'README.md'],
  cleanUrls: true,
  title: 'payment-platform',
  buildEnd: ({ outDir }) => writeFiles(`${root}docs`, outDir),
  lastUpdated: false,
  head: [
    ['script', {}, chooseLanguage],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  locales: {
    root: { label: 'English', lang: 'en', ...languages.en(sidebar('en'), version) },
    pt: { label: 'Português', lang: 'pt-BR', ...languages.pt(sidebar('pt'), version) },
  },
  themeConfig: { logo: '/icon.svg', search, outline: { level: [2, 3] }, externalLinkIcon: true },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [hovers(root), wholeLines],
    config: (md) => {
      keepHighlighted(md, root);
      runnable(md);
      tabs(md);
      filters(md);
      diagrams(md);
      checkBoxes(md);
      linksOfTheRepository(md, root);
      labels(md);
      optionNames(md);
      stackedTables(md);
    },
  },
  vite: {
    plugins: [pagesOutside, ownSearchBox, wholePages],
    publicDir: fileURLToPath(new URL('../../docs/images', import.meta.url)),
    // Uses the package's builds for runtimes without Node.
    resolve: {
      alias: [
        { find: /^payment-platform$/, replacement: `${root}dist/index.worker.js` },
        { find: /^payment-platform\/(sandbox|testing|webhooks)$/, replacement: `${root}dist/$1.worker.js` },
      ],
    },
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 3_000 },
  },
});
