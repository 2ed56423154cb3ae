import type { ErrorCode } from 'payment-platform';

/** Maps every code to its class. A missing or removed code does not compile. */
export const errorCodes = {
  bad_request: 'BadRequestError',
  authentication_failed: 'AuthenticationError',
  permission_denied: 'PermissionError',
  not_found: 'NotFoundError',
  idempotency_conflict: 'IdempotencyConflictError',
  payment_outcome_unknown: 'PaymentOutcomeUnknownError',
  rate_limited: 'RateLimitError',
  server_error: 'ServerError',
  api_error: 'ApiError',
  token_request_failed: 'ApiError',
  connection_failed: 'ConnectionError',
  timeout: 'TimeoutError',
  aborted: 'AbortedError',
  response_unreadable: 'UnreadableResponseError',
  configuration_invalid: 'ConfigurationError',
  validation_failed: 'ValidationError',
  webhook_verification_failed: 'WebhookVerificationError',
  payment_not_settled: 'DurablePaymentError',
  payment_store_failed: 'DurablePaymentError',
  payment_not_found: 'DurablePaymentError',
  second_payment: 'DurablePaymentError',
  request_not_settled: 'DurableRequestError',
  request_store_failed: 'DurableRequestError',
  request_not_found: 'DurableRequestError',
} as const satisfies Record<ErrorCode, string>;
