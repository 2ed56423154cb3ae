import type { Payment } from './payments/types.js';
import type { Open } from './types.js';

/** The transaction events of the API docs (Events). */
export const transactionEvents = [
  'transaction.waiting_payment',
  'transaction.paid',
  'transaction.refused',
  'transaction.refunded',
  'transaction.chargedback',
  'transaction.cancelled',
  'transaction.expired',
  'transaction.in_analysis',
  'transaction.status.updated',
] as const;

export type TransactionEventName = (typeof transactionEvents)[number];

/** It arrives in addition to the specific event (API docs, Events, Transaction events). */
export const statusUpdated = 'transaction.status.updated' satisfies TransactionEventName;

export const getStatusEvent = <Status extends string>(status: Status) => `transaction.${status}` as const;

export type NotifiedStatus = {
  [Name in TransactionEventName]: Name extends typeof statusUpdated
    ? never
    : Name extends `transaction.${infer Status}`
      ? Status
      : never;
}[TransactionEventName];

/**
 * The API docs show no transitions. Assumed: a refused or expired payment can still be paid, and a chargeback
 * can follow a refund.
 */
export const statusRanks: Readonly<Record<NotifiedStatus, number>> = Object.freeze({
  waiting_payment: 0,
  in_analysis: 1,
  refused: 2,
  expired: 2,
  cancelled: 3,
  paid: 3,
  refunded: 4,
  chargedback: 4,
});

export const findRank = (status: unknown): number | undefined =>
  typeof status === 'string' && Object.hasOwn(statusRanks, status)
    ? statusRanks[status as NotifiedStatus]
    : undefined;

export const findStatus = (event: string): string | undefined =>
  Object.keys(statusRanks).find((status) => getStatusEvent(status) === event);

/** The platform can add event names at any time, so any other string is also accepted. */
export type EventName = Open<TransactionEventName>;

/**
 * A notification about a transaction (API docs, Events). Only `event` and, for boleto payments,
 * `boleto.digitableLine` are documented. The other fields are assumed to be the payment's, so each of them is
 * optional. Unknown fields are kept.
 */
export type TransactionEvent = {
  [Name in TransactionEventName]: {
    /** The event's name. The same change also arrives as `transaction.status.updated`. */
    event: Name;
  } & Partial<Payment> & { [field: string]: unknown };
}[TransactionEventName];

/** Stands for any event name that is not listed above. Exists only as a type. */
declare enum OtherEventName {
  Any = 'any other event name',
}

/**
 * A notification with an event name that this version does not know: acknowledge it, and ignore it. At run
 * time `event` is a plain string. The enum type exists only so that a `switch` over `event` narrows to the
 * known events. To compare `event` with a new name, write `(event.event as string) === 'the.new.name'`.
 */
export interface UnknownEvent {
  /** The event's name: at run time, any string that is not one of the known names. */
  event: OtherEventName;
  [field: string]: unknown;
}

export type WebhookEvent = TransactionEvent | UnknownEvent;
