import type { DefaultTheme } from 'vitepress';
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

/** The search of the theme: an index in each language, in the page, without a server. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    detailedView: false,
    locales: { pt: { translations: portuguese } },
    miniSearch: synonyms,
  },
};
