import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { PaymentPlatform } from 'payment-platform';
import {
  createDurablePayments,
  memoryPayments,
  type PaymentStore,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sandboxForTest } from '../../../sandbox/test/support.js';
import { order, rejection } from '../../support/durable.js';
import {
  acceptsItsTransaction,
  type OnlyConnection,
  overPg,
  overPostgresJs,
} from '../../support/only-connection.js';
import { postgresSchema, postgresUrl, runInTransaction } from '../../support/postgres.js';
import { isInstalled, Servers } from '../../support/servers.js';

/** Starts PgBouncer, which hides the server process of a connection. @returns its URL */
async function throughPgBouncer(): Promise<string> {
  const servers = new Servers();
  onTestFinished(() => servers.close());
  const url = new URL(postgresUrl);
  url.port = String(await servers.pgbouncer(Number(url.port)));
  return url.href;
}

const onlyConnections: Readonly<Record<string, OnlyConnection>> = {
  pg: overPg((pool, work) => runInTransaction(pool, work as never)),
  ...(isInstalled('pgbouncer') && {
    'pg through PgBouncer': overPg((pool, work) => runInTransaction(pool, work as never), throughPgBouncer),
  }),
  'postgres.js': overPostgresJs((sql, work) => sql.begin(work as never)),
};

const key = 'order-1042';

async function postgresStore(): Promise<PaymentStore<never>> {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  const pool = new Pool({ connectionString: postgresUrl });
  onTestFinished(() => pool.end().then(removeSchema));
  const table = `${schema}.payments`;
  await pool.query(postgresPaymentsSql(table));
  return postgresPayments(pool, { table }) as never;
}

function sqliteStore(): PaymentStore<never> {
  const database = new Database(':memory:');
  database.exec(sqlitePaymentsSql());
  return sqlitePayments(database) as never;
}

const stores: Readonly<Record<string, () => PaymentStore<never> | Promise<PaymentStore<never>>>> = {
  memory: memoryPayments,
  SQLite: sqliteStore,
  ...(postgresUrl !== '' && { PostgreSQL: postgresStore }),
};

describe.each(Object.entries(stores))('a table that several merchants share, in %s', (_, open) => {
  /** Creates durable payments of a merchant with its own platform. */
  function shop(store: PaymentStore<never>, credentials?: { clientId: string; clientSecret: string }) {
    const sandbox = sandboxForTest({ seed: credentials === undefined ? 1 : 2, rateLimits: false });
    const client = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });
    const platform = credentials === undefined ? client : client.with(credentials);
    const onError = vi.fn();
    return { sandbox, onError, payments: createDurablePayments(platform, { store, onError }), platform };
  }

  test('has each payment sent by its own merchant’s worker, and reports the others’ once', async () => {
    const store = await open();
    const [a, b] = [
      shop(store),
      shop(store, { clientId: 'merchant-b', clientSecret: 'secret-of-merchant-b' }),
    ];
    await a.payments.enqueue(order, { key });
    for (let turn = 0; turn < 2; turn++) expect(await b.payments.settleDue()).toBe(0);
    expect(b.sandbox.journal.requests).toEqual([]);
    expect(await b.payments.counts()).toMatchObject([{ state: 'foreign', count: 1 }]);
    expect(b.onError.mock.calls).toEqual([
      [
        expect.objectContaining({ message: expect.stringMatching(/^1 due payments in the table belong/) }),
        { during: 'foreign' },
      ],
    ]);
    expect((await rejection(b.payments.settle(key))).code).toBe('payment_not_found');
    expect(await b.payments.cancel(key)).toBe(false);
    expect(await a.payments.settleDue()).toBe(1);
    expect(a.sandbox.ledger.chargesFor(key)).toHaveLength(1);
    expect(a.onError).not.toHaveBeenCalled();
  });

  test('counts the rows of other merchants only once, however often settleDue runs', async () => {
    const store = await open();
    const counts = vi.spyOn(store, 'counts');
    const { payments } = shop(store);
    for (let turn = 0; turn < 3; turn++) await payments.settleDue();
    expect(counts).toHaveBeenCalledOnce();
  });

  test('keeps the same key of two merchants apart', async () => {
    const store = await open();
    const [a, b] = [shop(store), shop(store)];
    const other = b.platform.with({ clientId: 'merchant-b', clientSecret: 'secret-of-merchant-b' });
    const theirs = createDurablePayments(other, { store });
    await a.payments.enqueue(order, { key });
    await theirs.enqueue({ ...order, amount: 2990 }, { key });
    expect((await a.payments.settle(key)).payment.amount).toBe(1990);
    expect(await theirs.find(key)).toMatchObject({ state: 'recorded' });
  });

  test('gives payments to new credentials of their merchant through adopt only', async () => {
    const store = await open();
    const a = shop(store);
    await a.payments.enqueue(order, { key });
    const rotated = a.platform.with({ clientId: 'rotated-client-id', clientSecret: 'rotated-client-secret' });
    const payments = createDurablePayments(rotated, { store, onError: () => {} });
    expect(await payments.find(key)).toBeUndefined();
    const { clientId } = a.platform.merchant;
    expect(await payments.adopt({ clientId })).toBe(1);
    expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
    expect(await payments.adopt({ clientId })).toBe(0);
    expect(await payments.adopt({})).toBe(0);
  });
});

test.skipIf(postgresUrl === '')(
  'an open transaction that holds a key makes create fail as not executed, and names the reason (needs POSTGRES_URL)',
  async () => {
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const pool = new Pool({ connectionString: postgresUrl });
    onTestFinished(() => pool.end().then(removeSchema));
    const table = `${schema}.payments`;
    await pool.query(postgresPaymentsSql(table));
    const sandbox = sandboxForTest();
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const payments = createDurablePayments(platform, { store: postgresPayments(pool, { table }) });
    const client = await pool.connect();
    await client.query('BEGIN');
    await payments.enqueue(order, { key, client });
    const error = await rejection(payments.create(order, { key }));
    expect(error).toMatchObject({ code: 'payment_store_failed', outcome: 'not-executed' });
    expect(error.message).toMatch(
      /^An open transaction has recorded the key order-1042 .* Nothing was recorded or sent\./,
    );
    expect(sandbox.journal.requests).toEqual([]);
    await client.query('ROLLBACK');
    client.release();
    expect(await payments.find(key)).toBeUndefined();
  },
);

describe('enqueue and observe with a transaction of another place', () => {
  test.skipIf(postgresUrl === '')(
    'are rejected for another schema or database (needs POSTGRES_URL)',
    async () => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      const there = postgresSchema();
      await createSchema();
      await there.createSchema();
      const pool = new Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
      const other = new Pool({ connectionString: postgresUrl, options: `-c search_path=${there.schema}` });
      onTestFinished(async () => {
        await Promise.all([pool.end(), other.end()]);
        await Promise.all([removeSchema(), there.removeSchema()]);
      });
      for (const each of [pool, other]) await each.query(postgresPaymentsSql('payments'));
      const platform = new PaymentPlatform(sandboxForTest().clientOptions());
      const payments = createDurablePayments(platform, {
        store: postgresPayments(pool, { table: 'payments' }),
      });
      const event = { event: 'transaction.paid', id: 'p-1', externalReference: key } as never;
      for (const act of [
        (client: never) => payments.enqueue(order, { key, client }),
        (client: never) => payments.observe(event, { client }),
      ]) {
        const client = await other.connect();
        await client.query('BEGIN');
        expect((await rejection(act(client as never))).message).toMatch(/another database or schema/);
        await client.query('ROLLBACK');
        client.release();
      }
      expect((await other.query('SELECT FROM payments')).rows).toEqual([]);
      const client = await pool.connect();
      await client.query('BEGIN');
      // The session's settings do not belong to the place.
      for (const setting of ["TIME ZONE '-03:00'", 'DateStyle = German', 'extra_float_digits = -10'])
        await client.query(`SET LOCAL ${setting}`);
      await payments.enqueue(order, { key, client });
      await client.query('COMMIT');
      client.release();
      expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
    },
  );

  test.skipIf(postgresUrl === '').each([
    ['has no free connection', () => postgresUrl],
    ['reaches no server', () => 'postgres://postgres@127.0.0.1:1/postgres'],
  ])(
    'are rejected until the store can read its own database, if its pool %s (needs POSTGRES_URL)',
    async (_, url) => {
      const there = postgresSchema();
      await there.createSchema();
      const pool = new Pool({ connectionString: url(), max: 1 });
      const other = new Pool({ connectionString: postgresUrl });
      onTestFinished(() => Promise.all([pool.end(), other.end()]).then(there.removeSchema));
      const table = `${there.schema}.payments`;
      await other.query(postgresPaymentsSql(table));
      const platform = new PaymentPlatform(sandboxForTest().clientOptions());
      const store = postgresPayments(pool, { table });
      const payments = createDurablePayments(platform, { store });
      const held = await pool.connect().catch(() => undefined);
      const inTransaction = async (work: (client: never) => Promise<unknown>) => {
        const client = await other.connect();
        await client.query('BEGIN');
        await work(client as never).finally(() => client.release(true));
      };
      const event = { event: 'transaction.paid', id: 'p-1', externalReference: key } as never;
      for (const act of [
        (client: never) => payments.enqueue(order, { key, client }),
        (client: never) => payments.observe(event, { client }),
      ]) {
        await inTransaction(async (client) => {
          const error = await rejection(act(client));
          expect(error).toMatchObject({ name: 'StoreError', code: undefined });
          expect(error.message).toMatch(
            /^The store's pool did not respond, .* Nothing was recorded\. Run the transaction again/,
          );
          expect((await (client as Pool).query(`SELECT FROM ${table}`)).rows).toEqual([]);
        });
      }
      if (held === undefined) return;
      held.release();
      await inTransaction(async (client) =>
        expect(await payments.enqueue(order, { key, client })).toMatchObject({ state: 'recorded' }),
      );
    },
  );

  test.skipIf(postgresUrl === '').each([
    ['transaction', 'SET LOCAL'],
    ['connection', 'SET'],
  ])(
    'are rejected for another search_path of the %s, even on the only connection of the pool (needs POSTGRES_URL)',
    async (_, set) => {
      const schemas = [postgresSchema(), postgresSchema()] as const;
      for (const { createSchema } of schemas) await createSchema();
      const [here, there] = schemas.map(({ schema }) => schema);
      const pool = new Pool({
        connectionString: postgresUrl,
        options: `-c search_path=${here}`,
        max: 1,
      });
      onTestFinished(async () => {
        await pool.end();
        for (const { removeSchema } of schemas) await removeSchema();
      });
      for (const schema of [here, there]) {
        await pool.query(`SET search_path = ${schema}`);
        await pool.query(postgresPaymentsSql('payments'));
      }
      await pool.query('RESET search_path');
      const platform = new PaymentPlatform(sandboxForTest().clientOptions());
      const store = postgresPayments(pool, { table: 'payments' });
      const payments = createDurablePayments(platform, { store });
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(`${set} search_path = ${there}`);
      expect((await rejection(payments.enqueue(order, { key, client }))).message).toMatch(
        /^The store's pool did not respond/,
      );
      expect((await client.query('SELECT FROM payments')).rows).toEqual([]);
      await client.query('ROLLBACK');
      client.release(true);
    },
  );

  test.skipIf(postgresUrl === '').each(Object.entries(onlyConnections))(
    'are accepted in a transaction of %s on the only connection of the store’s pool (needs POSTGRES_URL)',
    (_, open) => acceptsItsTransaction(open),
  );

  test('are rejected for another SQLite file, and accepted for another connection to the same file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payments-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const open = (name: string) => {
      const database = new Database(`${folder}/${name}`);
      database.exec(sqlitePaymentsSql());
      return database;
    };
    const [mine, same, other] = [open('a.db'), open('a.db'), open('b.db')];
    const platform = new PaymentPlatform(sandboxForTest().clientOptions());
    const payments = createDurablePayments(platform, { store: sqlitePayments(mine) });
    other.exec('BEGIN');
    expect((await rejection(payments.enqueue(order, { key, client: other }))).message).toMatch(
      /another file/,
    );
    other.exec('ROLLBACK');
    same.exec('BEGIN');
    await payments.enqueue(order, { key, client: same });
    same.exec('COMMIT');
    expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
  });
});

test.skipIf(postgresUrl === '')(
  'the SQL of PostgreSQL brings a table of an older version up to date, and its payments are sent (needs POSTGRES_URL)',
  async () => {
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const pool = new Pool({ connectionString: postgresUrl });
    onTestFinished(() => pool.end().then(removeSchema));
    const table = `${schema}.payments`;
    await pool.query(`CREATE TABLE ${table} (
      key text COLLATE "C" PRIMARY KEY, version integer NOT NULL, state text NOT NULL, revision integer NOT NULL,
      reference text NOT NULL, digest text NOT NULL, payload text, payment text, payment_id text, error text,
      attempts integer NOT NULL, in_doubt boolean NOT NULL, created_at timestamptz NOT NULL, due_at timestamptz,
      deadline timestamptz NOT NULL)`);
    const sandbox = sandboxForTest();
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const payments = createDurablePayments(platform, { store: postgresPayments(pool, { table }) });
    expect((await rejection(payments.enqueue(order, { key }))).message).toMatch(
      /has the columns of another version\. Run the SQL of postgresPaymentsSql\('.*'\), which upgrades it\./,
    );
    const memory = createDurablePayments(platform, { store: memoryPayments() });
    await memory.enqueue(order, { key });
    for (let turn = 0; turn < 2; turn++) await pool.query(postgresPaymentsSql(table));
    await payments.enqueue(order, { key });
    await pool.query(`UPDATE ${table} SET merchant = ''`);
    expect((await payments.create(order, { key })).payment.status).toBe('waiting_payment');
    expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
    expect((await pool.query(`SELECT merchant FROM ${table}`)).rows).toEqual([{ merchant: '' }]);
  },
);
