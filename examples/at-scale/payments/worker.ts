// Pays orders. Run as many as you like; any of them may die at any moment.
import { PaymentPlatform } from 'payment-platform';
import { Pool } from 'pg';
import { milliseconds, required } from '../settings.js';
import { payOrder } from './pay-order.js';
import { type PaymentJob, paymentsQueue, startQueue } from './queue.js';
import { sweep } from './sweep.js';

const connectionString = required('POSTGRES_URL');
const pool = new Pool({ connectionString });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const boss = await startQueue(connectionString);
// Base URL and credentials come from PAYMENT_PLATFORM_BASE_URL, _CLIENT_ID and _CLIENT_SECRET.
const platform = new PaymentPlatform({ timeout: milliseconds('PAYMENT_TIMEOUT', 30_000) });

await boss.work<PaymentJob>(paymentsQueue, { batchSize: 20, pollingIntervalSeconds: 0.5 }, (jobs) =>
  Promise.all(
    jobs.map(async ({ id, data }) => {
      // Each job on its own: otherwise one that fails would repeat the others of its batch.
      try {
        await payOrder(pool, platform, data.orderId);
        await boss.complete(paymentsQueue, id);
      } catch (error) {
        await boss.fail(paymentsQueue, id, { reason: String(error) });
      }
    }),
  ),
);

const idle = milliseconds('SWEEP_AFTER', 10 * 60_000);
setInterval(() => {
  sweep(pool, boss, idle).catch((error) => console.error('the sweep:', error.message));
}, idle / 2);

console.log('ready');
