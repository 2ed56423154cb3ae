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
import { summaryOf } from '../redact/cause.js';
import type { EngineFailure } from '../send/engine.js';
import { inBrackets } from '../send/engine-failures.js';
import type { Again } from './retry-policy.js';

/** What one failed request means (docs/fault-model.md). */
export interface Classification {
  readonly again: Again;
  /** Of a write; a read changes nothing. */
  readonly outcome: Outcome;
  /** What happened, for the message, for hooks and for logs. */
  readonly summary: string;
  readonly error: new (message: string, details: ErrorDetails) => PaymentPlatformError;
}

type Subject = Pick<Operation, 'sameKey'>;

const refused = (error: Classification['error'], summary: string): Classification => ({
  again: 'never',
  outcome: 'not-executed',
  summary,
  error,
});

function conflict(subject: Subject): Classification {
  switch (subject.sameKey) {
    case 'current-state':
      return {
        again: 'never',
        outcome: 'unknown',
        error: PaymentOutcomeUnknownError,
        summary:
          'the first attempt with this key ended in an unknown state (409), and the key stays protected',
      };
    case 'first-response':
      return refused(
        IdempotencyConflictError,
        'the idempotency key was used before with another payload (409). Use a new key for a new request',
      );
    default:
      return { again: 'never', outcome: 'unknown', summary: 'conflict (409)', error: ApiError };
  }
}

/** An answer with a status that is not 2xx. */
export function classifyStatus(status: number, subject: Subject): Classification {
  if (status < 200)
    return {
      again: 'if-repeatable',
      outcome: 'unknown',
      summary: `an interim answer (${status}) and no final one`,
      error: UnreadableResponseError,
    };
  if (status < 400) {
    return {
      again: 'never',
      outcome: 'unknown',
      summary: `the answer is a redirect (${status}), which is never followed: it could carry credentials elsewhere. Check baseUrl`,
      error: ApiError,
    };
  }
  switch (status) {
    case 400:
      return refused(BadRequestError, 'the platform refused the data (400)');
    case 401:
      return refused(
        AuthenticationError,
        'credentials invalid or missing (401). Check clientId and clientSecret, and that they belong to this baseUrl',
      );
    case 403:
      return refused(PermissionError, 'the feature is not enabled for this merchant (403)');
    case 404:
      return refused(NotFoundError, 'not found, or it belongs to another account (404)');
    case 407:
      return refused(ConnectionError, 'a proxy refused the request (407)');
    // Each says of the request itself that it was not carried out (RFC 9110; 428 and 431: RFC 6585).
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
      return refused(ApiError, `the platform refused the request (${status})`);
    case 408:
    case 425:
      return {
        again: 'if-repeatable',
        outcome: 'unknown',
        summary: `the platform did not take the request in time (${status})`,
        error: ApiError,
      };
    case 409:
      return conflict(subject);
    case 429:
      return {
        again: 'always',
        outcome: 'not-executed',
        summary: 'rate limit exceeded (429)',
        error: RateLimitError,
      };
    case 500:
    case 502:
    case 503:
    case 504:
      return {
        again: 'if-repeatable',
        outcome: 'unknown',
        summary: `the platform failed (${status})`,
        error: ServerError,
      };
    default:
      if (status >= 500)
        return {
          again: 'never',
          outcome: 'unknown',
          summary: `the platform failed (${status})`,
          error: ServerError,
        };
      // Undocumented, and none of those above: 423 or 424, for one, may speak of a first attempt.
      return {
        again: 'never',
        outcome: 'unknown',
        summary: `the platform answered with an undocumented status (${status})`,
        error: ApiError,
      };
  }
}

/** No whole answer. */
export function classifyFailure(
  failure: EngineFailure,
  stop: 'timeout' | 'aborted' | undefined,
  host: string,
): Classification {
  const outcome: Outcome = failure.sent ? 'unknown' : 'not-executed';
  const unreached = `${failure.message}; ${host} was not reached`;
  switch (failure.kind) {
    case 'unsendable':
      return refused(
        ConfigurationError,
        `${failure.message}${inBrackets(summaryOf(failure.details.cause))}: nothing was handed to the network`,
      );
    case 'connect':
      return { again: 'always', outcome: 'not-executed', summary: unreached, error: ConnectionError };
    case 'certificate':
    case 'proxy':
      return { again: 'never', outcome: 'not-executed', summary: unreached, error: ConnectionError };
    case 'broken':
      return {
        again: failure.sent ? 'if-repeatable' : 'always',
        outcome,
        summary: failure.message,
        error: ConnectionError,
      };
    case 'file':
      return {
        again: failure.details.final ? 'never' : failure.sent ? 'if-repeatable' : 'always',
        outcome,
        summary: failure.message,
        error: ConnectionError,
      };
    case 'unreadable':
      return {
        again: 'if-repeatable',
        outcome: 'unknown',
        summary: failure.message,
        error: UnreadableResponseError,
      };
    case 'too-large':
      return { again: 'never', outcome: 'unknown', summary: failure.message, error: UnreadableResponseError };
    case 'interrupted':
      return stopped(stop ?? 'timeout', outcome);
  }
}

/** The deadline or the caller ended the call. */
export function stopped(stop: 'timeout' | 'aborted', outcome: Outcome, waitedFor?: string): Classification {
  const during = waitedFor === undefined ? '' : ` while it waited for the first bytes of ${waitedFor}`;
  return stop === 'timeout'
    ? { again: 'never', outcome, summary: `the deadline of the call passed${during}`, error: TimeoutError }
    : { again: 'never', outcome, summary: `the caller aborted the call${during}`, error: AbortedError };
}
