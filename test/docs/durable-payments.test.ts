import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { paymentStoreChecks } from 'payment-platform/testing';
import type { Pool } from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { emptyDatabase, postgresPool, postgresUrl } from '../support/postgres.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/durable-production.md');
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```/gms)]
    .map(([, name, , code = '']) => ({ name, code }))
    .filter(({ name }) => name === language);

describe('the SQL on the page about durable payments (needs POSTGRES_URL)', () => {
  const [partition = '', prune = ''] = blocks('sql').map(({ code }) => code);

  async function parted() {
    const { pool, close } = postgresPool({ connectionString: await emptyDatabase() });
    onTestFinished(close);
    await pool.query(postgresPaymentsSql());
    await pool.query(partition);
    await pool.query(postgresPaymentsSql());
    return { pool, store: postgresPayments(pool) };
  }

  beforeEach(({ skip }) => skip(postgresUrl === ''));

  test('creates a partitioned table that works with every store check', async () => {
    const { pool, store } = await parted();
    for (const { run } of paymentStoreChecks) {
      await pool.query('TRUNCATE payment_platform.payments');
      await run(store as Parameters<typeof run>[0]);
    }
  });

  test('creates the indexes of a table that is not partitioned, once, even if the SQL runs again', async () => {
    const indexes = async (pool: Pool, table: string) => {
      const names = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'payment_platform' AND tablename = '${table}'`;
      const { rows } = await pool.query(names);
      return rows.map(({ indexdef }) => indexdef.replace(/^.* USING/, '')).sort();
    };
    const { pool: plain, close } = postgresPool({ connectionString: await emptyDatabase() });
    onTestFinished(close);
    await plain.query(postgresPaymentsSql());
    const { pool } = await parted();
    await pool.query(postgresPaymentsSql());
    expect(await indexes(pool, 'payments')).toEqual(await indexes(plain, 'payments'));
    expect(await indexes(pool, 'payments_0')).toEqual(await indexes(plain, 'payments'));
  });

  test('deletes only rows that are old and in a final state', async () => {
    const { pool } = await parted();
    await pool.query(`INSERT INTO payment_platform.payments
      SELECT '', state || age, 1, state, 1, '', '', '', NULL, NULL, NULL, 1, false, now() - age::interval, NULL, now(), NULL
      FROM unnest(ARRAY['settled', 'failed', 'unknown', 'given_up']) state, unnest(ARRAY['1 day', '2 years']) age`);
    await pool.query(prune);
    const { rows } = await pool.query('SELECT key FROM payment_platform.payments ORDER BY key');
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

test('the page about durable payments shows every state in its diagram and its list', () => {
  const [, union = ''] = /type DurableState = ([^;]+);/.exec(read('src/stores/payment-row.ts')) ?? [];
  const states = [...union.matchAll(/'(\w+)'/g)].map(([, state]) => state).sort();
  const [{ code } = { code: '' }] = blocks('mermaid');
  const drawn = [...code.matchAll(/^ +(\S+) --> (\w+):/gm)].flatMap(([, from = '', to = '']) => [from, to]);
  expect([...new Set(drawn)].filter((state) => state !== '[*]').sort()).toEqual(states);
  const section = page.slice(page.indexOf('## States'), page.indexOf('## Options'));
  expect([...section.matchAll(/^- `(\w+)`:/gm)].map(([, state]) => state).sort()).toEqual(states);
});

test('the page about durable payments lists every option in its table', () => {
  const source = read('src/durable/options.ts');
  const [, body = ''] = /export interface DurableOptions[^{]*\{(.*?)^\}/ms.exec(source) ?? [];
  const options = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  const section = page.slice(page.indexOf('## Options'), page.indexOf('## What is stored'));
  const cells = [...section.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell]) => cell).join();
  expect([...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(options);
});
