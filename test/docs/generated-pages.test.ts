import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { actions } from '../../sandbox/control-api/actions/all.js';
import { buildControlApiDocument } from '../../sandbox/control-api/openapi.js';
import { pageNames } from '../../site/contents.js';
import { transactionEvents } from '../../src/contract/events.js';
import { operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import { durableDefaults } from '../../src/durable/options.js';
import { clientDefaults } from '../../src/options.js';
import { receiverDefaults } from '../../src/webhooks/receiver-options.js';
import { configSchema } from '../../tools/docs/config-schema.js';
import { listDifferences } from '../../tools/docs/facts.js';
import { insertSources, withoutSources } from '../../tools/docs/inserted.js';
import { listOfPages } from '../../tools/docs/list-of-pages.js';
import { llms } from '../../tools/docs/llms.js';
import { pages, toPagePath } from '../../tools/docs/pages.js';
import catalogue from '../../tools/docs/portuguese.json' with { type: 'json' };
import { printJson } from '../../tools/docs/print.js';
import { exportedNames, readSources } from '../../tools/docs/reference/declarations.js';
import { optionTypes } from '../../tools/docs/reference/options-page.js';
import { responseSchemas } from '../../tools/docs/response-schemas.js';
import { commands } from '../../tools/docs/tables/command.js';
import { tables } from '../../tools/docs/tables/index.js';
import { values } from '../../tools/docs/values.js';
import { englishTexts, languages, outdated, untranslated, unused } from '../../tools/docs/words.js';

// All generated files are compared here, so that one process reads the sources with the compiler.

const committed = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** Reads the levels of the headings outside code, in order. */
const readLevels = (page: string) => page.replace(/^```.*?^```/gms, '').match(/^#+(?= )/gm);

describe.each(Object.entries(pages))('%s', (name, page) => {
  test.each(languages)('is up to date in the language %s: npm run generate changes nothing', (language) => {
    expect(committed(toPagePath(name, language))).toBe(page(language));
  });

  test('has the same headings and rows in both languages', () => {
    const [english, portuguese] = languages.map((language) => committed(toPagePath(name, language)));
    expect(readLevels(portuguese ?? '')).toEqual(readLevels(english ?? ''));
    expect(portuguese?.match(/^\|/gm)).toEqual(english?.match(/^\|/gm));
  });

  test('has no dead links in Portuguese', () => {
    const folder = new URL('../../docs/pt/', import.meta.url);
    const links = [...committed(toPagePath(name, 'pt')).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)];
    for (const [, target = ''] of links) expect(() => readFileSync(new URL(target, folder))).not.toThrow();
  });
});

test('.gitattributes marks exactly the generated pages as generated', () => {
  const root = new URL('../../', import.meta.url);
  const generated = Object.keys(pages).flatMap((name) =>
    languages.map((language) => toPagePath(name, language)),
  );
  const paths = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const patterns = [
    ...readFileSync(new URL('.gitattributes', root), 'utf8').matchAll(/^(\S+\.md) linguist-generated$/gm),
  ];
  const marks = patterns.map(([, pattern = '']) => {
    const anyDepth = pattern.replaceAll('.', '\\.').replace('**/', '(.+/)?');
    return new RegExp(`^${anyDepth.replace(/(?<!\()\*/g, '[^/]*')}$`);
  });
  const marked = paths.filter((path) => marks.some((mark) => mark.test(path)));
  expect(marked.sort()).toEqual([...generated, 'README.md'].map((path) => `docs/${path}`).sort());
});

describe('tools/docs/portuguese.json', () => {
  beforeAll(() => {
    for (const content of Object.values({ ...pages, ...tables })) content('pt');
  });

  test('translates exactly the strings that the pages show', () => {
    expect({ untranslated: untranslated(), unused: unused() }).toEqual({ untranslated: [], unused: [] });
  });

  test('has a translation of the current English string for each entry', () => {
    expect(outdated(), 'translate what changed, then: npm run generate -- --translated KEY').toEqual([]);
  });

  test('is sorted by key', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort());
  });

  test('states the same numbers and links in each translation as in the English string', () => {
    const english = englishTexts();
    const changed = Object.entries(catalogue).flatMap(([key, { pt }]) =>
      listDifferences(english.get(key) ?? '', pt, ['numbers', 'links']).map((fact) => `${key}: ${fact}`),
    );
    expect(changed).toEqual([]);
  });

  test('has the same names in code in each translation of the tools’ strings', () => {
    const english = englishTexts();
    // A translation of a doc comment can leave out or repeat a name. Its key starts with the name of a type.
    const tools = Object.entries(catalogue).filter(([key]) => !/^[A-Z]/.test(key));
    const changed = tools.flatMap(([key, { pt }]) =>
      listDifferences(english.get(key) ?? '', pt, ['names']).map((fact) => `${key}: ${fact}`),
    );
    expect(changed).toEqual([]);
  });
});

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

/** Lists the options that another page explains. */
const elsewhere: Readonly<Record<string, string>> = {
  ConnectOptions: 'testing.md',
  CredentialOptions: 'control-api.md',
  DomainVerificationOptions: 'control-api.md',
  DurableRequestOptions: 'durable-sellers.md',
  EnqueueRequestOptions: 'durable-sellers.md',
  FastifyWebhooksOptions: 'webhook-servers.md',
  FeatureOptions: 'control-api.md',
  KycOptions: 'sandbox-defaults.md',
  ListRequestsOptions: 'durable-sellers.md',
  MemoryPaymentsOptions: 'durable-production.md',
  MerchantOptions: 'control-api.md',
  OpenTelemetryOptions: 'telemetry.md',
  RateLimitOptions: 'sandbox-defaults.md',
  RecordRequestOptions: 'durable-sellers.md',
  ResendOptions: 'marketplace.md',
  RuleOptions: 'sandbox-defaults.md',
  SqliteDedupeOptions: 'webhook-stores.md',
  SandboxClientOptions: 'sandbox.md',
  SandboxHandlersOptions: 'testing.md',
  SignatureOptions: 'sandbox-defaults.md',
  UseSandboxOptions: 'testing.md',
  WithdrawalOptions: 'sandbox-defaults.md',
};

describe.each(['', 'pt/'])('the reference in docs/%s', (folder) => {
  test('has a section with a link to it for every operation except the token request', () => {
    const links = committed(`${folder}methods.md`).matchAll(/^\| \[`(\S+)`\]\(([\w-]+\.md)#/gm);
    const headings = [...links].map(([, name = '', page = '']) => {
      expect(committed(`${folder}${page}`)).toContain(`\n## ${name}\n`);
      return name;
    });
    const methods = operations.map(({ id }) => id).filter((id) => !id.startsWith('oauth.'));
    expect(methods.filter((id) => !headings.includes(id))).toEqual([]);
  });

  test('has a separate column for the default of each option', () => {
    const pages = ['client', 'receiver', 'durable', 'sandbox'].map((name) =>
      committed(`${folder}options-${name}.md`),
    );
    const rows = [...pages.join('\n').matchAll(/^\| `.+$/gm)].map(([row]) =>
      row.replaceAll('\\|', '/').split('|').slice(1, -1),
    );
    expect(rows.map((cells) => cells.length).filter((length) => length !== 4)).toEqual([]);
    expect(rows.filter(([, , , meaning]) => /(^|\. )(Default|Padrão)\b/.test(meaning?.trim() ?? ''))).toEqual(
      [],
    );
    const defaults = rows.map(([name, , standard]) => `${name?.trim()} ${standard?.trim()}`);
    expect(defaults).toEqual(
      expect.arrayContaining(['`maxRetries` 2', '`tolerance` 300', '`encoding` `hex`', '`auth` `headers`']),
    );
  });

  test('has a section for each command of the CLI, and no other section', () => {
    const headings = [...committed(`${folder}command.md`).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(commands().map(([path]) => path));
  });

  test('is up to date in the files for language models', () => {
    const language = folder === '' ? 'en' : 'pt';
    expect(committed(`${folder}llms.txt`)).toBe(llms(language));
    for (const trap of ['1990', 'idempotencyKey', language === 'en' ? 'raw body' : 'corpo bruto', 'PAN'])
      expect(llms(language)).toContain(trap);
  });

  test('has a heading for every event', () => {
    const headings = [...committed(`${folder}events.md`).matchAll(/^#+ `?(transaction[\w.]+)`?$/gm)].map(
      ([, name]) => name,
    );
    expect(headings.sort()).toEqual([...transactionEvents].sort());
  });
});

test('docs/README.md lists every page', () => {
  expect(committed('README.md')).toBe(listOfPages());
});

test('every exported options type has a section in the reference, or a page that explains it', () => {
  const types = exportedNames(readSources()).filter((name) => name.endsWith('Options'));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((name) => !optionTypes.includes(name) && !(name in elsewhere))).toEqual([]);
});

test('the committed schema of a configuration is up to date: npm run generate changes nothing', () => {
  expect(committed('config.schema.json')).toBe(printJson(configSchema()));
});

const controlApi = committed('sandbox-openapi.json');
const controlPage = committed('control-api.md');

test('the schemas of the responses are up to date: npm run generate changes nothing', () => {
  expect(committed('../sandbox/control-api/response-schemas.json')).toBe(printJson(responseSchemas()));
});

test('the committed control API description is up to date: npm run generate changes nothing', () => {
  expect(controlApi).toBe(printJson(buildControlApiDocument()));
});

test.each(actions.map((action) => [action.id, action] as const))(
  'the control API description includes %s',
  (id, action) => {
    const { paths } = JSON.parse(controlApi);
    const described = paths[`/_sandbox${action.path}`]?.[action.method.toLowerCase()];
    expect(described).toMatchObject({ operationId: id, summary: action.summary });
    expect(controlPage).toContain(`| \`${action.method} /_sandbox${action.path}\` `);
  },
);
