import { type ErrorDetails, PaymentPlatformError } from './base.js';

/** No answer: the platform could not be reached, or the connection broke before the answer was whole. */
export class ConnectionError extends PaymentPlatformError {
  static override readonly kind: string = 'ConnectionError';
  override readonly name = 'ConnectionError';

  constructor(message: string, details: ErrorDetails) {
    super('connection_failed', message, details);
  }
}

/** The deadline of the call passed. It covers everything: waiting, every attempt, and the answer's body. */
export class TimeoutError extends PaymentPlatformError {
  static override readonly kind: string = 'TimeoutError';
  override readonly name = 'TimeoutError';

  constructor(message: string, details: ErrorDetails) {
    super('timeout', message, details);
  }
}

/** The caller's signal aborted the call. `cause` is the signal's reason. */
export class AbortedError extends PaymentPlatformError {
  static override readonly kind: string = 'AbortedError';
  override readonly name = 'AbortedError';

  constructor(message: string, details: ErrorDetails) {
    super('aborted', message, details);
  }
}

/** An answer came that cannot be read: cut short, not JSON, not UTF-8, too large. */
export class UnreadableResponseError extends PaymentPlatformError {
  static override readonly kind: string = 'UnreadableResponseError';
  override readonly name = 'UnreadableResponseError';

  constructor(message: string, details: ErrorDetails) {
    super('response_unreadable', message, details);
  }
}
