import Database from 'libsql';
import type { WebhookEvent } from 'payment-platform';
import {
  memoryPayments,
  type PostgresTransaction,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { durable, observed, order, rejection } from '../../support/durable.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';
import { isInstalled, Servers } from '../../support/servers.js';

const key = 'order-1042';
const event = { event: 'transaction.paid', id: 'p-1', externalReference: key, amount: 1990 } as WebhookEvent;

/** Expects both methods to reject the `client` option with this message and to record nothing. */
async function expectRejected(
  { payments, sandbox }: ReturnType<typeof durable>,
  client: unknown,
  why: string,
) {
  for (const call of [
    () => payments.enqueue(order, { key, client: client as never }),
    () => payments.observe(event, { client: client as never }),
  ])
    expect(await rejection(call())).toMatchObject({
      name: 'ValidationError',
      outcome: 'not-executed',
      issues: [{ path: 'options.client', message: expect.stringContaining(why) }],
    });
  expect(await payments.find(key)).toBeUndefined();
  expect(await payments.settleDue()).toBe(0);
  expect(sandbox.ledger.charges).toEqual([]);
}

const connections = [
  ['directly', postgresUrl !== '', async () => postgresUrl],
  [
    'through PgBouncer in transaction mode',
    postgresUrl !== '' && isInstalled('pgbouncer'),
    async (servers: Servers) => {
      const url = new URL(postgresUrl);
      url.port = String(await servers.pgbouncer(Number(url.port)));
      return url.href;
    },
  ],
] as const;

describe.each(connections)(
  'durable payments with PostgreSQL, connected %s (needs POSTGRES_URL)',
  (_, isThere, connect) => {
    let servers: Servers;
    let url = '';
    beforeAll(async () => {
      if (!isThere) return;
      servers = new Servers();
      url = await connect(servers);
    });
    afterAll(() => servers?.close());

    async function shop() {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const pool = new Pool({ connectionString: url });
      const sql = postgres(url, { onnotice: () => undefined, prepare: false });
      onTestFinished(() => Promise.all([pool.end(), sql.end()]).then(removeSchema));
      const table = `${schema}.payments`;
      await pool.query(`${postgresPaymentsSql(table)}CREATE TABLE ${schema}.orders (id text PRIMARY KEY)`);
      return {
        pool,
        sql,
        orders: `${schema}.orders`,
        ...durable({ store: postgresPayments(pool, { table }) as never }),
      };
    }

    test.skipIf(!isThere)('reject a pool as the option client, and charge no customer (row 84)', async () => {
      const there = await shop();
      for (const pool of [
        there.pool,
        there.sql,
        { query: async () => [], createQueryRunner: () => undefined },
      ])
        await expectRejected(there, pool, 'has no open transaction');
    });

    test.skipIf(!isThere)('reject a client that has no open transaction', async () => {
      const there = await shop();
      const client = await there.pool.connect();
      const reserved = await there.sql.reserve();
      try {
        for (const outside of [client, reserved])
          await expectRejected(there, outside, 'has no open transaction');
        await client.query('BEGIN');
        await client.query('COMMIT');
        await expectRejected(there, client, 'has no open transaction');
      } finally {
        client.release();
        reserved.release();
      }
    });

    test.skipIf(!isThere)('reject an option client that is not a client', async () => {
      const there = await shop();
      for (const wrong of [5, 'postgres://', {}, Promise.resolve({}), []])
        await expectRejected(there, wrong, 'is not a transaction');
      expect(
        (await rejection(there.payments.enqueue(order, { key, client: null as never }))).message,
      ).toContain('options.client');
    });

    test.skipIf(!isThere)('record nothing if the client ends its transaction before the INSERT', async () => {
      const there = await shop();
      const client = await there.pool.connect();
      onTestFinished(() => client.release());
      // Some other code left this connection in a transaction, behind an object that changes connections.
      await client.query('BEGIN');
      let statements = 0;
      const changing = {
        query: async (text: string, values?: unknown[]) => {
          statements++;
          return statements === 1 ? client.query(text, values) : there.pool.query(text, values);
        },
      };
      expect(
        await rejection(there.payments.enqueue(order, { key, client: changing as never })),
      ).toMatchObject({
        name: 'ValidationError',
      });
      await client.query('ROLLBACK');
      expect(await there.payments.find(key)).toBeUndefined();
    });

    test.skipIf(!isThere)(
      'reject a client that does not return its transaction’s state, and record nothing',
      async () => {
        const there = await shop();
        for (const rows of [[], [{}], [{ Transaction: '1' }], [{ transaction: null }]]) {
          const client = {
            query: async (text: string, values?: unknown[]) =>
              text.startsWith('SELECT txid') ? { rows } : there.pool.query(text, values),
          };
          await expectRejected(there, client, 'has no open transaction');
        }
      },
    );

    test.skipIf(!isThere)('charge only the orders whose transactions commit', async () => {
      const { pool, sql, orders, payments, sandbox } = await shop();
      const statement = `INSERT INTO ${orders} VALUES ($1)`;
      for (let index = 0; index < 20; index++) {
        const id = `order-${index}`;
        const commits = index % 2 === 0;
        if (index % 4 < 2) {
          const client = await pool.connect();
          // Some libraries send BEGIN in the same packet as the first statement.
          await client.query('BEGIN');
          await payments.enqueue(order, { key: id, client: client as never });
          await client.query(statement, [id]);
          await client.query(commits ? 'COMMIT' : 'ROLLBACK');
          client.release();
        } else {
          const done = sql.begin(async (transaction) => {
            await transaction.savepoint((inner) =>
              payments.enqueue(order, { key: id, client: inner as never }),
            );
            await transaction.unsafe(statement, [id]);
            if (!commits) throw new Error('the shop rolls back');
          });
          await done.catch(() => undefined);
        }
      }
      while ((await payments.settleDue()) > 0);
      const { rows } = await pool.query(`SELECT id FROM ${orders} ORDER BY id`);
      expect(sandbox.ledger.charges.map((charge) => charge.externalReference).sort()).toEqual(
        rows.map(({ id }) => id).sort(),
      );
      expect(rows).toHaveLength(10);
    });

    test.skipIf(!isThere)('keep a notification’s changes only if its transaction commits', async () => {
      const { pool, payments, sandbox } = await shop();
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      await rejection(payments.create(order, { key }));
      for (const end of ['ROLLBACK', 'COMMIT']) {
        const client = await pool.connect();
        await client.query('BEGIN');
        expect(await observed(payments, event, { client: client as never })).toMatchObject({
          state: 'settled',
        });
        expect(await payments.find(key)).toMatchObject({ state: 'unknown' });
        await client.query(end);
        client.release();
        expect(await payments.find(key)).toMatchObject({ state: end === 'COMMIT' ? 'settled' : 'unknown' });
      }
    });
  },
);

test.skipIf(postgresUrl === '')(
  'TypeScript accepts a client and a transaction as PostgresTransaction, and rejects pools (needs POSTGRES_URL)',
  async () => {
    const { pool, close } = postgresPool();
    const sql = postgres(postgresUrl);
    onTestFinished(() => Promise.all([close(), sql.end()]).then(() => undefined));
    const accept = (_client: PostgresTransaction) => undefined;
    const client = await pool.connect();
    accept(client);
    client.release();
    await sql.begin(async (transaction) => accept(transaction));
    // @ts-expect-error a pool of pg is not a transaction
    accept(pool);
    // @ts-expect-error the root of postgres.js is not a transaction
    accept(sql);
  },
);

describe('enqueue with SQLite', () => {
  test('rejects a database without an open transaction, and accepts one that has a transaction', async () => {
    const database = new Database(':memory:');
    onTestFinished(() => void database.close());
    database.exec(sqlitePaymentsSql());
    const there = durable({ store: sqlitePayments(database) as never });
    await expectRejected(there, database, 'has no open transaction');
    // Node before 22.16 does not report whether a transaction is open.
    await expectRejected(
      there,
      { prepare: (text: string) => database.prepare(text) },
      'has no open transaction',
    );
    await expectRejected(there, 5, 'has no open transaction');
    for (const end of ['ROLLBACK', 'COMMIT']) {
      database.exec('BEGIN');
      await there.payments.enqueue(order, { key, client: database as never });
      database.exec(end);
      expect((await there.payments.find(key))?.state).toBe(end === 'COMMIT' ? 'recorded' : undefined);
    }
  });
});

test('enqueue rejects client: undefined, because the payment would then remain after a rollback', async () => {
  const { payments } = durable();
  expect(await rejection(payments.enqueue(order, { key, client: undefined as never }))).toMatchObject({
    issues: [{ path: 'options.client', message: expect.stringContaining('is undefined') }],
  });
  expect(await payments.find(key)).toBeUndefined();
});

test('memoryPayments rejects the option client, because it has no transactions', async () => {
  await expectRejected(
    durable({ store: memoryPayments() }),
    { query: async () => [] },
    'has no transactions',
  );
});
