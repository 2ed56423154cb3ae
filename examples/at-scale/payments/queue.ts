import type PgBoss from 'pg-boss';
import { createQueue, expireInSeconds, retries, startBoss } from '../boss.js';

export const paymentsQueue = 'payments';

export interface PaymentJob {
  /** The payment's key, which is the order's id. */
  readonly key: string;
}

/** Opens the queue of payments, and creates it if it does not exist. */
export async function startQueue(connectionString: string): Promise<PgBoss> {
  const boss = await startBoss(connectionString);
  const name = paymentsQueue;
  await createQueue(boss, { name, policy: 'standard', expireInSeconds, ...retries, retryLimit: 10 });
  return boss;
}
