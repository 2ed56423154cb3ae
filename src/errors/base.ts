import { printable } from './printable.js';

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

interface Branded {
  readonly [brand]: readonly string[];
}

/** The kinds of a class and of all it extends. */
function kindsOf(type: typeof PaymentPlatformError): string[] {
  const kinds: string[] = [];
  for (let at = type; at !== Function.prototype && at !== null; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, 'kind')) kinds.push(at.kind);
  return kinds;
}

/** The base of every error that this package throws. */
export class PaymentPlatformError extends Error {
  /** What `instanceof` goes by. */
  static readonly kind: string = 'PaymentPlatformError';
  override readonly name: string = 'PaymentPlatformError';
  /** Stable and machine-readable. */
  readonly code: string;
  /** Whether money may have moved: what to look at first. */
  readonly outcome: Outcome;
  /** The key that was sent, to resume with; undefined when none was. */
  declare readonly idempotencyKey: string | undefined;
  /** The status of the last answer, when one came. */
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  /** The answer's body: parsed where it is JSON, with secrets replaced. */
  declare readonly body: unknown;
  /** How many requests were sent. */
  readonly attempts: number;
  /** Seconds the platform asked to wait. */
  declare readonly retryAfter: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(printable(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.outcome = details.outcome ?? 'not-executed';
    this.attempts = details.attempts ?? 0;
    // Only what is known becomes a property, so that a logged error is short.
    const { idempotencyKey, status, requestId, body, retryAfter } = details;
    for (const [name, value] of Object.entries({ idempotencyKey, status, requestId, body, retryAfter })) {
      if (value !== undefined)
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    }
    Object.defineProperty(this, brand, { value: kindsOf(new.target) });
  }

  /** For structured logs: everything but the stack and the cause. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, outcome, idempotencyKey, status, requestId, body, attempts, retryAfter } =
      this;
    return { name, code, message, outcome, idempotencyKey, status, requestId, body, attempts, retryAfter };
  }
}

/**
 * `instanceof` holds across copies of the package too: CommonJS has one for each entry point, and an
 * application may load both ESM and CommonJS. A class that a merchant derives is compared as usual.
 */
Object.defineProperty(PaymentPlatformError, Symbol.hasInstance, {
  value(this: typeof PaymentPlatformError, value: unknown): boolean {
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isPaymentPlatformError(value) && (value as unknown as Branded)[brand].includes(this.kind);
  },
});

/** True for every error of this package, whichever copy of it was loaded and in whichever realm. */
export function isPaymentPlatformError(error: unknown): error is PaymentPlatformError {
  return typeof error === 'object' && error !== null && brand in error;
}
