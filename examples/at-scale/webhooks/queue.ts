import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { milliseconds } from '../settings.js';
import type { DeadLetter, Delivery } from './delivery.js';

const week = 7 * 24 * 3_600;

/** Retries of a job, and how long BullMQ remembers a finished one: as long as the receiver remembers its delivery. */
const defaultJobOptions: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: milliseconds('RETRY_DELAY', 5_000), jitter: 0.5 },
  removeOnComplete: { age: week },
  removeOnFail: false,
};

export const eventsQueue = 'payment-events';

export const openEvents = (connection: Redis) =>
  new Queue<Delivery>(eventsQueue, { connection, defaultJobOptions });

/** Opens the queue of events that failed at every attempt. No worker reads it: repair the cause, and replay them. */
export const openDeadLetters = (connection: Redis) =>
  new Queue<DeadLetter>('payment-events-dead', { connection });
