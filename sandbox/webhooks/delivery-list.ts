import { type OptionReaders, oneOf } from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import { type ListPart, listPartReaders, takeNewest } from '../arguments/list-part.js';
import { deliveryStates } from '../defaults/transitions.js';
import type { DeliveryAttempt, Notification } from './delivery.js';

/** A notification to an endpoint, with the outcome of its attempts. */
export interface DeliverySummary {
  /** UUID, the same for all its attempts. */
  readonly id: string;
  /** UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** The endpoint's URL at the time of the latest attempt. Before the first attempt, its current URL. */
  readonly url: string | undefined;
  /** The `event` of the body, such as `transaction.paid`. */
  readonly event: string;
  /** The payment's UUID; undefined for a delivery from an earlier version's state. */
  readonly paymentId: string | undefined;
  /** The number of attempts so far, including a repetition by the fault `duplicate`. */
  readonly attempts: number;
  /** The latest attempt's state: `pending`, `delivered` or `failed`. `pending` before the first attempt. */
  readonly state: DeliveryAttempt['state'];
  /** The HTTP status of the latest response; undefined without a response. */
  readonly status: number | undefined;
  /** Why the latest attempt got no response. */
  readonly error: string | undefined;
  /** The time of the latest attempt, ISO 8601 UTC, on the sandbox's clock; undefined before the first. */
  readonly at: string | undefined;
  /** The time of the next retry, ISO 8601 UTC, on the sandbox's clock; undefined without a retry. */
  readonly nextAttemptAt: string | undefined;
}

/** A delivery with its request. */
export interface DeliveryDetails extends DeliverySummary {
  /** The notification's body, even before the first attempt. */
  readonly body: string;
}

/** Selects the deliveries to list. */
export interface DeliveryQuery extends ListPart {
  /** Selects deliveries to the endpoint with this id. */
  endpoint?: string | undefined;
  /** Selects deliveries of this event. */
  event?: string | undefined;
  /** Selects deliveries in this state. */
  state?: DeliveryAttempt['state'] | undefined;
  /** Selects deliveries about the payment with this id. */
  payment?: string | undefined;
}

const optionReaders: OptionReaders<DeliveryQuery> = {
  ...listPartReaders,
  endpoint: aText,
  event: aText,
  state: oneOf(...deliveryStates),
  payment: aText,
};

/** By time and then by notification, so that the order does not depend on the receivers. */
export const listAttemptsInOrder = (notifications: readonly Notification[]): DeliveryAttempt[] =>
  notifications
    .flatMap(({ order, attempts }) => attempts.map((attempt) => ({ order, attempt })))
    .toSorted((one, other) => compared(one.attempt.at, other.attempt.at) || one.order - other.order)
    .map(({ attempt }) => freezeAttempt(attempt));

const compared = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** A copy, which does not change with the attempt. */
export const freezeAttempt = (attempt: DeliveryAttempt): DeliveryAttempt => Object.freeze({ ...attempt });

export function listDeliveries(
  notifications: readonly Notification[],
  query: DeliveryQuery,
  buildUrl: UrlBuilder,
): DeliverySummary[] {
  const { endpoint, event, state, payment, ...part } = readCheckedOptions(
    'webhooks.list',
    query,
    optionReaders,
  );
  const matches = (notification: Notification) =>
    (endpoint === undefined || notification.endpointId === endpoint) &&
    (event === undefined || notification.event === event) &&
    (state === undefined || findState(notification) === state) &&
    (payment === undefined || notification.paymentId === payment);
  return takeNewest(notifications, part, { noun: 'delivery', getId: ({ id }) => id, matches }).map((one) =>
    summarizeDelivery(one, buildUrl),
  );
}

export const findState = ({ attempts }: Notification): DeliveryAttempt['state'] =>
  attempts.at(-1)?.state ?? 'pending';

type UrlBuilder = (endpointId: string) => string | undefined;

export function summarizeDelivery(notification: Notification, buildUrl: UrlBuilder): DeliverySummary {
  const { id, endpointId, event, paymentId, attempts, resendAt } = notification;
  const latest = attempts.at(-1);
  return Object.freeze({
    id,
    endpointId,
    url: latest === undefined ? buildUrl(endpointId) : latest.url,
    event,
    paymentId,
    attempts: attempts.length,
    state: findState(notification),
    status: latest?.status,
    error: latest?.error,
    at: latest?.at,
    nextAttemptAt: resendAt === undefined ? undefined : new Date(resendAt).toISOString(),
  });
}

/** A delivery with another retry ahead has not failed yet. */
export const hasFailed = (notification: Notification): boolean =>
  findState(notification) === 'failed' && notification.resendAt === undefined;

/** A delivery has failed when its last retry has failed. */
export function countFailuresInARow(notifications: readonly Notification[], resends: number): number {
  let failed = 0;
  for (const { attempts } of notifications.toReversed()) {
    if (attempts.some(({ state }) => state === 'delivered')) break;
    const last = attempts.at(-1);
    if (last?.state === 'failed' && last.attempt > resends) failed += 1;
  }
  return failed;
}
