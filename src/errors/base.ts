/** Matches characters that move a terminal's cursor or change a line's direction, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Of the characters above, white space becomes a space, and any other becomes U+FFFD. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => (/\s/.test(character) ? ' ' : '\ufffd'));
}

/** Whether the platform executed a failed call. */
export type Outcome =
  /** Nothing was executed. It is safe to send the call again. */
  | 'not-executed'
  /** The call may have been executed. Retry it with the same idempotency key, never with a new key. */
  | 'unknown';

/** The code of an error that comes from an HTTP status. */
export type ApiErrorCode =
  /** 400: `BadRequestError`. */
  | 'bad_request'
  /** 401: `AuthenticationError`. */
  | 'authentication_failed'
  /** 403: `PermissionError`. */
  | 'permission_denied'
  /** 404: `NotFoundError`. */
  | 'not_found'
  /** 409 on sub-account creation or onboarding submission, or a recorded key: `IdempotencyConflictError`. */
  | 'idempotency_conflict'
  /** 409 on payments: `PaymentOutcomeUnknownError`. */
  | 'payment_outcome_unknown'
  /** 429, or the client's own limit: `RateLimitError`. */
  | 'rate_limited'
  /** 5xx: `ServerError`. */
  | 'server_error'
  /** The token request failed with a status other than 401, 429 and 5xx: `ApiError`. */
  | 'token_request_failed'
  /** Any other status: `ApiError`. */
  | 'api_error';

/** The code of a `DurablePaymentError`. */
export type DurableErrorCode =
  /**
   * The payment is recorded but not settled, or its record is unreadable. `record.state` is its current
   * state.
   */
  | 'payment_not_settled'
  /** The store failed, or an open transaction holds the key. */
  | 'payment_store_failed'
  /** No payment is recorded under this idempotency key. */
  | 'payment_not_found'
  /**
   * A response or a notification contained another payment than the recorded one. The customer may have been
   * charged twice.
   */
  | 'second_payment';

/** The code of a `DurableRequestError`. */
export type DurableRequestErrorCode =
  /**
   * The request is recorded but not settled, or its record is unreadable. `record.state` is its current
   * state.
   */
  | 'request_not_settled'
  /** The store failed, or an open transaction holds the key. */
  | 'request_store_failed'
  /** No request is recorded under this key. */
  | 'request_not_found';

/** The codes of `PaymentPlatformError`. A `switch` over it can be exhaustive. */
export type ErrorCode =
  | ApiErrorCode
  | DurableErrorCode
  | DurableRequestErrorCode
  /** The platform could not be reached, or the connection was lost: `ConnectionError`. */
  | 'connection_failed'
  /** The call's deadline passed: `TimeoutError`. */
  | 'timeout'
  /** The caller's signal aborted the call: `AbortedError`. */
  | 'aborted'
  /** The response cannot be read, for example because it is cut short or not JSON: `UnreadableResponseError`. */
  | 'response_unreadable'
  /** An option is missing or invalid: `ConfigurationError`. */
  | 'configuration_invalid'
  /** An argument is invalid, and nothing was sent: `ValidationError`. */
  | 'validation_failed'
  /** A webhook delivery is not authentic, recent or readable: `WebhookVerificationError`. */
  | 'webhook_verification_failed';

/** Identifies the failed call. */
export interface FailedOperation {
  /** `payments.create`, or `request` for `platform.request`. */
  readonly operation: string;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path of the operation with its placeholders, such as `/v1/payments/{id}/boleto`. */
  readonly path: string;
}

/** The properties of an error, except its message. */
export interface ErrorDetails extends Partial<FailedOperation> {
  /** Whether the platform executed the call. Default `not-executed`. */
  outcome?: Outcome;
  /** The idempotency key of the call. */
  idempotencyKey?: string | undefined;
  /** The HTTP status of the last attempt's response. */
  status?: number | undefined;
  /** The target of a redirect. */
  location?: string | undefined;
  /** The platform's identifier of the request. */
  requestId?: string | undefined;
  /** The parts of the response body that are safe to show, after redaction. */
  body?: ErrorBody | undefined;
  /** The whole response body, for `rawBodyOf`. */
  rawBody?: unknown;
  /** Whether a gateway's page or incomplete JSON may hide the platform's response. */
  isDoubtful?: boolean | undefined;
  /** The number of attempts, including those that failed before a byte was sent. Default 0. */
  attempts?: number;
  /** Seconds to wait before the next request. */
  retryAfter?: number | undefined;
  /** The underlying error, such as a network error, or the reason of an aborted signal. */
  cause?: unknown;
}

/** A registered symbol, so that all copies of the package in a process recognise each other's errors. */
const brand: unique symbol = Symbol.for('payment-platform.error') as never;

interface Branded {
  readonly [brand]: readonly string[];
}

/**
 * Lists the `kind` of an error's class and of each base class. `new.target` does not work here because terser
 * 5.51 removes it.
 */
function listKinds(error: PaymentPlatformError): string[] {
  const kinds: string[] = [];
  let type = error.constructor as typeof PaymentPlatformError | null;
  for (; type !== null && type !== Function.prototype; type = Object.getPrototypeOf(type))
    if (Object.hasOwn(type, 'kind')) kinds.push(type.kind);
  return kinds;
}

/** The details that must not be printed when an error is inspected. */
const hidden = new WeakMap<object, Pick<ErrorDetails, 'location' | 'rawBody' | 'isDoubtful'>>();

/** The parts of a response body that an error shows, without confidential values from the request. */
export interface ErrorBody {
  /** The platform's code, such as `insufficient_funds`. Numbers become strings. */
  readonly code?: string;
  /**
   * The platform's message, or the title of a page that came instead. Confidential parts are replaced with
   * `[redacted]`.
   */
  readonly message?: string;
  /** The paths of the fields that the platform names, such as `items.0.unitPrice`. */
  readonly fields?: readonly string[];
}

const shownFields =
  /* @__PURE__ */ 'name code message operation method path outcome idempotencyKey status requestId body attempts retryAfter'.split(
    ' ',
  ) as readonly (keyof PaymentPlatformError)[];

/** The base class of most errors that this package throws. */
export class PaymentPlatformError extends Error {
  /** The name of the class, which `instanceof` compares. */
  static readonly kind: string = 'PaymentPlatformError';
  /** `PaymentPlatformError`, or the name of the subclass. */
  override readonly name: string = 'PaymentPlatformError';
  /** A stable code, one of `ErrorCode`. */
  readonly code: ErrorCode;
  /**
   * `payments.create`, or `request` for `platform.request`; undefined if the error does not come from a call.
   */
  declare readonly operation: string | undefined;
  /** The HTTP method of the call. */
  declare readonly method: string | undefined;
  /**
   * The path of the operation with its placeholders, such as `/v1/payments/{id}/boleto`. The path contains no
   * ids and therefore no personal data, and errors can be grouped by it.
   */
  declare readonly path: string | undefined;
  /** Whether the call was executed, and therefore whether money may have moved. Check this first. */
  readonly outcome: Outcome;
  /** The call's idempotency key, to retry with; undefined if the call has none. */
  declare readonly idempotencyKey: string | undefined;
  /** The HTTP status of the last attempt's response; undefined if it had none. */
  declare readonly status: number | undefined;
  /**
   * The target of a redirect (3xx). The SDK does not follow redirects, because credentials must not go to
   * another server. The target can be a signed URL that gives access to a file. It is a getter, so that logs
   * do not print it by accident.
   */
  get location(): string | undefined {
    return hidden.get(this)?.location;
  }

  /**
   * The path of the documentation section about this error, from the package's folder:
   * `docs/errors.md#timeouterror`.
   */
  get docs(): string {
    return `docs/errors.md#${this.name.toLowerCase()}`;
  }

  /**
   * The platform's identifier of the request; undefined if the response has none, or one that is not safe to
   * show.
   */
  declare readonly requestId: string | undefined;
  /** The platform's code, message and field paths, redacted. `rawBodyOf(error)` returns the whole body. */
  declare readonly body: ErrorBody | undefined;
  /** The number of attempts, including those that failed before a byte was sent. */
  readonly attempts: number;
  /** Seconds to wait before the next request; undefined if unknown. */
  declare readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(
      message.split('\n').map(printable).join('\n'),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.outcome = details.outcome ?? 'not-executed';
    this.attempts = details.attempts ?? 0;
    // Undefined details do not become properties, which keeps a logged error short.
    for (const name of shownFields) {
      const value = (details as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined && !Object.hasOwn(this, name))
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true });
    }
    hidden.set(this, details);
    Object.defineProperty(this, brand, { value: listKinds(this) });
  }

  /** Returns the error for structured logs, without the stack and the cause. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(shownFields.map((name) => [name, this[name]]));
  }
}

/**
 * Makes `instanceof` work across copies of the package. In CommonJS, each entry point has its own copy, and
 * an application can load both ESM and CommonJS. For classes that a merchant derives, `instanceof` works as
 * usual.
 */
Object.defineProperty(PaymentPlatformError, Symbol.hasInstance, {
  value(this: typeof PaymentPlatformError, value: unknown): boolean {
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isPaymentPlatformError(value) && (value as unknown as Branded)[brand].includes(this.kind);
  },
});

/** Checks that a value is an error of this package, from any loaded copy and any realm. */
export function isPaymentPlatformError(error: unknown): error is PaymentPlatformError {
  return typeof error === 'object' && error !== null && brand in error && Array.isArray(error[brand]);
}

/**
 * Returns the body of the response that led to an error: parsed JSON, or at most 64,000 bytes as a string.
 * Undefined if there was no body, and for an unreadable 2xx response that is not a page. The body can contain secrets that the call sent, card numbers and personal data. Read only the
 * fields that you need, and do not log them. The whole body appears nowhere else: inspection, JSON, copies,
 * hooks and spans leave it out.
 */
export function rawBodyOf(error: unknown): unknown {
  return hidden.get(error as object)?.rawBody;
}

export const isDoubtful = (error: PaymentPlatformError): boolean => hidden.get(error)?.isDoubtful === true;
