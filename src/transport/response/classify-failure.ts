import { withHint } from '#platform';
import type { Operation } from '../../contract/operation.js';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  IdempotencyConflictError,
  NotFoundError,
  PaymentOutcomeUnknownError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../errors/api.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../../errors/base.js';
import {
  AbortedError,
  ConnectionError,
  TimeoutError,
  UnreadableResponseError,
} from '../../errors/network.js';
import { ConfigurationError } from '../../errors/usage.js';
import { codeOrName } from '../../redact/cause.js';
import type { HttpClientError } from '../send/http-client.js';

export type RetryRule =
  /** The call was not executed, so retrying it is harmless. */
  | 'always'
  /** The call may have been executed. It is retried only if sending it twice is harmless. */
  | 'if-repeatable'
  | 'never';

/** See docs/fault-model.md. */
export interface FailureClassification {
  readonly retry: RetryRule;
  /** The outcome of a write. A read is always `not-executed`. */
  readonly outcome: Outcome;
  readonly summary: string;
  /** Whether a gateway's page or incomplete JSON may hide the platform's response. */
  readonly isDoubtful?: boolean;
  /** Whether a retry waits for the whole backoff, because the platform is still executing the first attempt. */
  readonly waitsLong?: boolean;
  readonly tellsCause?: boolean;
  readonly error: (new (
    message: string,
    details: ErrorDetails,
  ) => PaymentPlatformError) & {
    readonly kind: string;
  };
}

type ClassifiedOperation = Pick<Operation, 'repeatedKeyGets' | 'errors' | 'hintIfNotFound'>;

const classifyAsRejected = (
  error: FailureClassification['error'],
  summary: string,
): FailureClassification => ({
  retry: 'never',
  outcome: 'not-executed',
  summary,
  error,
});

/** `mayHaveExecuted` concerns an earlier attempt with the same key and payload. */
function classifyConflict(operation: ClassifiedOperation, mayHaveExecuted: boolean): FailureClassification {
  switch (operation.repeatedKeyGets) {
    case 'current-state':
      return {
        retry: 'never',
        outcome: 'unknown',
        error: PaymentOutcomeUnknownError,
        summary:
          'the first attempt with this key has an unknown outcome (409), and the platform protects the key',
      };
    case 'first-response':
      if (mayHaveExecuted)
        return {
          retry: 'never',
          outcome: 'unknown',
          error: IdempotencyConflictError,
          summary: 'the platform rejected the retry of an attempt with an unknown outcome (409)',
        };
      return classifyAsRejected(
        IdempotencyConflictError,
        'the idempotency key was used before with another payload (409). Use a new key for a new request',
      );
    default:
      return { retry: 'never', outcome: 'unknown', summary: 'conflict (409)', error: ApiError };
  }
}

/** The retry has the same key, so it gets the response of the first attempt. */
export const classifyInProgress = (operation: ClassifiedOperation): FailureClassification => ({
  retry: 'if-repeatable',
  outcome: 'unknown',
  waitsLong: true,
  summary: 'the platform is still executing a request with this key (409)',
  error: operation.repeatedKeyGets === 'current-state' ? PaymentOutcomeUnknownError : ApiError,
});

const retriedFailures: readonly number[] = [500, 502, 503, 504];

export function classifyStatus(
  status: number,
  operation: ClassifiedOperation,
  mayHaveExecuted = false,
): FailureClassification {
  if (status < 200)
    return {
      retry: 'if-repeatable',
      outcome: 'unknown',
      summary: `the response has no final HTTP status (${status})`,
      error: UnreadableResponseError,
    };
  if (status < 400) {
    const summary = [301, 302, 303, 307, 308].includes(status)
      ? `the response is a redirect (${status}), which the SDK does not follow. Check baseUrl`
      : `the platform does not use the status ${status}. Check baseUrl and every proxy on the way`;
    return { retry: 'never', outcome: 'unknown', summary, error: ApiError };
  }
  switch (status) {
    case 400:
      return classifyAsRejected(BadRequestError, 'the platform rejected the data (400)');
    case 401:
      return classifyAsRejected(
        AuthenticationError,
        'the credentials are invalid (401). Check clientId and clientSecret, and that they belong to this baseUrl',
      );
    case 403:
      return classifyAsRejected(
        PermissionError,
        operation.errors?.[403] === undefined
          ? 'the platform does not allow it (403)'
          : 'the feature is not enabled for this merchant (403)',
      );
    case 404:
      return classifyAsRejected(
        NotFoundError,
        `not found${operation.errors?.[404] === undefined ? '' : ', or it belongs to another account'} (404)${
          operation.hintIfNotFound === undefined ? '' : `. ${operation.hintIfNotFound}`
        }`,
      );
    case 407:
      return classifyAsRejected(ConnectionError, 'a proxy rejected the request (407)');
    // Each of these statuses means that the request was not executed (RFC 9110; for 428 and 431, RFC 6585).
    case 405:
    case 410:
    case 411:
    case 413:
    case 414:
    case 415:
    case 421:
    case 422:
    case 426:
    case 428:
    case 431:
      return classifyAsRejected(ApiError, `the platform rejected the request (${status})`);
    case 408:
    case 425:
      return {
        retry: 'if-repeatable',
        outcome: 'unknown',
        summary: `the platform did not accept the request in time (${status})`,
        error: ApiError,
      };
    case 409:
      return classifyConflict(operation, mayHaveExecuted);
    case 429:
      return {
        retry: 'always',
        outcome: 'not-executed',
        summary: 'rate limit exceeded (429)',
        error: RateLimitError,
      };
    default:
      if (status >= 500)
        return {
          retry: retriedFailures.includes(status) ? 'if-repeatable' : 'never',
          outcome: 'unknown',
          summary: `the platform failed (${status})`,
          error: ServerError,
        };
      // The status is undocumented. A 423 or 424, for example, can refer to an earlier attempt.
      return {
        retry: 'never',
        outcome: 'unknown',
        summary: `the platform returned an undocumented status (${status})`,
        error: ApiError,
      };
  }
}

/** The statuses of a gateway that rejected a request and did not forward it. */
const notForwarded: readonly number[] = [407, 411, 413, 414, 431];

/** The body can hide the platform's response, so a 403 or a 404 does not prove that nothing was executed. */
export function classifyDoubtful(
  classification: FailureClassification,
  status: number,
): FailureClassification {
  if (notForwarded.includes(status)) return classification;
  if (classification.outcome === 'unknown') return { ...classification, isDoubtful: true };
  const retry = classification.retry === 'always' ? 'if-repeatable' : 'never';
  return { ...classification, retry, outcome: 'unknown', isDoubtful: true };
}

export function classifyFailure(
  failure: HttpClientError,
  stopReason: 'timeout' | 'aborted' | undefined,
  host: string,
  timeout: number,
): FailureClassification {
  const outcome: Outcome = failure.sent ? 'unknown' : 'not-executed';
  const notReached = `${failure.message}; ${host} was not reached`;
  switch (failure.kind) {
    case 'unsendable':
      return classifyUnsendable(failure.details.cause);
    case 'connect':
      return { retry: 'always', outcome: 'not-executed', summary: notReached, error: ConnectionError };
    case 'certificate':
    case 'proxy':
      return { retry: 'never', outcome: 'not-executed', summary: notReached, error: ConnectionError };
    case 'broken':
    case 'file':
      return {
        retry: failure.details.permanent ? 'never' : failure.sent ? 'if-repeatable' : 'always',
        outcome,
        summary: failure.message,
        error: ConnectionError,
      };
    case 'unreadable':
      return {
        retry: failure.details.permanent ? 'never' : 'if-repeatable',
        outcome: 'unknown',
        summary: failure.message,
        error: UnreadableResponseError,
      };
    case 'too-large':
      return { retry: 'never', outcome: 'unknown', summary: failure.message, error: UnreadableResponseError };
    case 'interrupted':
      return classifyStop(stopReason ?? 'timeout', outcome, timeout);
  }
}

/** The call was executed, or may have been. */
export const classifyUnreadable = (
  status: number,
  { message, permanent }: { readonly message: string; readonly permanent: boolean },
): FailureClassification => ({
  retry: permanent ? 'never' : 'if-repeatable',
  outcome: 'unknown',
  summary: `the response (${status}) cannot be used, because ${message}`,
  error: UnreadableResponseError,
});

export const classifyUnsendable = (cause: unknown): FailureClassification => ({
  retry: 'never',
  outcome: 'not-executed',
  summary: `nothing was sent, because the request could not be sent${withHint(codeOrName(cause))}`,
  tellsCause: true,
  error: ConfigurationError,
});

export const classifyUnexpected = (cause: unknown): FailureClassification => ({
  retry: 'never',
  outcome: 'unknown',
  summary: `the response could not be understood${withHint(codeOrName(cause))}`,
  error: UnreadableResponseError,
});

export function classifyStop(
  stopReason: 'timeout' | 'aborted',
  outcome: Outcome,
  timeout: number,
  waitedFor?: string,
): FailureClassification {
  const during = waitedFor === undefined ? '' : ` while waiting for the first bytes of ${waitedFor}`;
  const unit = timeout < 100 ? '; timeout is in milliseconds' : '';
  const passed = `the call's deadline passed (${Math.round(timeout)} ms${unit})${during}`;
  return stopReason === 'timeout'
    ? { retry: 'never', outcome, summary: passed, error: TimeoutError }
    : {
        retry: 'never',
        outcome,
        summary: `the call was aborted by its signal${during}`,
        error: AbortedError,
      };
}
