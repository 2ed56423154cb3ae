// Pays orders. Run as many as you like; any of them may die at any moment.
import { PaymentPlatform } from 'payment-platform';
import { DurablePaymentError } from 'payment-platform/durable';
import { Pool } from 'pg';
import { milliseconds, required } from '../settings.js';
import { openPayments } from './payments.js';
import { type PaymentJob, paymentsQueue, startQueue } from './queue.js';

const connectionString = required('POSTGRES_URL');
const pool = new Pool({ connectionString });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const boss = await startQueue(connectionString);
// Base URL and credentials come from PAYMENT_PLATFORM_BASE_URL, _CLIENT_ID and _CLIENT_SECRET.
const payments = openPayments(new PaymentPlatform(), pool);

/** Whether another job would change nothing: the payment has failed, or was given up. */
const isFinal = (error: unknown) =>
  error instanceof DurablePaymentError && error.record !== undefined && error.record.dueAt === undefined;

await boss.work<PaymentJob>(paymentsQueue, { batchSize: 20, pollingIntervalSeconds: 0.5 }, (jobs) =>
  Promise.all(
    jobs.map(async ({ id, data }) => {
      // Each job on its own: otherwise one that fails would repeat the others of its batch.
      try {
        await payments.settle(data.key);
        await boss.complete(paymentsQueue, id);
      } catch (error) {
        if (isFinal(error)) await boss.complete(paymentsQueue, id);
        else await boss.fail(paymentsQueue, id, { reason: String(error) });
      }
    }),
  ),
);

// Payments whose job was lost, or has no attempts left.
const report = (error: Error) => console.error('settleDue:', error.message);
setInterval(() => payments.settleDue().catch(report), milliseconds('SETTLE_DUE_EVERY', 60_000));

console.log('ready');
