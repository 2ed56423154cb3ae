/** Characters that move a terminal's cursor or change the direction of a line, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text for one line of a log: line breaks and tabs become spaces, other invisible characters U+FFFD. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => (/\s/.test(character) ? ' ' : '\ufffd'));
}

/** Whether the platform executed a failed call. */
export type Outcome =
  /** Nothing was executed. It is safe to send the call again. */
  | 'not-executed'
  /** The call may have been executed. Resume it with the same idempotency key, and never with another. */
  | 'unknown';

/** The code of an error that an HTTP status led to. */
export type ApiErrorCode =
  /** 400: `BadRequestError`. */
  | 'bad_request'
  /** 401: `AuthenticationError`. */
  | 'authentication_failed'
  /** 403: `PermissionError`. */
  | 'permission_denied'
  /** 404: `NotFoundError`. */
  | 'not_found'
  /** 409 on sub-accounts and onboarding: `IdempotencyConflictError`. */
  | 'idempotency_conflict'
  /** 409 on payments: `PaymentOutcomeUnknownError`. */
  | 'payment_outcome_unknown'
  /** 429, or the client's own limit: `RateLimitError`. */
  | 'rate_limited'
  /** 5xx: `ServerError`. */
  | 'server_error'
  /** The token request failed with a status that has no class of its own: `ApiError`. */
  | 'token_request_failed'
  /** Any other status: `ApiError`. */
  | 'api_error';

/** The code of a payment that `createDurablePayments` could not settle, as `DurablePaymentError` carries it. */
export type DurableErrorCode =
  /** The payment is recorded and not settled: `record.state` says how far it is. */
  | 'payment_not_settled'
  /** The store failed. The payment may be recorded. */
  | 'payment_store_failed'
  /** No payment is recorded under this key. */
  | 'payment_not_found';

/** Every `error.code` of this package: a `switch` over it can be exhaustive. */
export type ErrorCode =
  | ApiErrorCode
  | DurableErrorCode
  /** The platform could not be reached, or the connection was lost: `ConnectionError`. */
  | 'connection_failed'
  /** The call's deadline passed: `TimeoutError`. */
  | 'timeout'
  /** The caller's signal aborted the call: `AbortedError`. */
  | 'aborted'
  /** The response is cut short, too large or not JSON: `UnreadableResponseError`. */
  | 'response_unreadable'
  /** An option is missing or invalid: `ConfigurationError`. */
  | 'configuration_invalid'
  /** An argument is invalid, and nothing was sent: `ValidationError`. */
  | 'validation_failed'
  /** A webhook delivery is not authentic, recent or readable: `WebhookVerificationError`. */
  | 'webhook_verification_failed';

/** Which call failed. */
export interface FailedOperation {
  /** `payments.create`, or `request` for `platform.request`. */
  readonly operation: string;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path of the operation with its placeholders, such as `/v1/payments/{id}/boleto`. */
  readonly path: string;
}

/** The properties of an error, besides its message. */
export interface ErrorDetails extends Partial<FailedOperation> {
  /** Whether the platform executed the call. Default `not-executed`. */
  outcome?: Outcome;
  /** The idempotency key of the call. */
  idempotencyKey?: string | undefined;
  /** The HTTP status of the last response. */
  status?: number | undefined;
  /** The target of a redirect. */
  location?: string | undefined;
  /** The platform's identifier of the request. */
  requestId?: string | undefined;
  /** The parts of the response body that the error shows. */
  body?: ErrorBody | undefined;
  /** The whole body, for `rawBodyOf`. */
  rawBody?: unknown;
  /** How many requests were sent. Default 0. */
  attempts?: number;
  /** Seconds to wait before the next request. */
  retryAfter?: number | undefined;
  /** What led to the error: an error of the network, or the reason of an aborted signal. */
  cause?: unknown;
}

/** A registered symbol, so that all copies of the package in a process recognise each other's errors. */
const brand: unique symbol = Symbol.for('payment-platform.error') as never;

interface Branded {
  readonly [brand]: readonly string[];
}

/**
 * Lists the kinds of an error's class and its base classes. `new.target` does not work here: terser 5.51 loses it.
 */
function listKinds(error: PaymentPlatformError): string[] {
  const kinds: string[] = [];
  let type = error.constructor as typeof PaymentPlatformError | null;
  for (; type !== null && type !== Function.prototype; type = Object.getPrototypeOf(type))
    if (Object.hasOwn(type, 'kind')) kinds.push(type.kind);
  return kinds;
}

/** What belongs to an error, and no inspection of it shows. */
const hidden = new WeakMap<object, Pick<ErrorDetails, 'location' | 'rawBody'>>();

/** The parts of a response body that an error shows. Confidential values from the request are left out. */
export interface ErrorBody {
  /** The platform's code, such as `insufficient_funds`. Numbers become strings. */
  readonly code?: string;
  /** The platform's message, or a page's title, at most 500 characters. Confidential parts are `[redacted]`. */
  readonly message?: string;
  /** The paths of the fields that the platform names, such as `items.0.unitPrice`. */
  readonly fields?: readonly string[];
}

/** What `toJSON` gives, in its order. */
const shownFields =
  /* @__PURE__ */ 'name code message operation method path outcome idempotencyKey status requestId body attempts retryAfter'.split(
    ' ',
  ) as readonly (keyof PaymentPlatformError)[];

/** Without a prototype: `get` and `set` must not be found on one. */
const toDescriptor = (value: unknown, enumerable: boolean): PropertyDescriptor =>
  Object.assign(Object.create(null), { value, enumerable, configurable: enumerable });

/** The base class of every error that this package throws. */
export class PaymentPlatformError extends Error {
  /** The name of the class, which `instanceof` compares. */
  static readonly kind: string = 'PaymentPlatformError';
  /** `PaymentPlatformError`, or the name of the subclass: compare it across copies of the package. */
  override readonly name: string = 'PaymentPlatformError';
  /** A stable code, one of `ErrorCode`. */
  readonly code: ErrorCode;
  /** `payments.create`, or `request` for `platform.request`; undefined if the error belongs to no call. */
  declare readonly operation: string | undefined;
  /** The HTTP method of the call. */
  declare readonly method: string | undefined;
  /**
   * The path of the operation with its placeholders, such as `/v1/payments/{id}/boleto`: an id belongs to a
   * person, and equal paths can be grouped.
   */
  declare readonly path: string | undefined;
  /** Whether the call was executed, so whether money may have moved. Check this first. */
  readonly outcome: Outcome;
  /** The idempotency key of the call, to resume it with; undefined if it has none. */
  declare readonly idempotencyKey: string | undefined;
  /** The HTTP status of the last response; undefined if there was none. */
  declare readonly status: number | undefined;
  /**
   * The target of a redirect (3xx). The SDK follows none, because credentials must not go elsewhere. The target can
   * be a signed URL that gives access to a file, so this is a getter, which nothing prints by accident.
   */
  get location(): string | undefined {
    return hidden.get(this)?.location;
  }

  /** The section about this error, relative to the package: `docs/errors.md#timeouterror`. */
  get docs(): string {
    return `docs/errors.md#${this.name.toLowerCase()}`;
  }

  /** The platform's identifier of the request, if it sent one. */
  declare readonly requestId: string | undefined;
  /** The platform's code, message and field paths, redacted. `rawBodyOf(error)` returns the whole body. */
  declare readonly body: ErrorBody | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
  /** Seconds to wait before the next request; undefined if unknown. */
  declare readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    // Own properties only: a detail that was not given must not be found on a prototype.
    const own: ErrorDetails = Object.assign(Object.create(null), details);
    super(
      message.split('\n').map(printable).join('\n'),
      own.cause === undefined ? undefined : { cause: own.cause },
    );
    this.code = code;
    this.outcome = own.outcome ?? 'not-executed';
    this.attempts = own.attempts ?? 0;
    // Only known values become properties, so that a logged error is short.
    for (const name of shownFields) {
      const value = (own as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined && !Object.hasOwn(this, name))
        Object.defineProperty(this, name, toDescriptor(value, true));
    }
    hidden.set(this, own);
    Object.defineProperty(this, brand, toDescriptor(listKinds(this), false));
  }

  /** The error for structured logs: everything but the stack and the cause. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(shownFields.map((name) => [name, this[name]]));
  }
}

/**
 * Makes `instanceof` work across copies of the package: CommonJS has one for each entry point, and an
 * application may load both ESM and CommonJS. Classes derived by a merchant are compared as usual.
 */
Object.defineProperty(PaymentPlatformError, Symbol.hasInstance, {
  value(this: typeof PaymentPlatformError, value: unknown): boolean {
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isPaymentPlatformError(value) && (value as unknown as Branded)[brand].includes(this.kind);
  },
});

/** Whether a value is an error of this package, of any loaded copy of it and any realm. */
export function isPaymentPlatformError(error: unknown): error is PaymentPlatformError {
  try {
    return typeof error === 'object' && error !== null && brand in error && Array.isArray(error[brand]);
  } catch {
    // A proxy, or an object whose getters throw, is none.
    return false;
  }
}

/**
 * The whole body of the response that led to an error: parsed JSON, or its text; undefined if there was none.
 * It may hold anything: secrets that the call sent, card numbers, personal data. Read what you need of it,
 * and log none of it. Nothing else reaches it: no inspection, JSON, copy, hook or span.
 */
export function rawBodyOf(error: unknown): unknown {
  return hidden.get(error as object)?.rawBody;
}
