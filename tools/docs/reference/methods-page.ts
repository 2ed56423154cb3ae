import type { Language } from '../words.js';
import type { Declared } from './declarations.js';
import { fields, prose, words } from './rendered.js';
import { declared as find } from './sources.js';

const head = {
  en: `# Methods and types

What \`new PaymentPlatform(options)\` can do. Every method returns a promise, takes [options of a call](options.md#options-of-a-call) as its last argument, and rejects with one of the [errors](errors.md). Which call is repeated, and when: [Every operation](operations.md). What an answer has beyond these types is kept: give its type as \`Extra\`.
`,
  pt: `# Métodos e tipos

O que \`new PaymentPlatform(options)\` sabe fazer. Todo método devolve uma promise, recebe as [opções de uma chamada](options.md#opcoes-de-uma-chamada) como último argumento e rejeita com um dos [erros](errors.md). Qual chamada é repetida, e quando: [Todas as operações](operations.md). O que uma resposta traz além destes tipos é mantido: dê o tipo como \`Extra\`.
`,
};

const namespaces = {
  payments: 'Payments',
  submerchants: 'Submerchants',
  'submerchants.withdrawals': 'Withdrawals',
  onboarding: 'Onboarding',
  certificates: 'Certificates',
  domains: 'Domains',
  webhooks: 'Webhooks',
  vault: 'Vault',
} as const;

const made = {
  DurablePayments: { en: 'Durable payments', pt: 'Pagamentos duráveis', prefix: 'durable' },
  Receiver: { en: 'A receiver', pt: 'Um receptor', prefix: 'receiver' },
} as const;

/** The types of bodies and responses, ordered by namespace. */
const types = [
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
  'CreateSubmerchant',
  'UpdateSubmerchant',
  'CreatedWithdrawal',
  'Withdrawal',
  'OnboardingPf',
  'OnboardingPj',
  'IdentityCard',
  'DriversLicence',
  'BankAccount',
  'FileInput',
  'ResentDocuments',
  'OnboardingRegistration',
  'OnboardingStatus',
  'RegisterDomain',
  'Domain',
  'ActivateCertificate',
  'Certificate',
  'CertificateFilter',
  'CreateWebhook',
  'UpdateWebhook',
  'WebhookEndpoint',
  'ResponseMeta',
] as const;

/** Writes the page of methods and types. */
export function methodsPage(language: Language): string {
  const client = find('PaymentPlatform');
  const linked = (type: string) =>
    (types as readonly string[]).includes(type) ? type.toLowerCase() : undefined;
  const methodsOf = (owner: Declared, prefix: string) =>
    owner.members
      .filter(({ type }) => /\): /.test(type) && !type.startsWith('('))
      .map(
        ({ name, type, comment }) =>
          `### ${prefix}${name}\n\n\`\`\`typescript\n${type}\n\`\`\`\n\n${prose(comment, language)}`,
      );
  const sections = Object.entries(namespaces).map(([namespace, type]) => {
    const text = prose(find(type).comment, language);
    return [`## ${namespace}\n\n${text}`, ...methodsOf(find(type), `${namespace}.`)].join('\n');
  });
  const onClient = [`## platform\n\n${prose(client.comment, language)}`, ...methodsOf(client, 'platform.')];
  // Durable payments and receivers have their own functions that create them.
  const others = Object.entries(made).map(([type, title]) => {
    const declared = find(type);
    return [
      `## ${title[language]}\n\n${prose(declared.comment, language)}`,
      ...methodsOf(declared, `${title.prefix}.`),
    ].join('\n');
  });
  const typeSections = types.map((name) => {
    const declared = find(name);
    const body =
      declared.text === undefined ? fields(declared, 'field', language, linked) : `\`${declared.text}\`\n`;
    return `### ${name}\n\n${[prose(declared.comment, language), body].filter((part) => part !== '').join('\n')}`;
  });
  const { generated, types: title } = words[language];
  return [
    `<!-- ${generated} -->\n\n${head[language]}`,
    ...sections,
    ...onClient,
    ...others,
    `## ${title}\n`,
    ...typeSections,
  ].join('\n');
}
