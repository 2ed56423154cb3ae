import type { Payment } from '../contract/payments/types.js';
import type { DurableState, PaymentRow } from '../stores/payment-row.js';
import { type RecordedRequest, toRecordedRequest } from './recorded-request.js';

/**
 * The recorded state of a payment, without the payload. `Extra` is the type of the fields that your platform
 * sends beyond the API docs.
 */
export interface PaymentRecord<Extra extends object = object> extends RecordedRequest {
  /** The payment's state. */
  readonly state: DurableState;
  /** The `externalId` that is sent: the payload's `externalId`, or else the idempotency key. */
  readonly externalId: string;
  /** The payment's `id`, if known. */
  readonly paymentId: string | undefined;
  /** The payment, if known, from its response, its notifications, or both. */
  readonly payment: (Payment & Extra) | undefined;
  /** Until when `refresh` asks the platform for the status. */
  readonly refreshUntil: Date;
}

export const toRecord = <Extra extends object>(
  row: PaymentRow,
  payment: (Payment & Extra) | undefined,
): PaymentRecord<Extra> => ({
  ...toRecordedRequest(row),
  // No payment is in doubt as a state.
  state: row.state as DurableState,
  externalId: row.reference,
  paymentId: row.paymentId ?? undefined,
  payment,
  refreshUntil: new Date(row.refreshUntil ?? row.deadline),
});
