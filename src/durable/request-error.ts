import type { DurableRequestErrorCode } from '../errors/base.js';
import { StoreError } from '../errors/store.js';
import type { RowState } from '../stores/payment-row.js';
import type { Kind } from './kind.js';
import { RecordedError, shownCode } from './recorded-error.js';
import type { DurableRecord } from './recorded-request.js';

/**
 * A withdrawal or registration is not settled, or the SDK cannot use or find its record: see `code` and
 * `record.state`. The error's `outcome` is `not-executed` only if the request was not executed and is not
 * sent again, unless another open transaction has recorded its key.
 */
export class DurableRequestError extends RecordedError<DurableRecord> {
  static override readonly kind: string = 'DurableRequestError';
  /** Always `DurableRequestError`. */
  override readonly name = 'DurableRequestError';
  /** One of `DurableRequestErrorCode`. */
  declare readonly code: DurableRequestErrorCode;
}

export function requestNotSettled(
  { noun }: Kind,
  record: DurableRecord,
  cause?: unknown,
): DurableRequestError {
  const { key, state, error, inDoubt } = record;
  const why = error === undefined ? '' : ` The last error was ${error.name}. ${error.message}`;
  const message = `The ${noun} ${key} ${state === 'failed' && inDoubt ? failedInDoubt : meanings[state]}${why}`;
  const isOver = state === 'failed' || state === 'given_up';
  const outcome = isOver && !inDoubt ? 'not-executed' : 'unknown';
  return new DurableRequestError('request_not_settled', message, {
    record,
    outcome,
    idempotencyKey: key,
    cause,
  });
}

const failedInDoubt = 'may have been executed. Check on the platform whether it was. Nothing more is sent.';

const meanings: Readonly<Record<RowState, string>> = {
  recorded: 'was not executed yet. It is sent again by run and settle.',
  blocked:
    'was not executed, because the platform rejects the credentials, the products, the address or the method. Repair the configuration. It is sent again by run and settle.',
  sending: 'has no recorded outcome: another process is sending it, or the store failed. Leave it to run.',
  unknown: 'may have been executed. Leave it to run, which sends it again with the same key.',
  settled: 'is settled, but its stored data cannot be read. It was changed, or encrypted with another key.',
  failed: 'was not executed and is not sent again.',
  given_up:
    'has ended without a known outcome. Check on the platform whether it was executed. Nothing more is sent.',
  in_doubt:
    'may have been executed, and is not sent again. Ask the platform, and then call confirm or dismiss with its key.',
};

export const requestNotFound = ({ noun }: Kind, key: string): DurableRequestError =>
  new DurableRequestError(
    'request_not_found',
    `No ${noun} is recorded under the key ${key}. Record it first, and commit your transaction.`,
    { outcome: 'not-executed', idempotencyKey: key },
  );

export const requestKeyIsHeld = ({ noun }: Kind, key: string, cause: unknown): DurableRequestError =>
  new DurableRequestError(
    'request_store_failed',
    `An open transaction has recorded the ${noun} ${key} and did not end in time. Nothing was recorded or sent. Commit or roll back that transaction, and then repeat the call with the same key.`,
    { outcome: 'not-executed', idempotencyKey: key, cause },
  );

/** The request's row can exist. */
export const requestStoreFailed = ({ noun }: Kind, key: string, cause: unknown): DurableRequestError =>
  new DurableRequestError(
    'request_store_failed',
    `${cause instanceof StoreError ? cause.message : `The store failed${shownCode(cause)} while the ${noun} ${key} was recorded or read.`} Repeat the call with the same key (${key}) and payload.`,
    { outcome: 'unknown', idempotencyKey: key, cause },
  );
