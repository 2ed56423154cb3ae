import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { slug, table } from '../markdown.js';
import type { Language } from '../words.js';
import { type Declared, declared as find } from './declarations.js';
import { fields, prose, summarize, words } from './rendered.js';

interface MethodPage {
  readonly title: Readonly<Record<Language, string>>;
  /** Maps the prefix of method names, such as `payments.`, to the class that has the methods. */
  readonly owners: Readonly<Record<string, string>>;
  /** The names of the types that come first. */
  readonly types: readonly string[];
}

const same = (title: string) => ({ en: title, pt: title });

/** The pages by file name, without the extension. */
const methodPages: Readonly<Record<string, MethodPage>> = {
  'methods-payments': {
    title: same('platform.payments'),
    owners: { 'payments.': 'Payments' },
    types: [
      'CreatePayment',
      'PixPayment',
      'BoletoPayment',
      'OpenCardPayment',
      'VaultCardPayment',
      'UpsellPayment',
      'WalletPayment',
      'PaymentCustomer',
      'PaymentItem',
      'OpenCard',
      'VaultCard',
      'UpsellCard',
      'Payment',
      'PaymentStatus',
      'PaymentMethod',
      'StoredCustomer',
      'BoletoFile',
    ],
  },
  'methods-submerchants': {
    title: same('platform.submerchants'),
    owners: { 'submerchants.': 'Submerchants', 'submerchants.withdrawals.': 'Withdrawals' },
    types: ['CreateSubmerchant', 'UpdateSubmerchant', 'CreatedWithdrawal', 'Withdrawal'],
  },
  'methods-onboarding': {
    title: same('platform.onboarding'),
    owners: { 'onboarding.': 'Onboarding' },
    types: [
      'OnboardingPf',
      'OnboardingPj',
      'IdentityCard',
      'DriversLicence',
      'BankAccount',
      'FileInput',
      'ResentDocuments',
      'OnboardingRegistration',
      'OnboardingStatus',
    ],
  },
  'methods-certificates': {
    title: same('platform.certificates'),
    owners: { 'certificates.': 'Certificates' },
    types: ['ActivateCertificate', 'Certificate', 'CertificateFilter'],
  },
  'methods-domains': {
    title: same('platform.domains'),
    owners: { 'domains.': 'Domains' },
    types: ['RegisterDomain', 'Domain'],
  },
  'methods-webhooks': {
    title: same('platform.webhooks'),
    owners: { 'webhooks.': 'Webhooks' },
    types: ['CreateWebhook', 'UpdateWebhook', 'WebhookEndpoint'],
  },
  'methods-vault': { title: same('platform.vault'), owners: { 'vault.': 'Vault' }, types: [] },
  'methods-client': {
    title: { en: 'The client', pt: 'O cliente' },
    owners: { 'platform.': 'PaymentPlatform' },
    types: ['ResponseMeta'],
  },
  'methods-durable': {
    title: { en: 'Durable payments: methods', pt: 'Pagamentos duráveis: métodos' },
    owners: { 'durable.': 'DurablePayments' },
    types: [],
  },
  'methods-receiver': {
    title: { en: 'Webhook receiver: methods', pt: 'Receptor de webhooks: métodos' },
    owners: { 'receiver.': 'Receiver' },
    types: [],
  },
};

/** Returns a page's types: the chosen order first, then the other types of its namespace. */
function listTypes(page: string, { types }: MethodPage): readonly string[] {
  const path = new URL(`../../../src/contract/${page.replace('methods-', '')}/types.ts`, import.meta.url);
  if (!existsSync(path)) return types;
  const declaredTypes = readFileSync(path, 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm);
  return [...new Set([...types, ...Array.from(declaredTypes, ([, name = '']) => name)])];
}

const listMethods = ({ members }: Declared) =>
  members.filter(({ type }) => /\): /.test(type) && !type.startsWith('('));

/** Finds the address of a type's section, for a link on the page `from`. */
function findAddress(type: string, from: string): string | undefined {
  const [page] =
    Object.entries(methodPages).find(([name, entry]) => listTypes(name, entry).includes(type)) ?? [];
  if (page === undefined) return;
  return `${page === from ? '' : `${page}.md`}#${slug(type)}`;
}

/** The records of the operations, and the samples of other methods. */
const sampleFolder = new URL('../../../test/operations/', import.meta.url);

/** Reads the samples by method: the bodies of the functions `sample`, and of those in `otherSamples`. */
function readSamples(): ReadonlyMap<string, string> {
  const samples = new Map<string, string>();
  const keep = (method: ts.PropertyName, sample: ts.Node): void => {
    if (!ts.isStringLiteral(method) || !ts.isArrowFunction(sample)) return;
    const lines = sample.body.getText().split('\n').slice(1, -1);
    const indent = lines[0]?.search(/\S/) ?? 0;
    samples.set(method.text, lines.map((line) => line.slice(indent)).join('\n'));
  };
  for (const name of readdirSync(sampleFolder)) {
    const path = fileURLToPath(new URL(name, sampleFolder));
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node)) {
        const { parent } = node.parent;
        keep(node.name, node.initializer);
        if (node.name.getText() === 'sample' && ts.isPropertyAssignment(parent))
          keep(parent.name, node.initializer);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return samples;
}

const samples = readSamples();

/** Returns a method's sample as a code block. */
function renderSample(method: string): string {
  const sample = samples.get(method);
  if (sample === undefined)
    throw new Error(
      `Write a sample of ${method}: in test/operations/, in its record or in method-samples.ts.`,
    );
  return `\`\`\`typescript\n${sample}\n\`\`\`\n`;
}

/** Lists every method, with a summary. */
export function methodsOverview(language: Language): string {
  const sections = Object.entries(methodPages).map(([page, { title, owners }]) => {
    const rows = Object.entries(owners).flatMap(([prefix, owner]) =>
      listMethods(find(owner)).map(({ name, comment }) => [
        `[\`${prefix}${name}\`](${page}.md#${slug(`${prefix}${name}`)})`,
        summarize(comment, language),
      ]),
    );
    return `## ${title[language]}\n\n${table([[words[language].method, words[language].purpose], ...rows])}`;
  });
  return sections.join('\n');
}

/** Writes a page of methods, with the types of their arguments and results. */
function methodsPage(page: string, entry: MethodPage, language: Language): string {
  const { title, owners } = entry;
  const types = listTypes(page, entry);
  const { generated, types: typesTitle } = words[language];
  const methods = Object.entries(owners).flatMap(([prefix, owner]) => [
    `${prose(find(owner).comment, language)}`,
    ...listMethods(find(owner)).map(
      ({ name, type, comment }) =>
        `## ${prefix}${name}\n\n\`\`\`typescript\n${type}\n\`\`\`\n\n${prose(comment, language)}\n${renderSample(`${prefix}${name}`)}`,
    ),
  ]);
  const typeSections = types.map((name) => {
    const declared = find(name);
    const body =
      declared.text === undefined
        ? fields(declared, 'field', language, (type) => findAddress(type, page))
        : `\`${declared.text}\`\n`;
    return `### ${name}\n\n${[prose(declared.comment, language), body].filter((part) => part !== '').join('\n')}`;
  });
  return [
    `<!-- ${generated} -->\n\n# ${title[language]}\n`,
    ...methods,
    ...(types.length > 0 ? [`## ${typesTitle}\n`] : []),
    ...typeSections,
  ].join('\n');
}

/** A page for each namespace. */
export const methodsPages: Readonly<Record<string, (language: Language) => string>> = Object.fromEntries(
  Object.entries(methodPages).map(([name, page]) => [
    `${name}.md`,
    (language: Language) => methodsPage(name, page, language),
  ]),
);
