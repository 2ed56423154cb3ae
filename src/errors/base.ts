/** What is known about the effect of a failed call on the platform. */
export type Outcome =
  /** Nothing was changed. Safe to try again in any way. */
  | 'not-executed'
  /** The platform carried it out. Do not send it again. */
  | 'executed'
  /** It may have been carried out. Resume with the same idempotency key, and only with it. */
  | 'unknown';

/** What every error of a call carries, beside its message. */
export interface ErrorDetails {
  outcome?: Outcome;
  idempotencyKey?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  /** The answer's body, parsed where it is JSON, with secrets replaced. */
  body?: unknown;
  attempts?: number;
  /** Seconds the platform asked to wait. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Shared by every copy of the package in a process, so that guards work across them. */
const brand: unique symbol = Symbol.for('payment-platform.error') as never;

/** The base of every error that this package throws. */
export class PaymentPlatformError extends Error {
  override readonly name: string = 'PaymentPlatformError';
  /** Stable and machine-readable. */
  readonly code: string;
  readonly outcome: Outcome;
  /** The key that was sent, to resume with; undefined when none was. */
  declare readonly idempotencyKey: string | undefined;
  /** The status of the last answer, when one came. */
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly body: unknown;
  /** How many requests were sent. */
  readonly attempts: number;
  declare readonly retryAfter: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.outcome = details.outcome ?? 'not-executed';
    this.attempts = details.attempts ?? 0;
    // Only what is known becomes a property, so that a logged error is short.
    const { idempotencyKey, status, requestId, body, retryAfter } = details;
    for (const [name, value] of Object.entries({ idempotencyKey, status, requestId, body, retryAfter })) {
      if (value !== undefined)
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    }
    Object.defineProperty(this, brand, { value: true });
  }

  /** For structured logs: everything but the stack and the cause. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, outcome, idempotencyKey, status, requestId, body, attempts, retryAfter } =
      this;
    return { name, code, message, outcome, idempotencyKey, status, requestId, body, attempts, retryAfter };
  }
}

/** True for every error of this package, whichever copy of it was loaded and in whichever realm. */
export function isPaymentPlatformError(error: unknown): error is PaymentPlatformError {
  return typeof error === 'object' && error !== null && brand in error;
}
