import type { DurablePayment, DurablePayments, PostgresTransaction } from 'payment-platform/durable';
import { postgresPaymentsSql } from 'payment-platform/durable';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import { type PaymentJob, paymentsQueue } from './queue.js';

/** The shop's tables and the SDK's tables, for your migrations. */
export const ordersSql = `
CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY,
  placed_at timestamptz NOT NULL DEFAULT now(),
  paid_at timestamptz
);
CREATE TABLE IF NOT EXISTS shipments (
  order_id text PRIMARY KEY REFERENCES orders,
  payment_id uuid NOT NULL
);
${postgresPaymentsSql()}
${postgresDedupeSql()}`;

/** Stores an order, its payment and its job in one transaction, so that all of them exist or none. */
export async function placeOrder(
  pool: Pool,
  boss: PgBoss,
  payments: DurablePayments<PostgresTransaction>,
  id: string,
  payment: DurablePayment,
): Promise<void> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO orders (id) VALUES ($1)', [id]);
    await payments.enqueue(payment, { key: id, client });
    const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
    await boss.send(paymentsQueue, { key: id } satisfies PaymentJob, { db });
    await client.query('COMMIT');
    isBroken = false;
  } finally {
    // Closing a failed connection rolls its transaction back.
    client.release(isBroken);
  }
}
