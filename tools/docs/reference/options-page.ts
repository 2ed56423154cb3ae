import { slug } from '../markdown.js';
import type { Language } from '../words.js';
import type { Declared } from './declarations.js';
import { fields, prose, words } from './rendered.js';
import { declared as find } from './sources.js';

const head = {
  en: `# Options

The options of the client, a call, a receiver, durable payments and the sandbox. The SDK checks all of them before it sends anything: one error names every wrong option. A dash (–) means that the option has no default.
`,
  pt: `# Opções

As opções do cliente, de uma chamada, de um receptor, dos pagamentos duráveis e do sandbox. O SDK confere todas antes de enviar qualquer coisa: um único erro lista as opções erradas. Um traço (–) indica que a opção não tem valor padrão.
`,
};

interface Section {
  readonly title: Readonly<Record<Language, string>>;
  readonly type: string;
}

const sections: readonly Section[] = [
  { title: { en: 'Options of the client', pt: 'Opções do cliente' }, type: 'ClientOptions' },
  { title: { en: 'Options of a call', pt: 'Opções de uma chamada' }, type: 'CallOptions' },
  { title: { en: 'payments.reconcile', pt: 'payments.reconcile' }, type: 'ReconcileOptions' },
  { title: { en: 'onboarding.waitFor', pt: 'onboarding.waitFor' }, type: 'WaitForOptions' },
  { title: { en: 'platform.request', pt: 'platform.request' }, type: 'RequestInput' },
  { title: { en: 'oauth', pt: 'oauth' }, type: 'OAuthOptions' },
  { title: { en: 'rateLimits', pt: 'rateLimits' }, type: 'RateLimits' },
  { title: { en: 'hooks', pt: 'hooks' }, type: 'Hooks' },
  { title: { en: 'verify and verifyAsync', pt: 'verify e verifyAsync' }, type: 'VerifyOptions' },
  { title: { en: 'createReceiver', pt: 'createReceiver' }, type: 'ReceiverOptions' },
  { title: { en: 'createDurablePayments', pt: 'createDurablePayments' }, type: 'DurableOptions' },
  { title: { en: 'postgresPayments', pt: 'postgresPayments' }, type: 'PostgresPaymentsOptions' },
  { title: { en: 'sqlitePayments', pt: 'sqlitePayments' }, type: 'SqlitePaymentsOptions' },
  { title: { en: 'createSandbox', pt: 'createSandbox' }, type: 'SandboxOptions' },
  {
    title: { en: 'payments.create of durable payments', pt: 'payments.create dos pagamentos duráveis' },
    type: 'RecordOptions',
  },
  { title: { en: 'payments.enqueue', pt: 'payments.enqueue' }, type: 'EnqueueOptions' },
  { title: { en: 'payments.run', pt: 'payments.run' }, type: 'RunOptions' },
  { title: { en: 'payments.refresh', pt: 'payments.refresh' }, type: 'RefreshOptions' },
  { title: { en: 'payments.observe', pt: 'payments.observe' }, type: 'ObserveOptions' },
  { title: { en: 'payments.settleDue', pt: 'payments.settleDue' }, type: 'SettleDueOptions' },
  { title: { en: 'payments.list', pt: 'payments.list' }, type: 'ListOptions' },
  { title: { en: 'postgresDedupe', pt: 'postgresDedupe' }, type: 'PostgresDedupeOptions' },
  { title: { en: 'memoryDedupe', pt: 'memoryDedupe' }, type: 'MemoryDedupeOptions' },
  { title: { en: 'Stores in Redis', pt: 'Armazenamentos no Redis' }, type: 'RedisStoreOptions' },
  { title: { en: 'sign', pt: 'sign' }, type: 'SignOptions' },
  { title: { en: 'signedNotification', pt: 'signedNotification' }, type: 'NotificationOptions' },
  { title: { en: 'sandbox.listen', pt: 'sandbox.listen' }, type: 'ListenOptions' },
  { title: { en: 'diagnose', pt: 'diagnose' }, type: 'DiagnoseOptions' },
];

/** The types whose options have their own section. */
export const optionTypes: readonly string[] = sections.map(({ type }) => type);

/** A group of the sandbox's options has its readers as its type, so it is shown as an object. */
const withPlainGroups = (declared: Declared): Declared => ({
  ...declared,
  members: declared.members.map((member) =>
    member.type.startsWith('GivenOptions<') ? { ...member, type: 'object' } : member,
  ),
});

/** Writes the page of options. */
export function optionsPage(language: Language): string {
  const linked = (type: string) => {
    if (type === 'object') return 'sandbox-defaults.md';
    const section = sections.find((each) => each.type === type);
    return section && `#${slug(section.title[language])}`;
  };
  const bodies = sections.map(({ title, type }) => {
    const declared = withPlainGroups(find(type));
    const text = prose(declared.comment, language);
    const body =
      declared.text === undefined ? fields(declared, 'option', language, linked) : `\`${declared.text}\`\n`;
    return `## ${title[language]}\n\n${[text, body].filter((part) => part !== '').join('\n')}`;
  });
  return [`<!-- ${words[language].generated} -->\n\n${head[language]}`, ...bodies].join('\n');
}
