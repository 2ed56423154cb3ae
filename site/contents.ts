// What the site holds, in the order of its sidebar. A page is a file of docs/, and one of the same name in docs/pt/.

export type Language = 'en' | 'pt';

export interface Section {
  readonly title: Readonly<Record<Language, string>>;
  readonly pages: readonly string[];
}

export const sections: readonly Section[] = [
  {
    title: { en: 'Start here', pt: 'Comece aqui' },
    pages: ['introduction', 'first-pix', 'first-payment', 'credentials', 'undocumented'],
  },
  {
    title: { en: 'Guides', pt: 'Guias' },
    pages: ['pix', 'cards', 'boleto', 'refunds', 'marketplace', 'apple-pay'],
  },
  {
    title: { en: 'Webhooks', pt: 'Webhooks' },
    pages: ['webhooks', 'events', 'any-language', 'webhook-servers', 'webhook-endpoints', 'webhook-problems'],
  },
  {
    title: { en: 'Reliability', pt: 'Confiabilidade' },
    pages: ['reliability', 'durable-payments', 'orm-transactions', 'many-processes', 'capacity', 'elsewhere'],
  },
  {
    title: { en: 'The sandbox', pt: 'O sandbox' },
    pages: ['sandbox', 'scenarios', 'control-api'],
  },
  { title: { en: 'Tests', pt: 'Testes' }, pages: ['testing'] },
  {
    title: { en: 'Production', pt: 'Produção' },
    pages: [
      'go-live',
      'doctor',
      'logging',
      'data-protection',
      'telemetry',
      'proxy',
      'environments',
      'upgrades',
      'upgrade-to-1',
    ],
  },
  {
    title: { en: 'Reference', pt: 'Referência' },
    pages: ['client', 'methods', 'options', 'errors', 'messages', 'operations', 'command', 'openapi'],
  },
  { title: { en: 'Questions and problems', pt: 'Perguntas e problemas' }, pages: ['questions', 'migrate'] },
  {
    title: { en: 'For maintainers', pt: 'Para quem mantém' },
    pages: ['fault-model', 'sandbox-choices', 'assumptions', 'api-document', 'architecture'],
  },
];

/** The names of all pages besides the start page. */
export const pageNames: readonly string[] = sections.flatMap(({ pages }) => pages);
