import type { Replay } from '../../contract/operation.js';
import { ApiError } from '../../errors/api.js';
import { type ErrorDetails, type Outcome, type PaymentPlatformError, rawBodyOf } from '../../errors/base.js';
import type { MessageRedactor } from '../../redact/message-redactor.js';
import { type CallSpec, isRead, redactedOperation } from '../call/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import type { FailureClassification } from '../response/classify-failure.js';
import type { ResponseHead } from '../send/http-client.js';

/** Advice after an unknown outcome. `{key}` is the call's idempotency key. */
const adviceWhenUnknown: Readonly<Record<Replay, string>> = {
  natural: 'The call may have been executed. Retrying it is harmless.',
  keyed: 'The call may have been executed. Retry with the same key ({key}), not with a new one.',
  never:
    'The call may have been executed. Check whether it was before you retry: a retry could execute it twice.',
};

/** The properties of a call that determine the advice after an unknown outcome. */
interface FailedRequest {
  readonly spec: Pick<CallSpec, 'id' | 'replay' | 'adviceIfUnknown'>;
  readonly idempotencyKey: string | undefined;
  readonly repeatable: boolean;
}

/** States whether the call was executed, and what to do next. */
function adviceFor(outcome: Outcome, { spec, idempotencyKey, repeatable }: FailedRequest): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  const { replay, adviceIfUnknown } = spec;
  // If the operation needs an idempotency key, a call without one cannot be retried.
  if (replay === 'keyed' && !repeatable) return adviceWhenUnknown.never;
  return (adviceIfUnknown ?? adviceWhenUnknown[replay]).replace(
    '{key}',
    idempotencyKey ?? 'error.idempotencyKey',
  );
}

/** The parts of an error's message. */
interface Failure {
  readonly call: FailedRequest;
  readonly summary: string;
  /** Further explanations, if any. */
  readonly why?: readonly (string | undefined)[];
  /** The message of the platform or of a gateway. */
  readonly said?: string;
  /** The outcome; undefined for a read. */
  readonly outcome: Outcome | undefined;
}

/**
 * Builds an error's message: the failure, the platform's message, whether the call was executed, and the
 * remedy.
 */
export function describeFailure({ call, summary, why = [], said = '', outcome }: Failure): string {
  const advice = outcome === undefined ? '' : adviceFor(outcome, call);
  const sentences = [summary, ...why]
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/[^.!?]$/, '$&.'));
  return [`${call.spec.id}:`, ...sentences, said, advice].filter((part) => part !== '').join(' ');
}

/** Names the server that responded with a page instead of the platform's JSON. */
export function pageSummary(head: ResponseHead, redactor: MessageRedactor): string {
  const names = [head.header('server'), head.header('via')].filter(
    (name) => name !== undefined && name !== '',
  );
  const name = names.length === 0 ? '' : ` (${redactor.show(names.join(', ')).slice(0, 100)})`;
  return `a gateway or proxy${name} responded with a page (${head.status}), not the platform`;
}

/**
 * The errors of a token request that keep their class when they become the call's error. Other classes, such
 * as `NotFoundError`, would have another meaning for the call.
 */
const sharedErrors = new Set([
  'AuthenticationError',
  'RateLimitError',
  'ServerError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
]);

/**
 * Creates the error of a call that received no access token, from the token request's error.
 *
 * @param isSafe whether that error repeats no confidential value that this call sent
 */
export function tokenError(
  error: PaymentPlatformError,
  call: PreparedCall,
  own: ErrorDetails & { readonly outcome: Outcome },
  isSafe: boolean,
): PaymentPlatformError {
  const { status, requestId, retryAfter } = error;
  const why = isSafe ? error.message.replace(/\.$/, '') : `the token request failed with ${status}`;
  const outcome = isRead(call.spec) ? undefined : own.outcome;
  const message = describeFailure({ call, summary: `no access token (${why})`, outcome });
  const rawBody = rawBodyOf(error);
  const details = {
    ...redactedOperation(call.spec),
    ...own,
    requestId: isSafe ? requestId : undefined,
    body: isSafe ? error.body : undefined,
    rawBody,
    retryAfter,
    cause: isSafe ? error : undefined,
  };
  return sharedErrors.has(error.name)
    ? new (error.constructor as FailureClassification['error'])(message, { ...details, status })
    : new ApiError(message, details, 'token_request_failed');
}
