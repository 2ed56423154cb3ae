import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { transactionEvents } from '../../src/contract/events.js';
import { operations } from '../../src/contract/index.js';
import { listOfPages } from '../../tools/docs/list-of-pages.js';
import { llms } from '../../tools/docs/llms.js';
import { exportedNames, readSources } from '../../tools/docs/reference/declarations.js';
import { optionTypes } from '../../tools/docs/reference/options-page.js';
import { commands } from '../../tools/docs/tables/command.js';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

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
    const links = read(`${folder}methods.md`).matchAll(/^\| \[`(\S+)`\]\(([\w-]+\.md)#/gm);
    const headings = [...links].map(([, name = '', page = '']) => {
      expect(read(`${folder}${page}`)).toContain(`\n## ${name}\n`);
      return name;
    });
    const methods = operations.map(({ id }) => id).filter((id) => !id.startsWith('oauth.'));
    expect(methods.filter((id) => !headings.includes(id))).toEqual([]);
  });

  test('has a separate column for the default of each option', () => {
    const pages = ['client', 'receiver', 'durable', 'sandbox'].map((name) =>
      read(`${folder}options-${name}.md`),
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
    const headings = [...read(`${folder}command.md`).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(commands().map(([path]) => path));
  });

  test('is up to date in the files for language models', () => {
    const language = folder === '' ? 'en' : 'pt';
    expect(read(`${folder}llms.txt`)).toBe(llms(language));
    for (const trap of ['1990', 'idempotencyKey', language === 'en' ? 'raw body' : 'corpo bruto', 'PAN'])
      expect(llms(language)).toContain(trap);
  });

  test('has a heading for every event', () => {
    const headings = [...read(`${folder}events.md`).matchAll(/^#+ `?(transaction[\w.]+)`?$/gm)].map(
      ([, name]) => name,
    );
    expect(headings.sort()).toEqual([...transactionEvents].sort());
  });
});

test('docs/README.md lists every page', () => {
  expect(read('README.md')).toBe(listOfPages());
});

test('every exported options type has a section in the reference, or a page that explains it', () => {
  const types = exportedNames(readSources()).filter((name) => name.endsWith('Options'));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((name) => !optionTypes.includes(name) && !(name in elsewhere))).toEqual([]);
});
