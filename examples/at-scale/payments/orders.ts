import { randomUUID } from 'node:crypto';
import type { CreatePayment } from 'payment-platform';
import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import { paymentsQueue } from './queue.js';

/**
 * - `placed`: nothing was sent yet.
 * - `sending`: sent, or about to be. A worker that dies leaves the order so.
 * - `unknown`: the platform may have charged. The same key goes on until it is known.
 * - `created`: there is a payment; `payment_status` says the rest.
 * - `rejected`: the platform refused the order itself, and nothing was charged.
 */
export type OrderStatus = 'placed' | 'sending' | 'unknown' | 'created' | 'rejected';

export const isSettled = (status: OrderStatus) => status === 'created' || status === 'rejected';

export interface Order {
  readonly id: string;
  /** A UUID, made with the order and never changed. Every attempt to pay the order carries it. */
  readonly idempotency_key: string;
  /** The body of the payment, stored so that every attempt sends the same. It has no PAN and no CVV. */
  readonly payment: CreatePayment;
  readonly status: OrderStatus;
}

/** For your migrations. */
export const ordersSql = `
CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY,
  idempotency_key uuid NOT NULL UNIQUE,
  payment jsonb NOT NULL,
  status text NOT NULL DEFAULT 'placed',
  payment_id uuid,
  payment_status text,
  reason text,
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS orders_open ON orders (changed_at) WHERE status NOT IN ('created', 'rejected');
CREATE TABLE IF NOT EXISTS shipments (
  order_id text PRIMARY KEY REFERENCES orders,
  payment_id uuid NOT NULL
);
`;

/** Stores an order and its job in one transaction: there is never one without the other. */
export async function placeOrder(
  pool: Pool,
  boss: PgBoss,
  id: string,
  payment: CreatePayment,
): Promise<void> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO orders (id, idempotency_key, payment) VALUES ($1, $2, $3)', [
      id,
      randomUUID(),
      { ...payment, externalId: id },
    ]);
    const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
    await boss.send(paymentsQueue, { orderId: id }, { db });
    await client.query('COMMIT');
    isBroken = false;
  } finally {
    // A connection that failed is closed, which is a ROLLBACK.
    client.release(isBroken);
  }
}
