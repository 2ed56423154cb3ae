import { operations } from '../../../src/contract/index.js';
import { findSection } from '../../../src/contract/schemas.js';
import type { Language, Words } from '../words.js';

/** The parts of the section Endpoints, with the namespaces of their operations. */
const endpointParts: Readonly<Record<string, readonly string[]>> = {
  Payments: ['payments'],
  'Sub-accounts': ['submerchants', 'onboarding'],
  'Wallet domains': ['domains'],
  Certificates: ['certificates'],
  Webhooks: ['webhooks'],
  Vault: ['vault'],
};

const sectionsOf = (namespaces: readonly string[]) => [
  ...new Set(operations.filter(({ id }) => namespaces.includes(id.split('.')[0] ?? '')).map(findSection)),
];

/** The API docs' sections, with the headings under each. */
const sections: readonly (readonly [section: string, headings: readonly string[]])[] = [
  ['What the service does', []],
  [
    'Resources and their fields',
    [
      'Payment',
      'Certificate',
      'Payment-method domain',
      'Webhook endpoint',
      'Onboarding registration',
      'Bank account object',
      'Withdrawal',
      'Sub-account',
    ],
  ],
  [
    'States and transitions',
    [
      'Payment status',
      'Certificate',
      'Payment-method domain',
      'Onboarding registration',
      'Webhook endpoint status',
      'Withdrawal',
    ],
  ],
  ['Authentication', []],
  ['Events', ['Delivery', 'Transaction events', 'Signature']],
  ['Errors', []],
  ['Limits', []],
  ['Versioning', []],
];

/** The parts of the section Endpoints. Their headings come from the contract. */
const listEndpoints = () =>
  Object.entries(endpointParts).map(
    ([part, namespaces]) =>
      [`Endpoints, ${part}`, sectionsOf(namespaces).filter((section) => section !== part)] as const,
  );

/** Every heading of the API docs. */
export const listHeadings = (): ReadonlySet<string> =>
  new Set([
    'Endpoints',
    ...operations.map(findSection),
    ...sections.flatMap(([section, under]) => [section, ...under]),
  ]);

const titles: Words<string[]> = { en: ['Section', 'Headings'], pt: ['Seção', 'Títulos'] };

const toCell = (heading: string) => (heading.includes('/') ? `\`${heading}\`` : heading);

/** The table of docs/api-document.md. */
export const headingTable = (language: Language): string[][] => [
  titles[language],
  ...[...sections.slice(0, 3), ...listEndpoints(), ...sections.slice(3)].map(([section, under]) => [
    section,
    under.map(toCell).join(', '),
  ]),
];
