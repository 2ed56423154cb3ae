import { type ErrorDetails, PaymentPlatformError } from './base.js';

/**
 * No response: for example, the platform could not be reached, or the connection broke before a response arrived.
 */
export class ConnectionError extends PaymentPlatformError {
  static override readonly kind: string = 'ConnectionError';
  /** Always `ConnectionError`. */
  override readonly name = 'ConnectionError';
  /** Always `connection_failed`. */
  declare readonly code: 'connection_failed';

  constructor(message: string, details: ErrorDetails) {
    super('connection_failed', message, details);
  }
}

/**
 * The deadline of the call passed. The deadline covers every wait, every attempt, and the body of the
 * response.
 */
export class TimeoutError extends PaymentPlatformError {
  static override readonly kind: string = 'TimeoutError';
  /** Always `TimeoutError`. */
  override readonly name = 'TimeoutError';
  /** Always `timeout`. */
  declare readonly code: 'timeout';

  constructor(message: string, details: ErrorDetails) {
    super('timeout', message, details);
  }
}

/** The caller's signal aborted the call. `cause` is the signal's reason. */
export class AbortedError extends PaymentPlatformError {
  static override readonly kind: string = 'AbortedError';
  /** Always `AbortedError`. */
  override readonly name = 'AbortedError';
  /** Always `aborted`. */
  declare readonly code: 'aborted';

  constructor(message: string, details: ErrorDetails) {
    super('aborted', message, details);
  }
}

/** The response cannot be read. For example, it is cut short, too large, not JSON, or for another payment. */
export class UnreadableResponseError extends PaymentPlatformError {
  static override readonly kind: string = 'UnreadableResponseError';
  /** Always `UnreadableResponseError`. */
  override readonly name = 'UnreadableResponseError';
  /** Always `response_unreadable`. */
  declare readonly code: 'response_unreadable';

  constructor(message: string, details: ErrorDetails) {
    super('response_unreadable', message, details);
  }
}
