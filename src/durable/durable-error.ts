import type { DurableErrorCode } from '../errors/base.js';
import { StoreError } from '../errors/store.js';
import type { DurableState } from '../stores/payment-row.js';
import type { PaymentRecord } from './payment-record.js';
import { RecordedError, shownCode } from './recorded-error.js';

/**
 * A payment is not settled, its key has a second payment, or its record cannot be used: see `code` and
 * `record.state`. The error's `outcome` is `not-executed` only if the payment was not executed and is not
 * sent again, unless another open transaction has recorded its key. Otherwise it is `unknown`: call `create`
 * again with the same key and payload, or let `run` settle the payment. Before you charge with another key,
 * `cancel` the payment.
 */
export class DurablePaymentError extends RecordedError<PaymentRecord> {
  static override readonly kind: string = 'DurablePaymentError';
  /** Always `DurablePaymentError`. */
  override readonly name = 'DurablePaymentError';
  /** One of `DurableErrorCode`. */
  declare readonly code: DurableErrorCode;
}

export function notSettled(record: PaymentRecord, cause: unknown): DurablePaymentError {
  const { key, state, error, inDoubt } = record;
  const why = error === undefined ? '' : ` The last error was ${error.name}. ${error.message}`;
  const isOver = state === 'failed' || state === 'given_up';
  const meaning = state === 'failed' && inDoubt ? failedInDoubt : meanings[state];
  return new DurablePaymentError('payment_not_settled', `The payment ${key} ${meaning}${why}`, {
    record,
    outcome: isOver && !inDoubt ? 'not-executed' : 'unknown',
    idempotencyKey: key,
    cause,
  });
}

const meanings: Readonly<Record<DurableState, string>> = {
  recorded:
    'was not executed yet. It is sent again by run, settle, or create with the same key. Cancel it before you use another key.',
  blocked:
    'was not executed, because the platform rejects the credentials, the products, the address or the method. Repair the configuration. It is sent again by run, settle, or create with the same key.',
  sending:
    'has no recorded outcome: another process is sending it, or the store failed. Call create again with the same key, or leave it to run.',
  unknown: 'may have been charged. Leave it to run, or call create again with the same key.',
  settled: 'is settled, but its stored data cannot be read. It was changed, or encrypted with another key.',
  failed: 'was not executed and is not sent again.',
  given_up: 'was given up. Check on the platform whether it was charged. Nothing more is sent.',
};

/** The meaning of `failed` for a payment that was cancelled after attempts with an unknown outcome. */
const failedInDoubt = 'may have been charged. Check on the platform whether it was. Nothing more is sent.';

export const endedWithoutHook = (record: PaymentRecord): DurablePaymentError => {
  const { key, state, error, inDoubt } = record;
  const isCertain = state === 'failed' && !inDoubt;
  const remedy = isCertain
    ? 'Nothing was executed, and nothing more is sent.'
    : 'Check on the platform whether the customer was charged.';
  return new DurablePaymentError(
    'payment_not_settled',
    `The payment ${key} has ended as ${state}${error === undefined ? '' : ` (${error.code})`}. ${remedy} Pass ${state === 'failed' ? 'onFailed' : 'onGivenUp'} to handle it.`,
    { record, outcome: isCertain ? 'not-executed' : 'unknown', idempotencyKey: key },
  );
};

export const secondPayment = (record: PaymentRecord): DurablePaymentError =>
  new DurablePaymentError(
    'second_payment',
    `The key ${record.key} returned another payment than the recorded one, so the customer may have been charged twice. Compare both with the platform. refresh sends nothing more for this key.`,
    { record, outcome: 'unknown', idempotencyKey: record.key },
  );

export const secondPaid = (record: PaymentRecord): DurablePaymentError =>
  new DurablePaymentError(
    'second_payment',
    `The externalId of the key ${record.key} was paid with another payment than the recorded one, so the customer may have been charged twice. Compare both with the platform.`,
    { record, outcome: 'unknown', idempotencyKey: record.key },
  );

export const notFound = (key: string): DurablePaymentError =>
  new DurablePaymentError(
    'payment_not_found',
    `No payment is recorded under the key ${key}. Call create or enqueue first, and commit your transaction.`,
    { outcome: 'not-executed', idempotencyKey: key },
  );

export const keyIsHeld = (key: string, cause: unknown): DurablePaymentError =>
  new DurablePaymentError(
    'payment_store_failed',
    `An open transaction has recorded the key ${key} and did not end in time. Nothing was recorded or sent. Commit or roll back that transaction, which called enqueue, and then call create again with the same key.`,
    { outcome: 'not-executed', idempotencyKey: key, cause },
  );

/** The payment's row can exist. */
export const storeFailed = (key: string, cause: unknown): DurablePaymentError =>
  new DurablePaymentError(
    'payment_store_failed',
    cause instanceof StoreError
      ? `${cause.message} Call create again with the same key (${key}) and payload.`
      : `The store failed${shownCode(cause)} while the payment ${key} was recorded or read. Call create again with the same key and payload.`,
    { outcome: 'unknown', idempotencyKey: key, cause },
  );
