import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import type { Pool } from 'pg';
import postgres from 'postgres';
import { expect, onTestFinished } from 'vitest';
import { sandboxForTest } from '../../sandbox/test/support.js';
import { order } from './durable.js';
import { postgresPool, postgresSchema, postgresUrl } from './postgres.js';

type Transact<Own> = (pool: Own, work: (client: never) => Promise<unknown>) => PromiseLike<unknown>;

/** Creates a pool with one connection, and a function that runs work in a transaction on it. */
export const overPg =
  (transact: Transact<Pool>, connect = async () => postgresUrl) =>
  async () => {
    const { pool, close } = postgresPool({ connectionString: await connect(), max: 1 });
    onTestFinished(close);
    return { only: pool, inTransaction: (work: (client: never) => Promise<unknown>) => transact(pool, work) };
  };

/** Does the same with postgres.js. */
export const overPostgresJs = (transact: Transact<postgres.Sql>) => async () => {
  const sql = postgres(postgresUrl, { max: 1 });
  onTestFinished(() => sql.end());
  return { only: sql, inTransaction: (work: (client: never) => Promise<unknown>) => transact(sql, work) };
};

/** A store's pool that has only one connection. */
export type OnlyConnection = () => Promise<{
  readonly only: unknown;
  readonly inTransaction: (work: (client: never) => Promise<unknown>) => PromiseLike<unknown>;
}>;

const key = 'order-1042';

/** Enqueues a payment in a transaction on the only connection of the store's pool. */
export async function acceptsItsTransaction(open: OnlyConnection): Promise<void> {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  const { pool, close } = postgresPool();
  onTestFinished(() => close().then(removeSchema));
  const table = `${schema}.payments`;
  await pool.query(postgresPaymentsSql(table));
  const { only, inTransaction } = await open();
  const platform = new PaymentPlatform(sandboxForTest().clientOptions());
  const payments = createDurablePayments(platform, { store: postgresPayments(only as never, { table }) });
  await inTransaction((client) => payments.enqueue(order, { key, client }));
  expect((await pool.query(`SELECT key FROM ${table}`)).rows).toEqual([{ key }]);
}
