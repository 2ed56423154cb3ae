import {
  eventOfStatus,
  type NotifiedStatus,
  statusUpdated,
  type WebhookEvent,
} from '../../contract/events.js';

/**
 * How far a transaction has come. A notification with a lower rank than the last one is older. Equal ranks
 * pass in any order: a payment that was refused or expired may still be paid, and a chargeback may follow a
 * refund.
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

/** A transaction and the rank of its state. */
export interface TransactionState {
  readonly id: string;
  readonly rank: number;
}

/** The rank of each event. */
const ranks = new Map<unknown, number>(
  Object.entries(statusRanks).map(([status, rank]) => [eventOfStatus(status), rank]),
);

/** The state that a notification tells of; undefined if it has no id, or an unknown state. */
export function stateOf(event: WebhookEvent): TransactionState | undefined {
  const { id, status } = event as { id?: unknown; status?: unknown };
  const name: string = event.event;
  const rank = ranks.get(name === statusUpdated ? eventOfStatus(String(status)) : name);
  return typeof id === 'string' && id !== '' && rank !== undefined ? { id, rank } : undefined;
}
