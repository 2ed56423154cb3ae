import { createHash } from 'node:crypto';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { WebhookEvent } from 'payment-platform/webhooks';
import { milliseconds } from '../settings.js';

const week = 7 * 24 * 3_600;

/** How a job is tried again, and how long a finished one is remembered: as long as the receiver remembers it. */
const defaultJobOptions: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: milliseconds('RETRY_DELAY', 5_000), jitter: 0.5 },
  removeOnComplete: { age: week },
  removeOnFail: false,
};

export const eventsQueue = 'payment-events';

export const openEvents = (connection: Redis) =>
  new Queue<WebhookEvent>(eventsQueue, { connection, defaultJobOptions });

/** An event that could not be handled, and why. */
export interface DeadLetter {
  readonly event: WebhookEvent;
  readonly reason: string;
}

/** Where events stay that failed at every attempt. Nobody works on it by itself: look, repair, and add them again. */
export const openDeadLetters = (connection: Redis) =>
  new Queue<DeadLetter>('payment-events-dead', { connection });

/**
 * The id of the job of a delivery. A delivery that is enqueued again, because a process died before it said
 * that it had been, is the same job. BullMQ takes no ':' in an id, so it is a digest.
 */
export const jobIdOf = (deliveryId: string) =>
  `delivery-${createHash('sha256').update(deliveryId).digest('hex')}`;
