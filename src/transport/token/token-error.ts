import { ApiError } from '../../errors/api.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../../errors/base.js';
import { isRead } from '../prepare/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { describeFailure } from '../report/error-message.js';
import type { Classification } from '../retry/classify-failure.js';

/** Errors of a token request that mean the same of the call. A 404 there is no 404 of what was asked for. */
const sameMeaning = new Set([
  'AuthenticationError',
  'RateLimitError',
  'ServerError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
]);

/** No token, no call: what went wrong with the token request, said of the call that needed it. */
export function tokenError(
  error: PaymentPlatformError,
  call: PreparedCall,
  own: ErrorDetails & { readonly outcome: Outcome },
): PaymentPlatformError {
  const message = describeFailure(
    call.spec.id,
    `no access token (${error.message.replace(/\.$/, '')})`,
    undefined,
    isRead(call.spec) ? undefined : own.outcome,
    call,
  );
  const { status, requestId, body, retryAfter } = error;
  const details = { ...own, requestId, body, retryAfter, cause: error };
  return sameMeaning.has(error.name)
    ? new (error.constructor as Classification['error'])(message, { ...details, status })
    : new ApiError(message, details, 'token_request_failed');
}
