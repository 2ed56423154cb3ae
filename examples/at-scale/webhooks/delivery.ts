import { createHash } from 'node:crypto';
import type { WebhookEvent } from 'payment-platform/webhooks';

/** The data of an inbox job. */
export interface Delivery {
  /** `delivery.id`: the same for each delivery of a notification, and the key for `replay.ts`. */
  readonly id: string;
  readonly event: WebhookEvent;
}

/** An event that could not be handled, with the reason of its last attempt. */
export interface DeadLetter extends Delivery {
  readonly reason: string;
}

/**
 * Computes a job's id from its delivery. If a process dies after it enqueued a delivery, the next delivery gets the
 * same job. The id is a digest, because BullMQ rejects ids with a colon.
 */
export const toJobId = (deliveryId: string) =>
  `delivery-${createHash('sha256').update(deliveryId).digest('hex')}`;

/** Does the same for pg-boss, whose ids are UUIDs. */
export const toJobUuid = (deliveryId: string) =>
  createHash('sha256')
    .update(deliveryId)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
