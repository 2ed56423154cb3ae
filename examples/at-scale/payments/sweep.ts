import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import { paymentsQueue } from './queue.js';

/**
 * Gives a new job to each order that nobody has touched for a while: its job ran out of attempts, or was
 * lost. Any process may do it at any time: a job too many finds the order settled, or asks with its key.
 */
export async function sweep(pool: Pool, boss: PgBoss, idle: number): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE orders SET changed_at = now() WHERE id IN (
       SELECT id FROM orders
       WHERE status NOT IN ('created', 'rejected') AND changed_at < now() - $1 * interval '1 millisecond'
       LIMIT 100 FOR UPDATE SKIP LOCKED
     ) RETURNING id`,
    [idle],
  );
  for (const { id } of rows) await boss.send(paymentsQueue, { orderId: id });
  return rows.length;
}
