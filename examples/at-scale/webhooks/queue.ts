import { createHash } from 'node:crypto';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { WebhookEvent } from 'payment-platform/webhooks';
import { milliseconds } from '../settings.js';

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
  new Queue<WebhookEvent>(eventsQueue, { connection, defaultJobOptions });

/** An event that could not be handled, with the reason. */
export interface DeadLetter {
  readonly event: WebhookEvent;
  readonly reason: string;
}

/** Opens the queue of events that failed at every attempt. No worker reads it: repair the cause, and add them again. */
export const openDeadLetters = (connection: Redis) =>
  new Queue<DeadLetter>('payment-events-dead', { connection });

/**
 * Computes a job's id from its delivery. If a process dies after it enqueued a delivery, the next delivery gets the
 * same job. The id is a digest, because BullMQ rejects ids with a colon.
 */
export const toJobId = (deliveryId: string) =>
  `delivery-${createHash('sha256').update(deliveryId).digest('hex')}`;
