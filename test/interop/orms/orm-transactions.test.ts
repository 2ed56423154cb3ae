import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import type { WebhookEvent } from 'payment-platform';
import { postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { Pool } from 'pg';
import ts from 'typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { durable, observed, order, rejection } from '../../support/durable.js';
import { postgresSchema, postgresUrl } from '../../support/postgres.js';
import { orms } from './orms.js';

/** The function on the page about transactions of libraries. */
const page = readFileSync(new URL('../../../docs/orm-transactions.md', import.meta.url), 'utf8');
const [, sample = ''] = /^```ts\n(const repeatable.*?)^```/ms.exec(page) ?? [];
const { repeat } = (await import(
  `data:text/javascript,${encodeURIComponent(ts.transpile(sample, { target: ts.ScriptTarget.ES2022 }))}`
)) as { repeat: (transaction: () => Promise<unknown>) => Promise<unknown> };

const key = 'order-1042';
const ana = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: { number: '12345678909', type: 'cpf' },
} as const;
const event = { event: 'transaction.paid', id: 'p-1', externalReference: key, amount: 1990 } as WebhookEvent;

test.each([
  ['P2034', 3],
  ['23505', 1],
])('the function on the page runs a transaction that fails with %s %i times', async (code, times) => {
  let calls = 0;
  const fail = () => {
    calls++;
    return Promise.reject(Object.assign(new Error('again'), { code }));
  };
  expect(await rejection(repeat(fail))).toMatchObject({ code });
  expect(calls).toBe(times);
});

describe.skipIf(postgresUrl === '').each(Object.entries(orms))(
  'enqueue in a transaction of %s (needs POSTGRES_URL)',
  (name, connect) => {
    async function shop() {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const pool = new Pool({ connectionString: postgresUrl });
      const orm = await connect(postgresUrl);
      onTestFinished(() => Promise.all([pool.end(), orm.close()]).then(removeSchema));
      const table = `${schema}.payments`;
      await pool.query(`${postgresPaymentsSql(table)}CREATE TABLE ${schema}.orders (id text PRIMARY KEY)`);
      const there = durable({ store: postgresPayments(pool, { table }) as never });
      const insert = `INSERT INTO ${schema}.orders VALUES ('${key}')`;
      const orders = async () => (await pool.query(`SELECT id FROM ${schema}.orders`)).rows.length;
      return { ...there, orm, pool, table, insert, orders };
    }

    // Prisma's raw queries have another code.
    test.skipIf(name.startsWith('Prisma')).each(['40001', '40P01'])(
      'is repeated after %s by the function that the page shows',
      async (code) => {
        const { orm, payments, orders, insert } = await shop();
        let isFirst = true;
        await repeat(() =>
          orm.transaction(async (client, query) => {
            await query(insert);
            await payments.enqueue(order, { key, client: client as never });
            if (isFirst) {
              isFirst = false;
              await query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END $$`);
            }
          }),
        );
        expect(await orders()).toBe(1);
        expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
      },
    );

    test('records the payment when the transaction commits', async () => {
      const { payments, sandbox, orm, insert, orders } = await shop();
      await orm.transaction(async (client, query) => {
        await query(insert);
        await payments.enqueue(order, { key, client: client as never });
        expect(await payments.find(key)).toBeUndefined();
      });
      expect(await orders()).toBe(1);
      expect(await payments.settleDue()).toBe(1);
      expect(sandbox.ledger.charges).toMatchObject([{ externalReference: key }]);
    });

    test('records nothing when the transaction rolls back, and no customer is charged', async () => {
      const { payments, sandbox, orm, insert, orders } = await shop();
      const failure = new Error('out of stock');
      const done = orm.transaction(async (client, query) => {
        await query(insert);
        await payments.enqueue(order, { key, client: client as never });
        throw failure;
      });
      expect(await rejection(done)).toBe(failure);
      expect(await orders()).toBe(0);
      expect(await payments.find(key)).toBeUndefined();
      expect(await payments.settleDue()).toBe(0);
      expect(sandbox.ledger.charges).toEqual([]);
    });

    test('throws an error with the SQLSTATE and without personal data if a statement fails, to record or to settle', async () => {
      const { payments, orm } = await shop();
      const personal = { ...order, customer: ana };
      const { id } = (await payments.create(personal, { key: 'order-1' })).payment;
      for (const act of [
        (client: never) => payments.enqueue(personal, { key, client }),
        (client: never) => payments.observe({ ...event, id }, { client }),
      ]) {
        let thrown: unknown;
        const done = orm.transaction(async (client, query) => {
          await query('SET TRANSACTION READ ONLY');
          thrown = await rejection(act(client as never));
          throw thrown;
        });
        await rejection(done);
        expect(thrown).toMatchObject({ name: 'StoreError', code: '25006' });
        expect((thrown as Error).message).toMatch(
          /^PostgreSQL: cannot execute .* in a read-only transaction \(25006\)\.$/,
        );
        expect((thrown as Error).cause).toBeUndefined();
        const shown = inspect(thrown, { depth: 9, showHidden: true }) + JSON.stringify(thrown);
        for (const value of ['Ana Souza', 'ana@example.com', '12345678909', 'VALUES', 'FROM'])
          expect(shown).not.toContain(value);
      }
    });

    // After the loss, any further statement of postgres.js throws outside of a promise, also its ROLLBACK.
    const isPostgresJs = name.includes('postgres.js');
    test.each(isPostgresJs ? ['during'] : ['before', 'during'])(
      'throws a StoreError without personal data if the connection is lost %s a statement, to record or to settle',
      async (when) => {
        const { payments, orm, pool, table } = await shop();
        const personal = { ...order, customer: ana };
        for (const act of [
          (client: never) => payments.enqueue(personal, { key, client }),
          (client: never) => payments.observe(event, { client }),
        ]) {
          const blocker = await pool.connect();
          await blocker.query(`BEGIN; LOCK TABLE ${table}`);
          let see = (_: unknown) => {};
          const seen = new Promise<unknown>((resolve) => {
            see = resolve;
          });
          const done = orm.transaction(async (client, query) => {
            const session = `lost ${crypto.randomUUID()}`;
            await query(`SELECT set_config('application_name', '${session}', false)`);
            const processes = (also: string) =>
              pool.query(`SELECT ${also} FROM pg_stat_activity WHERE application_name = '${session}'`);
            const acting = when === 'during' ? rejection(act(client as never)) : undefined;
            const isWaiting = async () => (await processes('wait_event_type')).rows[0].wait_event_type;
            if (acting !== undefined) await expect.poll(isWaiting).toBe('Lock');
            await processes('pg_terminate_backend(pid, 5000)');
            const error = await (acting ?? rejection(act(client as never)));
            see(error);
            if (isPostgresJs) await new Promise(() => undefined);
            throw error;
          });
          await rejection(done);
          const thrown = await seen;
          await blocker.query('ROLLBACK');
          blocker.release();
          expect(thrown).toMatchObject({ name: 'StoreError', message: expect.stringMatching(/./) });
          const shown = inspect(thrown, { depth: 9, showHidden: true }) + JSON.stringify(thrown);
          for (const value of ['Ana Souza', 'ana@example.com', '12345678909', 'VALUES', 'FROM', 'SELECT'])
            expect(shown).not.toContain(value);
        }
      },
    );

    test('records a payment once if it is enqueued twice, and rejects its key for a different payment', async () => {
      const { payments, sandbox, orm } = await shop();
      await orm.transaction(async (client) => {
        const first = await payments.enqueue(order, { key, client: client as never });
        expect(await payments.enqueue(order, { key, client: client as never })).toEqual(first);
        const other = payments.enqueue(
          { ...order, amount: 5 * order.amount },
          { key, client: client as never },
        );
        expect(await rejection(other)).toMatchObject({ name: 'IdempotencyConflictError' });
      });
      await payments.settleDue();
      expect(sandbox.ledger.charges).toHaveLength(1);
    });

    test('settles a payment by its notification only if the transaction commits', async () => {
      const { payments, sandbox, orm, reported } = await shop();
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      await rejection(payments.create(order, { key }));
      for (const end of ['rollback', 'commit'] as const) {
        const done = orm.transaction(async (client) => {
          expect(await observed(payments, event, { client: client as never })).toMatchObject({
            state: 'settled',
          });
          if (end === 'rollback') throw new Error(end);
        });
        await done.catch(() => undefined);
        expect(await payments.find(key)).toMatchObject({ state: end === 'commit' ? 'settled' : 'unknown' });
      }
      // The event fires once per transaction, because the merchant's hook runs before the transaction ends.
      expect(reported.settled).toHaveLength(2);
      expect(reported.errors).toEqual([]);
    });

    test('names the function that returns the SQL if the table is missing', async () => {
      const { orm, pool } = await shop();
      const { payments } = durable({ store: postgresPayments(pool, { table: 'missing_payments' }) as never });
      const done = orm.transaction((client) => payments.enqueue(order, { key, client: client as never }));
      expect((await rejection(done)).message).toMatch(
        /^Table missing_payments is in no schema .* postgresPaymentsSql\('missing_payments'\) once.*\(42P01\)\.$/,
      );
    });

    test('is rejected if the transaction has ended, or if the connection has no transaction', async () => {
      const { payments, orm } = await shop();
      let ended: unknown;
      await orm.transaction(async (client) => {
        ended = client;
      });
      for (const client of [ended, orm.root]) {
        await rejection(payments.enqueue(order, { key, client: client as never }));
        await rejection(payments.observe(event, { client: client as never }));
        expect(await payments.find(key)).toBeUndefined();
      }
      expect(await rejection(payments.enqueue(order, { key, client: orm.root as never }))).toMatchObject({
        name: 'ValidationError',
        issues: [{ path: 'options.client' }],
      });
    });
  },
);
