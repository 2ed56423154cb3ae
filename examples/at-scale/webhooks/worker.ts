// Handles notifications. Run any number of workers. Each can die at any moment.
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { milliseconds, required } from '../settings.js';
import type { Delivery } from './delivery.js';
import { handleEvent } from './handle-event.js';
import { eventsQueue, openDeadLetters } from './queue.js';

const connection = new Redis(required('REDIS_URL'), { maxRetriesPerRequest: null });
const pool = new Pool({ connectionString: required('POSTGRES_URL') });
pool.on('error', (error) => console.error('a connection was lost:', error.message));
const deadLetters = openDeadLetters(connection);

/** Stores a dead letter under the job's id, so that a job has at most one, with its latest reason. */
async function addDeadLetter({ id = '', name, data }: Job<Delivery>, reason: string): Promise<void> {
  await deadLetters.remove(id);
  await deadLetters.add(name, { ...data, reason }, { jobId: id });
}

const worker = new Worker<Delivery>(
  eventsQueue,
  async (job) => {
    try {
      await handleEvent(pool, job.data.event);
      if (job.attemptsStarted > 1) await deadLetters.remove(job.id ?? ''); // a replay has repaired it
    } catch (error) {
      // Stored before the job fails. If the process dies in between, the job runs again.
      if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await addDeadLetter(job, String(error));
      throw error;
    }
  },
  {
    connection,
    concurrency: 10,
    lockDuration: milliseconds('LOCK_DURATION', 30_000), // how long a dead worker keeps a job
    stalledInterval: milliseconds('STALLED_INTERVAL', 30_000),
    maxStalledCount: 10, // with the default of 1, a job fails after two restarts
  },
);

// If workers keep dying during a job, BullMQ fails the job without calling the function above.
worker.on('failed', (job, error) => {
  if (job !== undefined && /stalled/.test(error.message))
    addDeadLetter(job, error.message).catch((failure) => console.error('no dead letter:', failure));
});
worker.on('error', (error) => console.error('the queue:', error.message));

await worker.waitUntilReady();
console.log('ready');
