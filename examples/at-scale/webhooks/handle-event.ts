import type { WebhookEvent } from 'payment-platform/webhooks';
import type { Pool } from 'pg';

/**
 * Ships a paid order. A job runs again if its worker dies, so each effect needs a key: here, the order can have
 * only one shipment.
 */
export async function handleEvent(pool: Pool, event: WebhookEvent): Promise<void> {
  if (event.event !== 'transaction.paid') return;
  // An unknown order violates the foreign key. The job fails, and becomes a dead letter.
  await pool.query(
    `INSERT INTO shipments (order_id, payment_id) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING`,
    [event.externalReference, event.id],
  );
}
