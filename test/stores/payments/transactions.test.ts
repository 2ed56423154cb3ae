import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import {
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { durable, merchant, order, rejection } from '../../support/durable.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';

const key = 'order-1';
const needsPostgres = postgresUrl === '';

describe('a durable payment in its order’s transaction', () => {
  async function table() {
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const { pool, close } = postgresPool();
    onTestFinished(() => close().then(removeSchema));
    const name = `${schema}.payments`;
    await pool.query(`${postgresPaymentsSql(name)}CREATE TABLE ${schema}.orders (id text PRIMARY KEY)`);
    return { pool, schema, name };
  }

  test.skipIf(needsPostgres)(
    'is recorded only if the pg transaction commits (needs POSTGRES_URL)',
    async () => {
      const { pool, schema, name } = await table();
      const { payments, sandbox } = durable({ store: postgresPayments(pool, { table: name }) as never });
      for (const end of ['ROLLBACK', 'COMMIT']) {
        const client = await pool.connect();
        await client.query('BEGIN');
        await client.query(`INSERT INTO ${schema}.orders VALUES ('1')`);
        expect(await payments.enqueue(order, { key, client: client as never })).toMatchObject({
          state: 'recorded',
        });
        // A second call in the same transaction finds the uncommitted row.
        expect(await payments.enqueue(order, { key, client: client as never })).toMatchObject({
          state: 'recorded',
        });
        expect(await payments.find(key)).toBeUndefined();
        expect(await payments.settleDue()).toBe(0);
        await client.query(end);
        client.release();
        expect(await payments.settleDue()).toBe(end === 'COMMIT' ? 1 : 0);
      }
      expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
    },
  );

  test.skipIf(needsPostgres)(
    'is recorded only if the postgres.js transaction commits (needs POSTGRES_URL)',
    async () => {
      const { name } = await table();
      const sql = postgres(postgresUrl);
      onTestFinished(() => sql.end());
      const { payments } = durable({ store: postgresPayments(sql, { table: name }) as never });
      const undone = sql.begin(async (client) => {
        await payments.enqueue(order, { key, client: client as never });
        throw new Error('of the shop');
      });
      expect((await rejection(undone)).message).toBe('of the shop');
      expect(await payments.settleDue()).toBe(0);
      await sql.begin((client) => payments.enqueue(order, { key, client: client as never }));
      expect(await payments.settleDue()).toBe(1);
    },
  );

  test.skipIf(needsPostgres)(
    'is claimed by only one of four processes that poll at the same time (needs POSTGRES_URL)',
    async () => {
      const { pool, name } = await table();
      const first = durable({ store: postgresPayments(pool, { table: name }) as never });
      const others = [1, 2, 3].map(() =>
        durable({
          store: postgresPayments(pool, { table: name }) as never,
          client: first.sandbox.clientOptions(),
        }),
      );
      for (let index = 0; index < 60; index++) await first.payments.enqueue(order, { key: `order-${index}` });
      const results = await Promise.all(
        [first, ...others].map(({ payments }) => payments.settleDue({ limit: 30 })),
      );
      expect(results.reduce((sum, count) => sum + count)).toBe(60);
      expect(first.sandbox.journal.requests).toHaveLength(60);
      expect(await first.payments.counts()).toEqual([]);
    },
  );

  test('is recorded only when the SQLite transaction commits, and other calls fail before that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payments-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const database = new Database(join(folder, 'payments.db'));
    onTestFinished(() => void database.close());
    database.exec(`PRAGMA busy_timeout = 20; ${sqlitePaymentsSql()}`);
    const { payments, sandbox, reported } = durable({ store: sqlitePayments(database) as never });
    for (const end of ['ROLLBACK', 'COMMIT']) {
      database.exec('BEGIN');
      await payments.enqueue(order, { key, client: database as never });
      const message = 'A transaction is open on the database of sqlitePayments';
      expect((await rejection(payments.create(order, { key: 'order-2' }))).cause).toMatchObject({
        message: expect.stringContaining(message),
      });
      expect((await rejection(payments.settleDue())).message).toContain(message);
      database.exec(end);
      expect(await payments.settleDue()).toBe(end === 'COMMIT' ? 1 : 0);
    }
    expect(sandbox.ledger.charges).toHaveLength(1);
    expect(reported.errors).toEqual([]);
  });
});

describe('a database connection that durable payments cannot use', () => {
  test.skipIf(needsPostgres)(
    'causes an error if it renames columns to PascalCase, but works with camelCase (needs POSTGRES_URL)',
    async () => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      onTestFinished(removeSchema);
      const table = `${schema}.payments`;
      const camel = postgres(postgresUrl, { transform: postgres.camel, onnotice: () => undefined });
      await camel.unsafe(postgresPaymentsSql(table));
      const { payments, sandbox } = durable({ store: postgresPayments(camel, { table }) as never });
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 400 } });
      for (let turn = 0; turn < 2; turn++)
        expect(await rejection(payments.create(order, { key }))).toMatchObject({
          record: { state: 'unknown', inDoubt: true },
        });
      await camel.end();
      const pascal = postgres(postgresUrl, { transform: postgres.pascal });
      onTestFinished(() => pascal.end());
      const other = postgresPayments(pascal, { table });
      await expect(Promise.resolve(other.find(merchant, key))).rejects.toThrow(
        'The database returned a row without merchant',
      );
    },
  );

  test.skipIf(needsPostgres)(
    'is rejected if it is a postgres.js transaction (needs POSTGRES_URL)',
    async () => {
      const sql = postgres(postgresUrl);
      onTestFinished(() => sql.end());
      await sql.begin(async (transaction) => {
        expect(() => postgresPayments(transaction as never)).toThrow(
          'A URL or a single client is not a pool.',
        );
      });
    },
  );

  test.skipIf(needsPostgres)(
    'makes a call fail within its time limit if the pool has no free connection (needs POSTGRES_URL)',
    async () => {
      const { pool, close } = postgresPool({ max: 1 });
      onTestFinished(close);
      const client = await pool.connect();
      const store = postgresPayments(pool);
      await expect(Promise.resolve(store.find('m', key))).rejects.toThrow(
        'All connections of the pool are in use (max 1)',
      );
      client.release();
    },
  );

  test.each([
    [() => sqlitePayments({ prepare() {}, exec() {} } as never), /says whether a transaction is open/],
    [
      () => postgresPayments('postgres://localhost' as never),
      /takes new Pool.* of pg.*A URL or a single client is not a pool/,
    ],
    [
      () => postgresPayments({ connect() {}, release() {} } as never),
      /A URL or a single client is not a pool/,
    ],
    [() => postgresPayments(null as never), /A URL or a single client is not a pool/],
    [
      () => postgresPayments({ connect() {} } as never, { table: 'a; DROP TABLE b' }),
      /table must be a plain name of at most 52 characters/,
    ],
    [
      () => postgresPayments({ connect() {} } as never, { tabel: 'a' } as never),
      /tabel is an unknown option/,
    ],
    [() => postgresPaymentsSql('a"b'), /takes a plain table name .*: postgresPaymentsSql\('schema\.table'\)/],
    [
      () => postgresPaymentsSql({ table: 'a.b' } as never),
      /postgresPaymentsSql takes the table's name as a string: postgresPaymentsSql\('schema\.table'\)\./,
    ],
    [() => sqlitePayments('file.db' as never), /takes an open database/],
    [() => sqlitePayments({ prepare() {} } as never), /takes an open database/],
    [() => sqlitePaymentsSql('main.a'), /takes a plain table name .*: sqlitePaymentsSql\('table'\)/],
    [() => sqlitePaymentsSql({ table: 'a' } as never), /as a string: sqlitePaymentsSql\('table'\)\./],
  ])('is rejected with an error that names a correct argument: $1', (call, message) => {
    expect(call).toThrow(message);
  });
});
