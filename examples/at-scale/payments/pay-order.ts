import { isPaymentPlatformError, type Payment, type PaymentPlatform } from 'payment-platform';
import type { Pool } from 'pg';
import { milliseconds } from '../settings.js';
import { isSettled, type Order } from './orders.js';

/**
 * Brings an order to a known state, as often as it is called and whoever died in it before: every attempt
 * carries the key and the body that were stored with the order. Rejects if it should be tried again.
 */
export async function payOrder(pool: Pool, platform: PaymentPlatform, orderId: string): Promise<void> {
  const { rows } = await pool.query<Order>('SELECT * FROM orders WHERE id = $1', [orderId]);
  const [order] = rows;
  if (order === undefined) throw new Error(`There is no order ${orderId}.`);
  if (isSettled(order.status)) return;

  // Written before anything is sent: from here on a crash may leave a payment behind.
  await move(pool, order, 'sending');
  try {
    await settle(pool, order, await askFor(platform, order));
  } catch (error) {
    if (!isPaymentPlatformError(error)) throw error;
    const isFirst = order.status === 'placed';
    // Refused before it is sent, at this attempt as at every other; or by the platform, at the only attempt.
    if (error.name === 'ValidationError' || (error.name === 'BadRequestError' && isFirst))
      return move(pool, order, 'rejected', error.message);
    // After an attempt whose end nobody saw, 'not-executed' is said of this attempt only.
    await move(
      pool,
      order,
      error.outcome === 'not-executed' && isFirst ? 'placed' : 'unknown',
      error.message,
    );
    throw error;
  }
}

/** The payment of an order, which its key makes the only one. */
function askFor(platform: PaymentPlatform, { status, payment, idempotency_key }: Order): Promise<Payment> {
  const idempotencyKey = idempotency_key;
  if (status !== 'unknown') return platform.payments.create(payment, { idempotencyKey });
  // The platform may answer 409 for a while: ask for as long as a job may take, and not longer.
  return platform.payments.reconcile(payment, {
    idempotencyKey,
    interval: milliseconds('RECONCILE_INTERVAL', 2_000),
    timeout: milliseconds('RECONCILE_TIMEOUT', 60_000),
  });
}

const open = `status NOT IN ('created', 'rejected')`;

/** Two workers may have the same order; what is settled stays settled. */
async function move(pool: Pool, { id }: Order, status: Order['status'], reason?: string): Promise<void> {
  await pool.query(
    `UPDATE orders SET status = $2, reason = $3, changed_at = now() WHERE id = $1 AND ${open}`,
    [id, status, reason],
  );
}

async function settle(pool: Pool, { id }: Order, payment: Payment): Promise<void> {
  await pool.query(
    `UPDATE orders SET status = 'created', payment_id = $2, payment_status = $3, reason = NULL, changed_at = now()
     WHERE id = $1 AND ${open}`,
    [id, payment.id, payment.status],
  );
}
