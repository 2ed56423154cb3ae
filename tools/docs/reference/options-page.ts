import { readTitle } from '../list-of-pages.js';
import { filter, slug, table } from '../markdown.js';
import type { Language } from '../words.js';
import { type Declared, declared as find } from './declarations.js';
import { fields, prose, words } from './rendered.js';

interface OptionsPage {
  readonly title: Readonly<Record<Language, string>>;
  /** The sections of the page. Each section documents one type of options. */
  readonly sections: readonly Section[];
}

interface Section {
  readonly title: Readonly<Record<Language, string>>;
  readonly type: string;
}

const named = (type: string, en: string, pt = en): Section => ({ title: { en, pt }, type });

/** The pages by file name, without the extension. */
const optionPages: Readonly<Record<string, OptionsPage>> = {
  'options-client': {
    title: { en: 'Client options', pt: 'Opções do cliente' },
    sections: [
      named('ClientOptions', 'new PaymentPlatform'),
      named('CallOptions', 'Call options', 'Opções de uma chamada'),
      named('ReconcileOptions', 'payments.reconcile'),
      named('WaitForOptions', 'onboarding.waitFor'),
      named('RequestInput', 'platform.request'),
      named('OAuthOptions', 'oauth'),
      named('RateLimits', 'rateLimits'),
      named(
        'LibsqlStoreOptions',
        'libsqlTokenStore and libsqlRateLimitStore',
        'libsqlTokenStore e libsqlRateLimitStore',
      ),
      named('Hooks', 'hooks'),
    ],
  },
  'options-receiver': {
    title: { en: 'Webhook receiver options', pt: 'Opções do receptor de webhooks' },
    sections: [
      named('ReceiverOptions', 'createReceiver'),
      named('VerifyOptions', 'verify and verifyAsync', 'verify e verifyAsync'),
      named('PostgresDedupeOptions', 'postgresDedupe'),
      named('MemoryDedupeOptions', 'memoryDedupe'),
      named('RedisStoreOptions', 'Stores in Redis', 'Armazenamentos no Redis'),
      named('SignOptions', 'sign'),
      named('NotificationOptions', 'signedNotification'),
    ],
  },
  'options-durable': {
    title: { en: 'Durable payment options', pt: 'Opções dos pagamentos duráveis' },
    sections: [
      named('DurableOptions', 'createDurablePayments'),
      named('PostgresPaymentsOptions', 'postgresPayments'),
      named('SqlitePaymentsOptions', 'sqlitePayments'),
      named('RecordOptions', 'payments.create'),
      named('EnqueueOptions', 'payments.enqueue'),
      named('RunOptions', 'payments.run'),
      named('RefreshOptions', 'payments.refresh'),
      named('ObserveOptions', 'payments.observe'),
      named('SettleDueOptions', 'payments.settleDue'),
      named('ListOptions', 'payments.list'),
    ],
  },
  'options-sandbox': {
    title: { en: 'Sandbox and diagnose options', pt: 'Opções de sandbox e diagnose' },
    sections: [
      named('SandboxOptions', 'createSandbox'),
      named('ListenOptions', 'sandbox.listen'),
      named('DiagnoseOptions', 'diagnose'),
    ],
  },
};

/** The types whose options have their own section. */
export const optionTypes: readonly string[] = Object.values(optionPages).flatMap(({ sections }) =>
  sections.map(({ type }) => type),
);

/** Shows each group of sandbox options as an object, because a group's own type names its readers. */
const withPlainGroups = (declared: Declared): Declared => ({
  ...declared,
  members: declared.members.map((member) =>
    member.type.startsWith('GivenOptions<') ? { ...member, type: 'object' } : member,
  ),
});

/** Finds the address of a type's section, for a link on the page `from`. */
function findAddress(type: string, from: string, language: Language): string | undefined {
  if (type === 'object') return 'sandbox-defaults.md';
  for (const [page, { sections }] of Object.entries(optionPages)) {
    const section = sections.find((each) => each.type === type);
    if (section !== undefined) return `${page === from ? '' : `${page}.md`}#${slug(section.title[language])}`;
  }
}

/** Lists the option names of every section. */
export function optionsOverview(language: Language): string {
  const { options, usedBy } = words[language];
  const groups = Object.entries(optionPages).map(([page, { title, sections }]) => {
    const rows = sections.map(({ title: section, type }) => [
      `[${section[language]}](${findAddress(type, '', language)})`,
      find(type)
        .members.map(({ name }) => `\`${name}\``)
        .join(', '),
    ]);
    return `## [${title[language]}](${page}.md)\n\n${table([[usedBy, options], ...rows])}`;
  });
  return groups.join('\n');
}

/** Links the pages that doc comments name: editors show `docs/webhooks.md`, the site shows a link. */
const linkPages = (markdown: string, language: Language) =>
  markdown.replaceAll(
    /`?docs\/([a-z-]+\.md)`?/g,
    (_, page: string) => `[${readTitle(language === 'en' ? page : `pt/${page}`)}](${page})`,
  );

/** Writes a page of options, with a table for each section. */
function optionsPage(page: string, { title, sections }: OptionsPage, language: Language): string {
  const bodies = sections.map(({ title: section, type }) => {
    const declared = withPlainGroups(find(type));
    const text = prose(declared.comment, language);
    const body =
      declared.text === undefined
        ? fields(declared, 'option', language, (other) => findAddress(other, page, language))
        : `\`${declared.text}\`\n`;
    return `## ${section[language]}\n\n${[text, body].filter((part) => part !== '').join('\n')}`;
  });
  const text = [`# ${title[language]}\n`, filter, ...bodies].join('\n');
  return `<!-- ${words[language].generated} -->\n\n${linkPages(text, language)}`;
}

/** A page for each group. */
export const optionsPages: Readonly<Record<string, (language: Language) => string>> = Object.fromEntries(
  Object.entries(optionPages).map(([name, page]) => [
    `${name}.md`,
    (language: Language) => optionsPage(name, page, language),
  ]),
);
