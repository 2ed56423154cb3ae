import { defaults } from '../../../sandbox/defaults/all.js';
import { credentialDefaults } from '../../../sandbox/defaults/credentials.js';
import type { DefaultEntry } from '../../../sandbox/defaults/default-entry.js';
import { Option } from '../../../sandbox/defaults/option.js';
import { paymentDefaults } from '../../../sandbox/defaults/payments.js';
import { requestDefaults } from '../../../sandbox/defaults/requests.js';
import type { SandboxDefault } from '../../../sandbox/defaults/sandbox-default.js';
import { responseStatus } from '../../../sandbox/defaults/statuses.js';
import { submerchantDefaults } from '../../../sandbox/defaults/submerchants.js';
import { walletDefaults } from '../../../sandbox/defaults/wallet.js';
import { webhookDefaults } from '../../../sandbox/defaults/webhooks.js';
import { code } from '../markdown.js';
import { inLanguage, type Language, type Words } from '../words.js';

const words: Words<Readonly<Record<'why' | 'option' | 'none', string>>> = {
  en: { why: 'Why', option: 'Option', none: 'none' },
  pt: { why: 'Por quê', option: 'Opção', none: 'nenhuma' },
};

const groups: Readonly<Record<string, readonly DefaultEntry[]>> = {
  'defaults.requests': requestDefaults,
  'defaults.payments': paymentDefaults,
  'defaults.webhooks': webhookDefaults,
  'defaults.credentials': credentialDefaults,
  'defaults.submerchants': submerchantDefaults,
  'defaults.wallet': walletDefaults,
};

/** Lists the defaults of a group as the sandbox does, with the paths of their options. */
function listGroup(group: readonly DefaultEntry[]): readonly SandboxDefault[] {
  const topics = new Set(
    group.map((entry) => (entry instanceof Option ? entry.sandboxDefault?.topic : entry.topic)),
  );
  return defaults.filter(({ topic }) => topics.has(topic));
}

/** Escapes strings from the data. Backticks around code are the only Markdown in them. */
const plain = (text: string) => text.replaceAll('*', '\\*').replaceAll('<', '&lt;');

/** The entries of each group, and the names that `statuses` accepts. */
export const defaultTables: Readonly<Record<string, (language: Language) => string[][] | string>> = {
  ...Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [
      name,
      (language: Language) =>
        listGroup(group)
          .map((entry) => formatEntry(entry, language))
          .join('\n'),
    ]),
  ),
  'defaults.statuses': (language) => [
    { en: ['Response', 'Status'], pt: ['Resposta', 'Status'] }[language],
    ...Object.entries(responseStatus).map(([name, status]) => [code(name), String(status)]),
  ],
};

/**
 * Identifies a default by its option, or by its topic if it has no option or shares it with another default.
 */
const identifyDefault = ({ topic, option }: SandboxDefault) =>
  option !== undefined && defaults.filter((each) => each.option === option).length === 1 ? option : topic;

/** Translates the topic, the default and the reason of each default for the sandbox's page, by its English topic. */
export const portugueseDefaults = () =>
  Object.fromEntries(
    defaults.map((entry) => {
      const say = (part: 'topic' | 'default' | 'why') =>
        inLanguage('pt', `defaults.${identifyDefault(entry)}.${part}`, entry[part]);
      return [entry.topic, [say('topic'), say('default'), say('why')]];
    }),
  );

function formatEntry(entry: SandboxDefault, language: Language): string {
  const { topic, why, option, fixed = '' } = entry;
  const say = (part: string, text: string) =>
    plain(inLanguage(language, `defaults.${identifyDefault(entry)}.${part}`, text));
  const fixedWords = words[language];
  const set = option === undefined ? `${fixedWords.none}. ${say('fixed', fixed)}` : code(option);
  return [
    `### ${say('topic', topic)}\n`,
    `${say('default', entry.default)}\n`,
    `**${fixedWords.why}:** ${say('why', why)}\n`,
    `**${fixedWords.option}:** ${set}\n`,
  ].join('\n');
}
