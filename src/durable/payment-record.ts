import type { Payment } from '../contract/payments/types.js';
import type { DurableState, PaymentRow, RowError } from '../stores/payment-row.js';
import { isRecord } from '../validation/record.js';

/**
 * Parses the JSON object in a row's column. Returns undefined if there is none, for example because somebody
 * changed the row by hand.
 */
export function parseObject(text: string | null | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The recorded state of a payment, without the payload. `Extra` is the type of the fields that your platform
 * sends beyond the API docs.
 */
export interface PaymentRecord<Extra extends object = object> {
  /** The idempotency key for every attempt. */
  readonly key: string;
  /** The payment's state. */
  readonly state: DurableState;
  /** The `externalId` that is sent: the payload's `externalId`, or else the idempotency key. */
  readonly externalId: string;
  /** The payment's `id`, if known. */
  readonly paymentId: string | undefined;
  /** The payment, if known, from its response, its notifications, or both. */
  readonly payment: (Payment & Extra) | undefined;
  /** The last error. */
  readonly error: RowError | undefined;
  /** How many times the payment was claimed for sending. */
  readonly attempts: number;
  /** Whether the platform may have executed an attempt whose outcome is unknown. */
  readonly inDoubt: boolean;
  /** When the payment was recorded. */
  readonly createdAt: Date;
  /** When the next attempt is due; undefined in a final state. */
  readonly dueAt: Date | undefined;
  /** When the SDK gives up on the payment. */
  readonly deadline: Date;
  /** Until when `refresh` asks the platform for the status. */
  readonly refreshUntil: Date;
}

export function toRecord<Extra extends object>(
  row: PaymentRow,
  payment: (Payment & Extra) | undefined,
): PaymentRecord<Extra> {
  const { key, reference: externalId, attempts, inDoubt } = row;
  // No payment is in doubt as a state.
  const state = row.state as DurableState;
  return {
    key,
    state,
    externalId,
    paymentId: row.paymentId ?? undefined,
    payment,
    error: parseObject(row.error) as RowError | undefined,
    attempts,
    inDoubt,
    createdAt: new Date(row.createdAt),
    dueAt: row.dueAt === null ? undefined : new Date(row.dueAt),
    deadline: new Date(row.deadline),
    refreshUntil: new Date(row.refreshUntil ?? row.deadline),
  };
}
