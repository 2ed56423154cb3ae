import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { paymentStoreChecks, postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { postgresPool, postgresSchema, postgresUrl } from '../support/postgres.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/durable-payments.md');
// Inside the project, so that the blocks import the package by its name.
const folder = mkdtempSync(join(root, 'test/docs/.blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```/gms)]
    .map(([, name, flags = '', code = '']) => ({ name, flags, code }))
    .filter(({ name }) => name === language);

/** Creates a schema; returns a database address whose unqualified names belong to it. */
async function database(): Promise<string> {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  onTestFinished(removeSchema);
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

describe('every program of the page runs, and prints what its comments say', () => {
  const programs = blocks('ts').map(({ flags, code }, index) => ({
    title: [...page.slice(0, page.indexOf(code)).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
    path: join(folder, `program-${index}.ts`),
    flags: flags.trim(),
    code,
  }));

  test('the page has no other programs', () => {
    expect(programs.length).toBeGreaterThanOrEqual(6);
    expect(programs.filter(({ flags }) => !['run', 'run postgres'].includes(flags))).toEqual([]);
  });

  for (const { title, path, flags, code } of programs) {
    const isMissing = flags.includes('postgres') && postgresUrl === '';
    test.skipIf(isMissing)(isMissing ? `${title} (needs POSTGRES_URL)` : title, async () => {
      writeFileSync(path, code);
      const env = { ...process.env, ...(flags.includes('postgres') && { DATABASE_URL: await database() }) };
      const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
      const { stdout, stderr } = await run(process.execPath, [tsx, path], {
        cwd: root,
        env,
      });
      expect(stderr).toBe('');
      const promised = [...code.matchAll(/console\.log\(.*\)\)?; \/\/ (.*)$/gm)].map(([, text]) => text);
      expect(promised.length).toBeGreaterThan(0);
      expect(stdout.trim().split('\n')).toEqual(promised);
    });
  }
});

describe('the SQL of the page (needs POSTGRES_URL)', () => {
  const [partition = '', prune = ''] = blocks('sql').map(({ code }) => code);

  async function parted() {
    const { pool, close } = postgresPool({ connectionString: await database() });
    onTestFinished(close);
    await pool.query(postgresPaymentsSql());
    await pool.query(partition);
    return { pool, store: postgresPayments(pool) };
  }

  beforeEach(({ skip }) => skip(postgresUrl === ''));

  test('a partitioned table passes every check of a store', async () => {
    const { pool, store } = await parted();
    for (const { run } of paymentStoreChecks) {
      await pool.query('TRUNCATE payment_platform_payments');
      await run(store as Parameters<typeof run>[0]);
    }
    const indexes =
      "SELECT 1 FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'payments_0'";
    expect((await pool.query(indexes)).rows).toHaveLength(5);
  });

  test('only old rows in a final state are deleted', async () => {
    const { pool } = await parted();
    await pool.query(`INSERT INTO payment_platform_payments
      SELECT state || age, 1, state, 1, '', '', '', NULL, NULL, NULL, 1, false, now() - age::interval, NULL, now()
      FROM unnest(ARRAY['settled', 'failed', 'unknown', 'given_up']) state, unnest(ARRAY['1 day', '2 years']) age`);
    await pool.query(prune);
    const { rows } = await pool.query('SELECT key FROM payment_platform_payments ORDER BY key');
    expect(rows.map(({ key }) => key)).toEqual([
      'failed1 day',
      'given_up1 day',
      'given_up2 years',
      'settled1 day',
      'unknown1 day',
      'unknown2 years',
    ]);
  });
});

test('the diagram and the list have every state', () => {
  const [, union = ''] = /type DurableState = ([^;]+);/.exec(read('src/durable/payment-row.ts')) ?? [];
  const states = [...union.matchAll(/'(\w+)'/g)].map(([, state]) => state).sort();
  const [{ code } = { code: '' }] = blocks('mermaid');
  const drawn = [...code.matchAll(/^ +(\S+) --> (\w+):/gm)].flatMap(([, from = '', to = '']) => [from, to]);
  expect([...new Set(drawn)].filter((state) => state !== '[*]').sort()).toEqual(states);
  const section = page.slice(page.indexOf('## States'), page.indexOf('## Options'));
  expect([...section.matchAll(/^- `(\w+)`:/gm)].map(([, state]) => state).sort()).toEqual(states);
});

test('the table has every option', () => {
  const source = read('src/durable/options.ts');
  const [, body = ''] = /export interface DurableOptions[^{]*\{(.*?)^\}/ms.exec(source) ?? [];
  const options = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  const section = page.slice(page.indexOf('## Options'), page.indexOf('## A small shop'));
  const cells = [...section.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell]) => cell).join();
  expect([...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(options);
});
