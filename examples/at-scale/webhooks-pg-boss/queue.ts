import type PgBoss from 'pg-boss';
import { createRetriedQueue, startBoss } from '../boss.js';

export const eventsQueue = 'payment-events';

/** Opens the queue of events, and creates it if it does not exist. */
export async function startQueue(connectionString: string): Promise<PgBoss> {
  const boss = await startBoss(connectionString);
  await createRetriedQueue(boss, eventsQueue);
  return boss;
}
