import { type ApiErrorCode, type ErrorDetails, PaymentPlatformError } from './base.js';

/** An error status or a redirect of the platform, or a failed token request (API docs, Errors). */
export class ApiError extends PaymentPlatformError {
  static override readonly kind: string = 'ApiError';
  /** `ApiError`, or the name of the subclass. */
  override readonly name: string = 'ApiError';
  /** `api_error`, or the subclass's code. */
  declare readonly code: ApiErrorCode;

  constructor(message: string, details: ErrorDetails, code: ApiErrorCode = 'api_error') {
    super(code, message, details);
  }
}

/** 400: invalid data or invalid documents. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError';
  /** Always `BadRequestError`. */
  override readonly name = 'BadRequestError';
  /** Always `bad_request`. */
  declare readonly code: 'bad_request';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'bad_request');
  }
}

/** 401: credentials invalid or missing. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError';
  /** Always `AuthenticationError`. */
  override readonly name = 'AuthenticationError';
  /** Always `authentication_failed`. */
  declare readonly code: 'authentication_failed';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'authentication_failed');
  }
}

/** 403: the feature is not enabled for this merchant (onboarding). Undocumented for other calls. */
export class PermissionError extends ApiError {
  static override readonly kind: string = 'PermissionError';
  /** Always `PermissionError`. */
  override readonly name = 'PermissionError';
  /** Always `permission_denied`. */
  declare readonly code: 'permission_denied';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'permission_denied');
  }
}

/** 404: not found. Documented for a withdrawal that belongs to another account. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError';
  /** Always `NotFoundError`. */
  override readonly name = 'NotFoundError';
  /** Always `not_found`. */
  declare readonly code: 'not_found';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'not_found');
  }
}

/**
 * The idempotency key was used before with another payload: a 409 on sub-account creation or onboarding
 * submission, or the key of a recorded payment or request, without a status. After an attempt with an unknown
 * outcome, a 409 proves nothing about that attempt, so the outcome is `unknown`. Then repeat the call with
 * the same key.
 */
export class IdempotencyConflictError extends ApiError {
  static override readonly kind: string = 'IdempotencyConflictError';
  /** Always `IdempotencyConflictError`. */
  override readonly name = 'IdempotencyConflictError';
  /** Always `idempotency_conflict`. */
  declare readonly code: 'idempotency_conflict';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'idempotency_conflict');
  }
}

/**
 * 409 on payments: the first attempt with this idempotency key ended in an unknown state, for example at the
 * acquirer. The key stays protected. Never pay again with a new key. `payments.reconcile` sends the same key
 * again until the platform knows the outcome.
 */
export class PaymentOutcomeUnknownError extends ApiError {
  static override readonly kind: string = 'PaymentOutcomeUnknownError';
  /** Always `PaymentOutcomeUnknownError`. */
  override readonly name = 'PaymentOutcomeUnknownError';
  /** Always `payment_outcome_unknown`. */
  declare readonly code: 'payment_outcome_unknown';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'payment_outcome_unknown');
  }
}

/** 429, or the client's own rate limit (option `rateLimit`). `retryAfter`: the seconds to wait, if known. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError';
  /** Always `RateLimitError`. */
  override readonly name = 'RateLimitError';
  /** Always `rate_limited`. */
  declare readonly code: 'rate_limited';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'rate_limited');
  }
}

/** 5xx: the platform failed. */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
  /** Always `ServerError`. */
  override readonly name = 'ServerError';
  /** Always `server_error`. */
  declare readonly code: 'server_error';

  constructor(message: string, details: ErrorDetails) {
    super(message, details, 'server_error');
  }
}
