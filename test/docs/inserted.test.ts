import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageNames } from '../../site/contents.js';
import { limits } from '../../src/contract/limits.js';
import { durableDefaults } from '../../src/durable/options.js';
import { clientDefaults } from '../../src/options.js';
import { receiverDefaults } from '../../src/webhooks/receiver-options.js';
import { insertSources, withoutSources } from '../../tools/docs/inserted.js';
import { pages, toPagePath } from '../../tools/docs/pages.js';
import { tables } from '../../tools/docs/tables/index.js';
import { values } from '../../tools/docs/values.js';
import { languages } from '../../tools/docs/words.js';

const committed = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
/** The tables that are written by hand, with the reason. */
const listed: Readonly<Record<string, { readonly tables: number; readonly reason: string }>> = {
  'any-language': { tables: 1, reason: 'programs without the SDK; test/docs/any-language runs them' },
  'api-document': {
    tables: 3,
    reason: 'counts are compared with the API document by test/docs/api-references',
  },
  architecture: { tables: 1, reason: 'explains folders' },
  'background-jobs': {
    tables: 1,
    reason: 'advice which pattern to choose; the tests of examples/at-scale hold it',
  },
  boleto: { tables: 1, reason: 'events of a boleto; test/docs/pages runs its samples' },
  capacity: { tables: 3, reason: 'measurements' },
  credentials: { tables: 1, reason: 'leads from a platform’s trait to an option' },
  'data-protection': { tables: 2, reason: 'advice about places of data' },
  doctor: { tables: 3, reason: 'exit codes, which the doctor’s tests check, and questions; tables-by-hand' },
  'durable-production': { tables: 1, reason: 'explains options; test/docs/tables-by-hand' },
  'durable-payments': { tables: 1, reason: 'leads to the methods, whose reference is generated' },
  environments: { tables: 3, reason: 'results; test/docs/environments compares them with the runs' },
  errors: {
    tables: 3,
    reason: 'properties with their links, causes of the system, and codes; test/docs/errors',
  },
  'exactly-once': { tables: 1, reason: 'an analysis of cases that tests inject' },
  faults: { tables: 2, reason: 'effects of the faults; test/docs/tables-by-hand' },
  'fault-model': { tables: 3, reason: 'terms of the page, and whom the SDK trusts' },
  'first-payment': { tables: 1, reason: 'programs without the SDK; test/docs/first-payment runs them' },
  introduction: { tables: 2, reason: 'leads to pages' },
  openapi: { tables: 1, reason: 'leads to the generated files' },
  'many-processes': { tables: 2, reason: 'advice which store to choose' },
  migrate: { tables: 3, reason: 'names of other SDKs' },
  'rate-limits': { tables: 2, reason: 'limits and settings; test/docs/tables-by-hand' },
  receivers: { tables: 1, reason: 'file names and commands; test/docs/webhooks runs them' },
  reliability: { tables: 1, reason: 'advice for each outcome' },
  sandbox: { tables: 2, reason: 'leads to the command’s page, which is generated' },
  telemetry: { tables: 2, reason: 'test/docs/telemetry compares the names with the source' },
  undocumented: { tables: 1, reason: 'statements of the API document' },
  'upgrade-to-1': { tables: 2, reason: 'changes between versions' },
  upgrades: { tables: 2, reason: 'promises about versions' },
  'webhook-problems': { tables: 1, reason: 'reasons with remedies; test/docs/tables-by-hand' },
  'webhook-stores': { tables: 1, reason: 'advice which store to choose' },
  webhooks: { tables: 2, reason: 'outcomes with statuses; test/docs/tables-by-hand' },
};

const handWritten = pageNames.filter((name) => pages[`${name}.md`] === undefined);

describe.each(languages)('the hand-written pages in the language %s', (language) => {
  const texts = handWritten.map((name) => [name, committed(toPagePath(`${name}.md`, language))] as const);

  test.each(texts)('show the tables and numbers of the sources: %s', (_, page) => {
    expect(page, 'npm run generate').toBe(insertSources(page, language));
  });

  test.each(texts)('have no table of behaviour that is not listed: %s', (name, page) => {
    const own = [...withoutSources(page).matchAll(/^\|(.*)\|\n\| ?:?-/gm)].length;
    expect(own, `generate the table from tools/docs/tables, or list it here with a reason`).toBe(
      listed[name]?.tables ?? 0,
    );
  });

  test('use every table and every number', () => {
    const all = texts.map(([, page]) => page).join('\n');
    const unused = [
      ...Object.keys(tables).filter((name) => !new RegExp(`<!-- (table|part): ${name} -->`).test(all)),
      ...Object.keys(values).filter((name) => !all.includes(`<!-- ${name} -->`)),
    ];
    expect(unused).toEqual([]);
  });
});

test('a change of a table or number in a page is undone, and needs no translation', () => {
  const page =
    'Up to 9<!-- limits.key-length --> characters.\n<!-- table: receiver.order -->\n<!-- end of table -->\n';
  expect(insertSources(page, 'en')).toContain('Up to 255<!-- limits.key-length --> characters.');
  expect(insertSources(page, 'pt')).toContain('| São mais antigos');
  expect(withoutSources(insertSources(page, 'pt'))).toBe(withoutSources(page));
  expect(insertSources('Up to 99999<!-- limits.amount-max --> cents', 'pt')).toContain('15.000.000<!--');
  expect(() => insertSources('1<!-- limits.unknown -->', 'en')).toThrow('limits.unknown');
});

describe('the default in the reference equals the one in the source', () => {
  const { keepFor, ...receiver } = receiverDefaults;
  const defaults: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'options-client': clientDefaults,
    'options-durable': durableDefaults,
    'options-receiver': { ...receiver, tolerance: limits.webhookToleranceSeconds },
  };

  test.each(
    Object.entries(defaults).flatMap(([page, options]) =>
      Object.entries(options).map(([option, value]) => [page, option, value] as const),
    ),
  )('%s: %s', (page, option, value) => {
    const [, cell = ''] =
      new RegExp(`^\\| \`${option}\` *\\|[^|]*\\| *([^|]*)`, 'm').exec(committed(`${page}.md`)) ?? [];
    expect(Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(',', ''))).toBe(value);
  });

  test('options-receiver: keepFor', () => {
    expect(committed('options-receiver.md')).toMatch(
      new RegExp(`\`keepFor\`.*\\| ${keepFor / 86_400_000} days`),
    );
  });
});
