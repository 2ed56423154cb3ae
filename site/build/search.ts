import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { DefaultTheme } from 'vitepress';
import keywords from './keywords.json' with { type: 'json' };
import { synonyms } from './synonyms';

const portuguese = {
  button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' },
  modal: {
    displayDetails: 'Mostrar detalhes',
    resetButtonTitle: 'Limpar a busca',
    backButtonTitle: 'Fechar a busca',
    noResultsText: 'Nada encontrado para',
    footer: { selectText: 'abrir', navigateText: 'navegar', closeText: 'fechar' },
  },
};

const maintainersPages = /^maintainers\/|^(pt\/)?(architecture|elsewhere)\.md$/;

/** Configures the theme's search: one index per language, in the page, without a server. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    detailedView: true,
    translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
    locales: { pt: { translations: portuguese } },
    miniSearch: synonyms,
    // Other names that people use for a page's subject.
    _render(source, env, md) {
      // Merchants do not search for maintainers' pages.
      if (maintainersPages.test(env.relativePath)) return '';
      const [, portuguese, page = ''] = /^(pt\/)?([\w-]+)\.md$/.exec(env.relativePath) ?? [];
      const words: Readonly<Record<string, string>> = keywords[portuguese === undefined ? 'en' : 'pt'];
      // The index needs no colours, and the types that a sample shows on hover are not part of the page's text.
      md.options.highlight = null;
      const html = md.render(source, env);
      return words[page] === undefined ? html : html.replace('</h1>', `</h1><p>${words[page]}</p>`);
    },
  },
};

/** Makes the theme list the results that contain all words first. */
export const searchOrder: Plugin = {
  name: 'search-order',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'minisearch' && importer?.includes('VPLocalSearchBox')
      ? fileURLToPath(new URL('all-words-first.ts', import.meta.url))
      : undefined,
};
