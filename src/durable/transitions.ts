import { findRank } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { isPaymentPlatformError, type PaymentPlatformError } from '../errors/base.js';
import { merchantLength, type PaymentRow, type RowChange, type RowError } from '../stores/payment-row.js';
import { isRecord, setOwn } from '../validation/record.js';
import type { Kind } from './kind.js';

/** In milliseconds. */
export interface Pauses {
  /** Each further pause is twice as long. */
  readonly retryDelay: number;
  readonly maxRetryDelay: number;
}

export function afterFailure(row: PaymentRow, error: unknown, pauses: Pauses, kind: Kind): RowChange {
  const cause = shownError(error, row.key, kind);
  const isCertain = isPaymentPlatformError(error) && error.outcome === 'not-executed' && !row.inDoubt;
  if (isCertain && (isPermanent(cause) || (kind.namesRecord && isUnknownRecord(error))))
    return ended(row, 'failed', JSON.stringify(cause));
  if (!isCertain && !kind.canRepeat) return afterDoubt(row, JSON.stringify(cause));
  const { retryAfter = 0 } = isPaymentPlatformError(error) ? error : {};
  return {
    ...unchanged(row),
    state: isCertain ? (isBlocked(cause) ? 'blocked' : 'recorded') : 'unknown',
    inDoubt: !isCertain,
    error: JSON.stringify(cause),
    dueIn: pauseAfter(row, pauses, retryAfter * 1_000),
  };
}

export const afterDeadline = (row: PaymentRow): RowChange =>
  ended(
    row,
    row.inDoubt ? 'given_up' : 'failed',
    row.error ?? ownError(row, 'deadline_passed', 'No attempt got a response before the deadline.'),
  );

export const afterDoubt = (
  row: PaymentRow,
  error = ownError(row, 'process_died', 'An attempt has no recorded outcome.'),
): RowChange => ({ ...ended(row, 'in_doubt', error), inDoubt: true });

export const dismissed = (row: PaymentRow): RowChange => ({
  ...ended(row, 'failed', ownError(row, 'dismissed', 'A person found that it was not executed.')),
  inDoubt: false,
});

/** Nothing was sent. */
export const afterStandstill = (row: PaymentRow): RowChange => ({
  ...unchanged(row),
  state: notSent(row),
  dueIn: 0,
});

/** Another process may have the encryption key. Nothing was sent. */
export const afterUnreadablePayload = (row: PaymentRow, pauses: Pauses): RowChange => ({
  ...unchanged(row),
  state: notSent(row),
  error: ownError(
    row,
    'payload_unreadable',
    'The payload was not sent. It is encrypted with a key that this process does not have.',
  ),
  dueIn: pauseAfter(row, pauses),
});

export function afterResponseWithoutId(row: PaymentRow, pauses: Pauses, { canRepeat }: Kind): RowChange {
  const error = ownError(row, 'answer_without_id', 'The response has no id.');
  if (!canRepeat) return afterDoubt(row, error);
  return { ...unchanged(row), state: 'unknown', inDoubt: true, error, dueIn: pauseAfter(row, pauses) };
}

export const afterDamage = (row: PaymentRow): RowChange =>
  ended(
    row,
    'given_up',
    ownError(row, 'payload_changed', 'The payload was not sent. It is not the recorded one.'),
  );

/** `inDoubt` is true until the platform confirms that the payment belongs to the row's key. */
export const settled = (
  { state, error }: PaymentRow,
  payment: string,
  paymentId: string | null,
  inDoubt: boolean,
): RowChange => ({
  state: 'settled',
  payment,
  paymentId,
  // A settled row has an error only if its key returned a second payment.
  error: state === 'settled' ? error : null,
  inDoubt,
  dueIn: null,
});

/** The platform may ignore the key, so another request could charge again. */
export const afterSecondPayment = (row: PaymentRow, message: string): RowChange => ({
  ...unchanged(row),
  state: 'settled',
  inDoubt: true,
  error: ownError(row, 'second_payment', message),
  dueIn: null,
});

export const cancelled = (row: PaymentRow): RowChange =>
  ended(row, 'failed', ownError(row, 'cancelled', 'It was cancelled.'));

/** An earlier retry has moved the deadline, but never `refreshUntil`. */
export const reopened = (row: PaymentRow): RowChange => ({
  ...unchanged(row),
  state: row.inDoubt ? 'unknown' : 'recorded',
  dueIn: 0,
  deadlineIn: Math.round(Math.min(row.deadline, row.refreshUntil ?? row.deadline) - row.createdAt),
});

/** The later status wins, and no field is lost. */
export function mergePayments(known: Payment | undefined, news: Payment): Payment {
  if (known === undefined) return { ...news };
  // An unknown status counts as older than a known one.
  const isOlder = (findRank(news.status) ?? -1) < (findRank(known.status) ?? -1);
  return (isOlder ? mergeFields(news, known) : mergeFields(known, news)) as Payment;
}

/**
 * A notification about a boleto has its line but not its URL, for example. Null and missing fields replace
 * nothing, and only an object replaces an object.
 */
function mergeFields(older: object, newer: object): object {
  const merged: Record<string, unknown> = { ...older };
  for (const [name, value] of Object.entries(newer)) {
    const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (value === null || value === undefined) continue;
    if (!isRecord(known)) setOwn(merged, name, value);
    else if (isRecord(value)) setOwn(merged, name, mergeFields(known, value));
  }
  return merged;
}

const notSent = ({ inDoubt }: PaymentRow) => (inDoubt ? 'unknown' : 'recorded');

const unchanged = ({ payment, paymentId, error, inDoubt }: PaymentRow) => ({
  payment,
  paymentId,
  error,
  inDoubt,
});

const ended = (row: PaymentRow, state: 'failed' | 'given_up' | 'in_doubt', error: string): RowChange => ({
  ...unchanged(row),
  state,
  error,
  dueIn: null,
});

const ownError = ({ merchant }: PaymentRow, code: string, message: string): string => {
  const name = merchant.length > merchantLength ? 'DurableRequestError' : 'DurablePaymentError';
  return JSON.stringify({ name, code, message } satisfies RowError);
};

/** A foreign error is replaced, because it could contain something secret or personal. */
function shownError(error: unknown, key: string, { advice = ['', ''] }: Kind): RowError {
  if (!isPaymentPlatformError(error))
    return {
      name: 'Error',
      code: 'unexpected_error',
      message: 'The call failed with an error that this package does not know.',
    };
  const { name, code, message, status } = error;
  const [ofCall, ofRecord] = advice;
  return { name, code, message: message.replace(ofCall.replace('{key}', key), ofRecord), status };
}

/**
 * Checks whether the platform would reject the same payload again. Any other status can be about credentials,
 * limits or an outage: a gateway without a route responds with 404, for example.
 */
const isPermanent = ({ name, status = 0 }: RowError): boolean =>
  name === 'ValidationError' || name === 'IdempotencyConflictError' || payloadStatuses.has(status);

/** A gateway without a route has no code of the platform. */
const isUnknownRecord = ({ status, body }: PaymentPlatformError): boolean =>
  status === 404 && body?.code !== undefined;

/**
 * The statuses that are about the payload: its data, size, type or meaning. A payment ends with them if it
 * was certainly not executed.
 */
export const payloadStatuses: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Statuses that end without anybody's help. */
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Errors that only a person can repair. The payment outlives them, because the person may do so in time. */
export const isBlocked = ({ code, status = 0 }: Pick<RowError, 'code' | 'status'>): boolean =>
  code === 'token_request_failed' ||
  (status >= 400 && status < 500 && !payloadStatuses.has(status) && !passingStatuses.has(status));

/**
 * Jitter shortens the pause by up to half. The pause ends just after the deadline at the latest, even if the
 * platform requires a longer one.
 */
function pauseAfter(row: PaymentRow, { retryDelay, maxRetryDelay }: Pauses, least = 0): number {
  const doublings = Math.min(Math.max(0, row.attempts - 1), 40);
  const pause = Math.min(retryDelay * 2 ** doublings, maxRetryDelay) * (0.5 + Math.random() / 2);
  return Math.min(Math.round(Math.max(pause, least)), Math.max(row.deadline - row.now, 0) + 1);
}
