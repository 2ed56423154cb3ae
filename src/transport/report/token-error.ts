import { ApiError } from '../../errors/api.js';
import { type ErrorDetails, type Outcome, type PaymentPlatformError, rawBodyOf } from '../../errors/base.js';
import type { Classification } from '../answer/classify-failure.js';
import { isRead, shownOperation } from '../call/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
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

/** The error of a call that got no access token, from the error of the token request. */
export function tokenError(
  error: PaymentPlatformError,
  call: PreparedCall,
  own: ErrorDetails & { readonly outcome: Outcome },
): PaymentPlatformError {
  const message = describeFailure(
    call.spec.id,
    `no access token (${error.message.replace(/\.$/, '')})`,
    {},
    isRead(call.spec) ? undefined : own.outcome,
    call,
  );
  const { status, requestId, body, retryAfter } = error;
  const rawBody = rawBodyOf(error);
  const details = {
    ...shownOperation(call.spec),
    ...own,
    requestId,
    body,
    rawBody,
    retryAfter,
    cause: error,
  };
  return sharedErrors.has(error.name)
    ? new (error.constructor as Classification['error'])(message, { ...details, status })
    : new ApiError(message, details, 'token_request_failed');
}
