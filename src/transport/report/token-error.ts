import { ApiError } from '../../errors/api.js';
import { type ErrorDetails, type Outcome, type PaymentPlatformError, rawBodyOf } from '../../errors/base.js';
import { isRead, shownOperation } from '../call/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import type { Classification } from '../response/classify-failure.js';
import { describeFailure } from './error-message.js';

/** Errors of a token request whose class the call's error gets too. Others, such as a 404, would mean something else for the call. */
const sharedErrors = new Set([
  'AuthenticationError',
  'RateLimitError',
  'ServerError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
]);

/**
 * The error of a call that got no access token, from the error of the token request.
 *
 * @param isSafe whether that error shows nothing that this call sent in confidence
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
    ...shownOperation(call.spec),
    ...own,
    requestId: isSafe ? requestId : undefined,
    body: isSafe ? error.body : undefined,
    rawBody,
    retryAfter,
    cause: isSafe ? error : undefined,
  };
  return sharedErrors.has(error.name)
    ? new (error.constructor as Classification['error'])(message, { ...details, status })
    : new ApiError(message, details, 'token_request_failed');
}
