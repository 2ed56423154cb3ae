// Works on notifications. Run as many as you like; any of them may die at any moment.
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { WebhookEvent } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { milliseconds, required } from '../settings.js';
import { handleEvent } from './handle-event.js';
import { eventsQueue, openDeadLetters } from './queue.js';

const connection = new Redis(required('REDIS_URL'), { maxRetriesPerRequest: null });
const pool = new Pool({ connectionString: required('POSTGRES_URL') });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const deadLetters = openDeadLetters(connection);

/** With the id of the job: who does it twice, because somebody died in between, does it once. */
const bury = (job: Job<WebhookEvent>, reason: string) =>
  deadLetters.add(job.name, { event: job.data, reason }, { jobId: job.id as string });

const worker = new Worker<WebhookEvent>(
  eventsQueue,
  async (job) => {
    try {
      await handleEvent(pool, job.data);
    } catch (error) {
      // Before the job counts as failed, so that a process that dies here repeats it.
      if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await bury(job, String(error));
      throw error;
    }
  },
  {
    connection,
    concurrency: 10,
    lockDuration: milliseconds('LOCK_DURATION', 30_000), // so long is a job left to a worker that died
    stalledInterval: milliseconds('STALLED_INTERVAL', 30_000),
    maxStalledCount: 10, // a job is not to blame for each worker that is stopped; the default is 1
  },
);

// A job whose workers die again and again is failed by BullMQ itself, outside of the function above.
worker.on('failed', (job, error) => {
  if (job !== undefined && /stalled/.test(error.message))
    bury(job, error.message).catch((failure) => console.error('no dead letter:', failure));
});
worker.on('error', (error) => console.error('the queue:', error.message));

await worker.waitUntilReady();
console.log('ready');
