// Pays orders. Run any number of workers. Each can die at any moment.
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

/** Checks whether the payment has ended (failed or given up), so that another job is useless. */
const isFinal = (error: unknown) =>
  error instanceof DurablePaymentError && error.record !== undefined && error.record.dueAt === undefined;

await boss.work<PaymentJob>(paymentsQueue, { batchSize: 20, pollingIntervalSeconds: 0.5 }, (jobs) =>
  Promise.all(
    jobs.map(async ({ id, data }) => {
      // Each job is completed separately. Otherwise a failed job would repeat the whole batch.
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

// Settles payments whose job was lost or has no attempts left.
const report = (error: Error) => console.error('settleDue:', error.message);
setInterval(() => payments.settleDue().catch(report), milliseconds('SETTLE_DUE_EVERY', 60_000));

console.log('ready');
