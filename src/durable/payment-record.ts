import type { Payment } from '../contract/payments/types.js';
import { isRecord } from '../validation/record.js';
import type { DurableState, PaymentRow, RowError } from './payment-row.js';

/** The object that a text of a row has; undefined if it has none: a row may have been changed by hand. */
export function parsedObject(text: string | null | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A recorded payment, without the payload that is sent. `Extra`: what your platform sends beyond the API document. */
export interface PaymentRecord<Extra extends object = object> {
  /** The idempotency key of every attempt. */
  readonly key: string;
  /** Where the payment stands. */
  readonly state: DurableState;
  /** The `externalId` with which it is sent: that of the payload, or else the key. */
  readonly externalId: string;
  /** The `id` of the payment, once it is known. */
  readonly paymentId: string | undefined;
  /** The payment, once it is known: its answer, its notifications, or both. */
  readonly payment: (Payment & Extra) | undefined;
  /** The last error. */
  readonly error: RowError | undefined;
  /** How many times it was taken up to be sent. */
  readonly attempts: number;
  /** Whether an attempt may have been executed whose answer is unknown. */
  readonly inDoubt: boolean;
  /** When it was recorded. */
  readonly createdAt: Date;
  /** When it is taken up next; undefined in a final state. */
  readonly dueAt: Date | undefined;
  /** When it is given up. */
  readonly deadline: Date;
}

/** What a merchant sees of a row. */
export function recordOf<Extra extends object>(
  row: PaymentRow,
  payment: (Payment & Extra) | undefined,
): PaymentRecord<Extra> {
  const { key, state, reference: externalId, attempts, inDoubt } = row;
  return {
    key,
    state,
    externalId,
    paymentId: row.paymentId ?? undefined,
    payment,
    error: parsedObject(row.error) as RowError | undefined,
    attempts,
    inDoubt,
    createdAt: new Date(row.createdAt),
    dueAt: row.dueAt === null ? undefined : new Date(row.dueAt),
    deadline: new Date(row.deadline),
  };
}
