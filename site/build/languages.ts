import type { DefaultTheme } from 'vitepress';

type Sidebar = DefaultTheme.SidebarItem[];

const english = (sidebar: Sidebar, version: string) => ({
  description: 'The client SDK for Pix, cards and boleto in Brazil, with a sandbox that runs offline.',
  themeConfig: {
    sidebar,
    nav: [
      { text: 'First Pix', link: '/first-pix' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'Reference', link: '/methods' },
      { text: version, link: '/upgrades' },
    ],
  } satisfies DefaultTheme.Config,
});

const portuguese = (sidebar: Sidebar, version: string) => ({
  description: 'O SDK para Pix, cartões e boleto no Brasil, com um sandbox que roda sem internet.',
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Primeiro Pix', link: '/pt/first-pix' },
      { text: 'Webhooks', link: '/pt/webhooks' },
      { text: 'Sandbox', link: '/pt/sandbox' },
      { text: 'Referência', link: '/pt/methods' },
      { text: version, link: '/pt/upgrades' },
    ],
    outline: { level: [2, 3], label: 'Nesta página' },
    docFooter: { prev: 'Anterior', next: 'Próxima' },
    darkModeSwitchLabel: 'Aparência',
    darkModeSwitchTitle: 'Mudar para o tema escuro',
    lightModeSwitchTitle: 'Mudar para o tema claro',
    sidebarMenuLabel: 'Menu',
    returnToTopLabel: 'Voltar ao início',
    langMenuLabel: 'Mudar o idioma',
    skipToContentLabel: 'Ir para o conteúdo',
    notFound: {
      title: 'PÁGINA NÃO ENCONTRADA',
      quote: 'Esta página não existe. Use a busca para encontrar o assunto.',
      linkText: 'Ir para o início',
      linkLabel: 'ir para o início',
    },
  } satisfies DefaultTheme.Config,
});

/** The navigation and the theme's labels in each language. */
export const languages = { en: english, pt: portuguese };
