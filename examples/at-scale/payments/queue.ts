import PgBoss from 'pg-boss';
import { milliseconds } from '../settings.js';

export const paymentsQueue = 'payments';

export interface PaymentJob {
  /** The payment's key, which is the order's id. */
  readonly key: string;
}

const seconds = (name: string, standard: number) => Math.max(1, milliseconds(name, standard * 1_000) / 1_000);

/** Opens the queue of payments, and creates it if it does not exist. */
export async function startQueue(connectionString: string): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString,
    maintenanceIntervalSeconds: seconds('MAINTENANCE_INTERVAL', 30),
  });
  boss.on('error', (error) => console.error('the queue:', error.message));
  await boss.start();
  await boss.createQueue(paymentsQueue, {
    name: paymentsQueue,
    policy: 'standard',
    expireInSeconds: seconds('JOB_EXPIRY', 120), // how long a dead worker keeps a job
    retryLimit: 10,
    retryDelay: seconds('RETRY_DELAY', 5),
    retryBackoff: true,
  });
  return boss;
}
