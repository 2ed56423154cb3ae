// The site's pages, in the order of the sidebar. Each page is a file in docs/, with a translation in docs/pt/.

export type Language = 'en' | 'pt';

export interface Section {
  readonly title: Readonly<Record<Language, string>>;
  readonly pages: readonly string[];
  /** Not in the sidebar. Merchants reach these pages by search and links. */
  readonly isForMaintainers?: true;
}

export const sections: readonly Section[] = [
  {
    title: { en: 'Start here', pt: 'Comece aqui' },
    pages: ['introduction', 'first-pix', 'first-payment', 'credentials', 'not-offered', 'undocumented'],
  },
  {
    title: { en: 'Guides', pt: 'Guias' },
    pages: ['pix', 'cards', 'boleto', 'refunds', 'marketplace', 'uploads', 'rate-limits', 'apple-pay'],
  },
  {
    title: { en: 'Webhooks', pt: 'Webhooks' },
    pages: [
      'webhooks',
      'events',
      'webhook-servers',
      'webhook-endpoints',
      'webhook-stores',
      'exactly-once',
      'background-jobs',
      'webhook-signatures',
      'webhook-problems',
      'any-language',
      'receivers',
    ],
  },
  {
    title: { en: 'Reliability', pt: 'Confiabilidade' },
    pages: [
      'reliability',
      'durable-payments',
      'durable-examples',
      'durable-production',
      'durable-sellers',
      'on-call',
      'orm-transactions',
      'many-processes',
      'capacity',
    ],
  },
  {
    title: { en: 'The sandbox', pt: 'O sandbox' },
    pages: ['sandbox', 'scenarios', 'sandbox-http', 'control-api'],
  },
  {
    title: { en: 'Tests', pt: 'Testes' },
    pages: ['testing', 'faults', 'check-your-shop', 'sandbox-in-browser', 'mcp'],
  },
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
    pages: ['client', 'errors', 'messages', 'operations', 'command', 'openapi', 'glossary'],
  },
  {
    title: { en: 'Methods', pt: 'Métodos' },
    pages: [
      'methods',
      'methods-payments',
      'methods-submerchants',
      'methods-onboarding',
      'methods-certificates',
      'methods-domains',
      'methods-webhooks',
      'methods-vault',
      'methods-client',
      'methods-durable',
      'methods-receiver',
    ],
  },
  {
    title: { en: 'Options', pt: 'Opções' },
    pages: ['options', 'options-client', 'options-receiver', 'options-durable', 'options-sandbox'],
  },
  { title: { en: 'Questions and problems', pt: 'Perguntas e problemas' }, pages: ['questions', 'migrate'] },
  {
    title: { en: 'For maintainers', pt: 'Para mantenedores' },
    isForMaintainers: true,
    pages: ['elsewhere', 'fault-model', 'sandbox-defaults', 'assumptions', 'api-document', 'architecture'],
  },
];

/** The names of all pages except the start page. */
export const pageNames: readonly string[] = sections.flatMap(({ pages }) => pages);
