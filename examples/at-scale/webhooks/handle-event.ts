import type { WebhookEvent } from 'payment-platform/webhooks';
import type { Pool } from 'pg';

/**
 * What a notification means for this shop. A job runs again when its worker died in it, so each effect
 * carries a key: here it is the order, whose shipment there is once.
 */
export async function handleEvent(pool: Pool, event: WebhookEvent): Promise<void> {
  if (event.event !== 'transaction.paid') return;
  // An order that is unknown breaks the foreign key. The job fails, and ends among the dead letters.
  await pool.query(
    `INSERT INTO shipments (order_id, payment_id) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING`,
    [event.externalReference, event.id],
  );
}
