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

/** The search of the theme: an index in each language, in the page, without a server. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    detailedView: true,
    translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
    locales: { pt: { translations: portuguese } },
    miniSearch: synonyms,
    // What people call the subject of a page, where the page says it in other words.
    _render(source, env, md) {
      // Maintainers' pages answer no question of a merchant.
      if (maintainersPages.test(env.relativePath)) return '';
      const [, portuguese, page = ''] = /^(pt\/)?([\w-]+)\.md$/.exec(env.relativePath) ?? [];
      const words: Readonly<Record<string, string>> = keywords[portuguese === undefined ? 'en' : 'pt'];
      const html = md.render(source, env);
      return words[page] === undefined ? html : html.replace('</h1>', `</h1><p>${words[page]}</p>`);
    },
  },
};
