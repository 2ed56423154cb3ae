import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { DefaultTheme } from 'vitepress';
import keywords from './keywords.json' with { type: 'json' };
import { hide, indexOptions } from './synonyms';

const maintainersPages = /^maintainers\/|^(pt\/)?(architecture|elsewhere)\.md$/;

/** Configures the theme's search: one index per language, in the page, without a server. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
    locales: { pt: { translations: { button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' } } } },
    miniSearch: { options: indexOptions },
    // Other names that people use for a page's subject.
    _render(source, env, md) {
      // Merchants do not search for maintainers' pages.
      if (maintainersPages.test(env.relativePath)) return '';
      const [, portuguese, page = ''] = /^(pt\/)?([\w-]+)\.md$/.exec(env.relativePath) ?? [];
      const words: Readonly<Record<string, string>> = keywords[portuguese === undefined ? 'en' : 'pt'];
      // Programs match every question, so they are neither highlighted nor indexed.
      md.options.highlight = null;
      const html = md
        .render(source, env)
        .replace(/<span class="lang">.*?<\/span>|<div class="tabs">.*?<\/div>|<pre\b.*?<\/pre>/gs, '')
        .replace(/<svg\b.*?<\/svg>/gs, hide);
      return words[page] === undefined ? html : html.replace('</h1>', `</h1><p>${hide(words[page])}</p>`);
    },
  },
};

/** Replaces the theme's search box. */
export const ownSearchBox: Plugin = {
  name: 'own-search-box',
  enforce: 'pre',
  resolveId: (id) =>
    id.endsWith('/VPLocalSearchBox.vue')
      ? fileURLToPath(new URL('../.vitepress/theme/SearchBox.vue', import.meta.url))
      : undefined,
};
