import type { transitions } from '../choices/values.js';

/** What moves a payment to another status. */
export type Transition = keyof typeof transitions;

/** Every status a payment can have in the sandbox. */
export const paymentStatuses = [
  'waiting_payment',
  'in_analysis',
  'paid',
  'refused',
  'refunded',
  'chargedback',
  'cancelled',
  'expired',
] as const;

export type Status = (typeof paymentStatuses)[number];

/** A payment entered a status. */
export interface StatusChange {
  /** The status. */
  readonly status: Status;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
}
