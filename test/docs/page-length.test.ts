import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, docs), 'utf8');
const isGenerated = (text: string) => /^(?:<!-- translates.*-->\n+)?<!-- (?:Generated|Gerado)/.test(text);

/** Words outside code, comments and the targets of links. */
function countWords(text: string): number {
  const prose = text.replace(/```[\s\S]*?```|<!--[\s\S]*?-->|\]\([^)]*\)/g, ' ');
  return prose.match(/\p{L}[\p{L}\p{N}'’.:/-]*/gu)?.length ?? 0;
}

const pages = ['', 'pt/'].flatMap((folder) =>
  readdirSync(new URL(folder, docs))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ folder, name, path: folder + name, text: read(folder + name) })),
);

/** Lists a page's sections with their prose, and each list entry and table row. */
const listEntries = (text: string) =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .split(/^#{2,} /m)
    .slice(1)
    .map((section, number) => {
      const [title = '', ...lines] = section.split('\n');
      const isEntry = (line: string) => /^\s*(\||- )/.test(line);
      const prose = lines.filter((line) => !isEntry(line)).join('\n');
      return { title, number, parts: [prose, ...lines.filter(isEntry)] };
    });

const tutorials = ['first-pix.md', 'first-payment.md', 'introduction.md', 'index.md'];

/** Reference pages with more than 900 words. The limit of 80 words per entry applies to them instead. */
const longReferences = [
  'assumptions.md',
  'control-api.md',
  'environments.md',
  'fault-model.md',
  'messages.md',
  'methods-durable.md',
  'methods-onboarding.md',
  'methods-payments.md',
  'options-client.md',
  'options-durable.md',
  'options-receiver.md',
  'options-sandbox.md',
  'sandbox-defaults.md',
  'scenarios.md',
];

/** Entries that are still longer than 80 words. Most are written in src/ and sandbox/. The list can only shrink. */
const longEntries = [
  'fault-model.md: How to read an entry',
  'fault-model.md: Invariants',
  'methods-durable.md: durable.refresh',
  'methods-onboarding.md: onboarding.submitPf',
  'methods-payments.md: payments.create',
  'methods-payments.md: payments.reconcile',
  'methods-submerchants.md: submerchants.create',
  'methods-submerchants.md: submerchants.withdrawals.create',
  'sandbox-defaults.md: Balances',
  'sandbox-defaults.md: Bodies that are too large',
  'sandbox-defaults.md: First status',
  'sandbox-defaults.md: Hosts and origins',
  'sandbox-defaults.md: Keys for sub-account creation and onboarding',
  'sandbox-defaults.md: Payment transitions',
  'sandbox-defaults.md: Pix code and boleto in the response',
  'sandbox-defaults.md: Rate limits',
  'sandbox-defaults.md: Request of POST /oauth/token',
  'sandbox-defaults.md: Resolved split',
  'sandbox-defaults.md: Split rules',
  'sandbox-defaults.md: Success statuses',
  'sandbox-defaults.md: Verification of a domain',
  'sandbox-defaults.md: Webhook subscription',
];

describe('the word limit', () => {
  test('limits the unreleased changes in CHANGELOG.md to 900 words', () => {
    const changelog = readFileSync(new URL('../CHANGELOG.md', docs), 'utf8');
    const unreleased = /^## \[Unreleased\]$(.*?)^## \[/ms.exec(changelog)?.[1] ?? '';
    expect(countWords(unreleased)).toBeGreaterThan(0);
    expect(countWords(unreleased)).toBeLessThanOrEqual(900);
  });

  test.each(pages.filter(({ name }) => tutorials.includes(name)))(
    'allows at most 500 words on a tutorial page: $path',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(500),
  );

  test.each(pages.filter(({ name }) => !tutorials.includes(name) && !longReferences.includes(name)))(
    'allows at most 900 words on any other page: $path',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(900),
  );

  test.each(['', 'pt/'])('allows at most 40,000 words in all pages of docs/%s', (folder) => {
    const total = pages
      .filter((page) => page.folder === folder && !isGenerated(page.text))
      .map(({ text }) => countWords(text));
    expect(total.length).toBeGreaterThan(40);
    expect(total.reduce((sum, words) => sum + words)).toBeLessThanOrEqual(40_000);
  });

  test('has exemptions only for pages of more than 900 words', () => {
    const long = pages.filter(({ text }) => countWords(text) > 900).map(({ name }) => name);
    expect([...new Set(long)].sort()).toEqual(longReferences);
  });

  test('allows at most 80 words in each section, list entry and table row of a reference page', () => {
    const long = pages
      .filter(({ name, text }) => longReferences.includes(name) || isGenerated(text))
      .flatMap(({ folder, name, text }) =>
        listEntries(text).flatMap(({ number, parts }) =>
          parts.some((part) => countWords(part) > 80) ? [{ folder, name, number }] : [],
        ),
      );
    // Both languages have the same sections, so the English title names the section.
    const titles = long.map(({ name, number }) => `${name}: ${listEntries(read(name))[number]?.title}`);
    expect([...new Set(titles)].sort()).toEqual([...longEntries].sort());
  });

  test.each(['questions.md', 'pt/questions.md'])(
    'allows at most 60 words in each entry of docs/%s',
    (path) => {
      const entries = read(path)
        .split(/^#{2,} /m)
        .slice(1)
        .map((entry) => ({
          question: entry.split('\n', 1)[0],
          words: countWords(entry.replace(/^.*\n/, '')),
        }));
      expect(entries.length).toBeGreaterThan(10);
      expect(entries.filter(({ words }) => words > 60)).toEqual([]);
    },
  );
});
