import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import { createRetriedQueue, startBoss } from '../boss.js';

/** What follows a payment. Each task has a queue of the same name. */
export const tasks = ['mail', 'invoice', 'shipping'] as const;
export type Task = (typeof tasks)[number];

export interface TaskJob {
  readonly order: string;
}

/** Opens the tasks' queues, and creates them if they do not exist. */
export async function startQueues(connectionString: string): Promise<PgBoss> {
  const boss = await startBoss(connectionString);
  for (const task of tasks) await createRetriedQueue(boss, task);
  return boss;
}

/**
 * Marks an order as paid and sends its tasks, in the receiver's transaction: all of it is saved, or nothing. Another
 * event of an order that is already paid sends no tasks.
 */
export async function markAsPaid(client: PoolClient, boss: PgBoss, order = ''): Promise<void> {
  const orm = drizzle(client); // Drizzle on the connection of the receiver's transaction
  const { rows } = await orm.execute(sql`SELECT paid_at FROM orders WHERE id = ${order} FOR UPDATE`);
  if (rows[0] === undefined) throw new Error(`The order ${order} does not exist.`); // the platform resends
  if (rows[0].paid_at !== null) return;
  await orm.execute(sql`UPDATE orders SET paid_at = now() WHERE id = ${order}`);
  const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
  for (const task of tasks) {
    const id = await boss.send(task, { order } satisfies TaskJob, { db });
    if (id === null) throw new Error(`The queue ${task} does not exist.`); // pg-boss throws no error
  }
}
