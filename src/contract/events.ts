import type { Payment } from './payments/types.js';
import type { Open } from './types.js';

/** The transaction events of the API document (Events). */
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

/** New types are added at any time: any other string passes. */
export type EventName = Open<TransactionEventName>;

/**
 * A notification about a transaction. Only `event` and, for boleto payments, `boleto.digitableLine`
 * are shown in the API document; that the rest is the payment's own fields is assumed, so each of
 * them is optional here, and what else comes is kept.
 */
export type TransactionEvent = {
  [Name in TransactionEventName]: { event: Name } & Partial<Payment> & { [field: string]: unknown };
}[TransactionEventName];

/** Stands for every name that is not listed above; it exists in types only. */
declare enum OtherEventName {
  Any = 'any other event name',
}

/**
 * A notification of a type this version does not know: acknowledge it, and ignore it. Its `event` is
 * a plain string; the type is narrower only so that a `switch` over `event` narrows to the known
 * types. To compare it with a new name, write `(event.event as string) === 'the.new.name'`.
 */
export interface UnknownEvent {
  event: OtherEventName;
  [field: string]: unknown;
}

export type WebhookEvent = TransactionEvent | UnknownEvent;
