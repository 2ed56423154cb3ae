import type { TransactionEvent, TransactionEventName, WebhookEvent } from '../contract/events.js';
import type { FieldNames } from '../contract/overrides.js';
import type { WebhookVerificationError } from '../errors/webhook.js';
import type { DedupeStore } from '../stores/dedupe-store.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { ReceiveResult } from './outcome.js';

/** A body exactly as it is transmitted. */
export type RawBody = string | Uint8Array;

/** Headers as frameworks pass them: a `Headers` object, Node's object, or a plain record. */
export type DeliveryHeaders =
  | {
      /** Returns a header's value by its name; null if there is none. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A received delivery. */
export interface Delivery {
  /** The body exactly as received: the signature covers its bytes. */
  body: RawBody | ArrayBuffer;
  /** The headers as received. Their names are case-insensitive. */
  headers: DeliveryHeaders;
}

/** A delivery whose timestamp was accepted, and whose signature was decoded but not verified yet. */
export interface SignedDelivery {
  readonly timestamp: string;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly body: RawBody;
}

/** Options for verifying a delivery. */
export interface VerifyOptions {
  /**
   * The endpoint's `hmac_secret`, 16 to 256 characters. During a rotation, pass several secrets. The
   * signature must match one of them.
   */
  secret: string | readonly string[];
  /** How far the timestamp can be in the past or the future, in seconds. Default 300. */
  tolerance?: number | undefined;
  /**
   * Converts a delivery's timestamp to milliseconds since 1970. Set this option if your platform sends
   * anything other than seconds, milliseconds, or ISO 8601 with a time zone.
   */
  timestamp?: ((text: string) => number) | undefined;
  /**
   * Decodes the signature header. Set this option if your platform sends anything other than a single hex or
   * base64 value. Return the signature's 32 bytes, or the header's hex or base64 part. If the header contains
   * no signature, return undefined. The API docs do not specify the encoding (Events, Signature).
   */
  decodeSignature?: ((header: string) => Uint8Array | string | undefined) | undefined;
  /**
   * The current time: a Date, milliseconds since 1970, or a function that returns either. Default: the system
   * clock.
   */
  now?: (Date | number | (() => Date | number)) | undefined;
  /** Header names, if they differ from `x-service-timestamp` and `x-service-signature`. */
  headerNames?:
    | {
        /** The name of the timestamp's header. Default `x-service-timestamp`. */
        timestamp?: string | undefined;
        /** The name of the signature's header. Default `x-service-signature`. */
        signature?: string | undefined;
      }
    | undefined;
  /**
   * Your platform's field names, in the same format as the `fieldNames` client option. The returned event
   * uses the SDK's field names.
   */
  fieldNames?: FieldNames | undefined;
}

/** A delivery for `receive`. Its body can be a stream. */
export interface IncomingDelivery {
  /** The body exactly as received: the bytes, or a Node or web stream of them. */
  body: Delivery['body'] | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  /** The headers as received. */
  headers: DeliveryHeaders;
  /**
   * The path and query of the request, such as `/webhooks/shop-7?source=platform`. If the `secret` option is
   * a function, it can use them to choose the secret, so pass them.
   */
  url?: string | undefined;
}

/** An authentic delivery, passed to handlers. */
export interface ReceivedDelivery<Transaction = undefined, Context = undefined> {
  /**
   * The notification's identity, the same for each of its deliveries. Use it as the key of a job, for
   * example.
   */
  readonly id: string;
  /**
   * Whether a notification with this `event`, `id` and `status` was handled before, with another body (option
   * `changed`). If so, the `id` of this delivery is the SHA-256 of the body.
   */
  readonly changed: boolean;
  /** The body exactly as received. */
  readonly body: RawBody;
  /** The headers as received. */
  readonly headers: DeliveryHeaders;
  /** The path and query, such as `/webhooks/shop-7`. The signature does not cover them. */
  readonly url: string | undefined;
  /** The `context` that the `secret` function returned with the matching secret. */
  readonly context: Context;
  /** The signed timestamp, exactly as sent. */
  readonly timestamp: string;
  /**
   * The position of the matching secret in the list; 0 is the first. A rotation is complete when only 0
   * occurs.
   */
  readonly secretIndex: number;
  /** Aborts when `handlerTimeout` is over, or when another process has taken the claim. */
  readonly signal: AbortSignal;
  /** With `postgresDedupe(pool, { transaction: true })`, a client inside the open transaction. */
  readonly transaction: Transaction;
}

/** Handles an event. If it rejects, the response is 500 and the platform retries. */
export type EventHandler<Event, Transaction = undefined, Context = undefined> = (
  event: Event,
  delivery: ReceivedDelivery<Transaction, Context>,
) => unknown;

/**
 * Handlers by event name; undefined is rejected. Events that this version does not know go to `onUnhandled`.
 */
export type EventHandlers<Transaction = undefined, Context = undefined> = {
  readonly [Name in TransactionEventName]?: EventHandler<
    Extract<TransactionEvent, { event: Name }>,
    Transaction,
    Context
  >;
};

/** Details of an error, for `onError`. */
export interface ReceiveFailure<Context = unknown> {
  /** The step that failed. */
  readonly during: 'body' | 'secret' | 'identity' | 'dedupe' | 'handler' | 'hook';
  /** The event, if the delivery was authentic. */
  readonly event?: WebhookEvent | undefined;
  /** The path and query of the delivery, if the server passed them. */
  readonly url?: string | undefined;
  /** The endpoint's `context`. Undefined if the step failed before the endpoint was known. */
  readonly context?: Context | undefined;
}

/** The request of a delivery, before any part of it is verified. */
export interface DeliveryRequest {
  /** The headers as received. */
  readonly headers: DeliveryHeaders;
  /** The path and query, such as `/webhooks/shop-7`. Undefined if the server passed none to `receive`. */
  readonly url: string | undefined;
}

/** The request of a delivery that was rejected, for `onRejected`. */
export interface RejectedRequest<Context = undefined> extends DeliveryRequest {
  /** The `context` that the `secret` function returned for this request. Undefined if it was not called. */
  readonly context: Context | undefined;
}

/** An endpoint's secrets, and the endpoint itself. */
export interface EndpointSecret<Context> {
  /** One secret, or several during a rotation; undefined if the endpoint does not exist. */
  readonly secret: string | readonly string[] | undefined;
  /**
   * Names the endpoint, for example `{ shop: 7 }`. Handlers receive it as `delivery.context`. It is a part of
   * each notification's identity, so it must be JSON that never changes. Load everything else in the handler.
   */
  readonly context: Context;
}

type SecretResult<Context> =
  | EndpointSecret<Context>
  | (undefined extends Context ? string | readonly string[] : never)
  | undefined;

/**
 * Returns an endpoint's secrets, for example from a secret manager or by the request's path. The receiver calls
 * the function for each delivery whose headers are well-formed and recent, and caches nothing. If the function
 * returns undefined, the endpoint does not exist, and the delivery is rejected.
 *
 * If the function serves several endpoints, return `{ secret, context }`. Without a `context`, only the request's
 * path and query tell endpoints apart, not its host or another header.
 */
export type SecretSource<Context = undefined> = (
  request: DeliveryRequest,
) => SecretResult<Context> | Promise<SecretResult<Context>>;

/** An authentic delivery, passed to `identity`. */
export type IdentifiedDelivery<Context = undefined> = Pick<
  ReceivedDelivery<undefined, Context>,
  'body' | 'url' | 'context'
>;

/** A delivery after its response, passed to `onReceived`. */
export interface DeliveryReport<Context = undefined> {
  /** The delivery's outcome. */
  readonly outcome: ReceiveResult['outcome'];
  /** The HTTP status of the response. */
  readonly status: number;
  /** Milliseconds from the first byte of the body to the response. */
  readonly duration: number;
  /** Why the delivery was rejected. */
  readonly reason: ReceiveResult['reason'];
  /** The event, if the delivery was authentic. */
  readonly event: WebhookEvent | undefined;
  /**
   * The delivery. Its `id` is undefined if the delivery was not authentic, or if no handler was needed,
   * because none is registered for the event or the event is ignored.
   */
  readonly delivery: DeliveryRequest & {
    readonly id: string | undefined;
    /** The endpoint's `context`. Undefined if the delivery was not authentic. */
    readonly context: Context | undefined;
  };
}

/** Options of `createReceiver`. */
export interface ReceiverOptions<Transaction = undefined, Context = undefined>
  extends Pick<VerifyOptions, 'tolerance' | 'timestamp' | 'decodeSignature' | 'headerNames' | 'fieldNames'> {
  /** Returns the current time, and is called once per delivery. Default: the system clock. */
  now?: (() => Date | number) | undefined;
  /**
   * The endpoint's `hmac_secret`, 16 to 256 characters. During a rotation, pass several secrets. A function is
   * called for each delivery, as in `({ url }) => …`. It can return `{ secret, context }`, and handlers receive
   * the `context`.
   */
  secret: string | readonly string[] | SecretSource<Context>;
  /** The handlers, by event name. */
  on?: EventHandlers<Transaction, Context> | undefined;
  /**
   * The store of handled deliveries. Default `memoryDedupe()`, for one process. With false, the receiver does
   * not remember deliveries.
   */
  dedupe?: DedupeStore<Transaction> | false | undefined;
  /**
   * How long the receiver remembers a handled delivery, in milliseconds. The value must be at least twelve
   * times `tolerance`. Default 7 days.
   */
  keepFor?: number | undefined;
  /**
   * How long, in milliseconds, a dead process keeps other processes from handling its delivery. Default
   * 15,000. A running process extends its lease while a handler runs.
   */
  lease?: number | undefined;
  /**
   * Handles the events that have no handler in `on`, except an ignored `transaction.status.updated`
   * (`statusUpdated`). If `onUnhandled` rejects, the receiver responds with 500. Without `onUnhandled`, the
   * receiver acknowledges these events.
   */
  onUnhandled?: EventHandler<WebhookEvent, Transaction, Context> | undefined;
  /** Called for a delivery that the receiver has already handled. */
  onDuplicate?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /**
   * What to do with a notification that has the same identity as a handled one, but a different body. `ignore`
   * (default) acknowledges it without calling a handler, because a resend can contain the time of its attempt,
   * for example. `deliver` handles it separately, with `delivery.changed`.
   */
  changed?: 'deliver' | 'ignore' | undefined;
  /**
   * Called for a notification that arrives again with a different body. If notifications are ignored and
   * `onChanged` is not set, the receiver calls `onError` once.
   */
  onChanged?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /** Called for a notification that is older than its transaction's state (see `order`). */
  onOutdated?: EventHandler<WebhookEvent, undefined, Context> | undefined;
  /**
   * Called when a delivery is rejected. The error contains the `reason`, but the response does not. Default: one
   * warning per reason and minute, with the number of deliveries.
   */
  onRejected?:
    | ((
        error: WebhookVerificationError,
        headers: DeliveryHeaders,
        request: RejectedRequest<Context>,
      ) => unknown)
    | undefined;
  /**
   * Called for every delivery, with every adapter, once the response is known. Use it for logs or counters.
   */
  onReceived?: ((report: DeliveryReport<Context>) => unknown) | undefined;
  /**
   * `openTelemetry(api)`, where `api` is the module `@opentelemetry/api`: a span per delivery, and
   * measurements by outcome.
   */
  telemetry?: Telemetry | undefined;
  /**
   * Called if a handler, the store or the secret source fails, or if the body was already parsed. Default
   * `console.error`.
   */
  onError?: ((error: unknown, failure: ReceiveFailure<Context>) => unknown) | undefined;
  /**
   * What to do with `transaction.status.updated`, which arrives with every status change. `ignore` (default)
   * acknowledges this event without calling a handler. If this event has a handler but the specific event has
   * none, the receiver calls that handler. `deliver` handles `transaction.status.updated` like the other
   * events. For an endpoint that is subscribed only to this event, set `deliver` if the receiver uses
   * `enqueue` or `onUnhandled`, or has handlers for the specific events.
   */
  statusUpdated?: 'ignore' | 'deliver' | undefined;
  /**
   * Acknowledges a notification without calling a handler if the transaction already has a later status (see
   * docs/webhooks.md).
   */
  order?: 'forward-only' | undefined;
  /**
   * When to respond: `handled` (default) responds after the handler has finished, and `first` responds with
   * 202 after `enqueue` has accepted the event.
   */
  acknowledge?: 'handled' | 'first' | undefined;
  /**
   * With `acknowledge: 'first'`, adds every event to a queue. Use `delivery.id` as the job's key. The
   * receiver does not pass an ignored `transaction.status.updated` to `enqueue` (see `statusUpdated`).
   */
  enqueue?: EventHandler<WebhookEvent, Transaction, Context> | undefined;
  /**
   * How long a handler can run, and how long a body can take to arrive, in milliseconds. Default 25,000,
   * because the platform waits only 30 seconds.
   */
  handlerTimeout?: number | undefined;
  /**
   * The maximum number of deliveries that this receiver handles at the same time. Additional deliveries wait
   * their turn for up to `handlerTimeout`, and then get a 503. Default: half of the pool's `max` with the
   * option `transaction` of `postgresDedupe`, otherwise no limit.
   */
  concurrency?: number | undefined;
  /** The maximum size of a body, in bytes. Default 1,000,000. */
  maxBody?: number | undefined;
  /**
   * Computes a notification's identity. Default: `event`, `id` and `status` if `id` is a string, otherwise
   * the SHA-256 of the body. If `secret` is a function, the receiver adds the endpoint to the identity.
   */
  identity?:
    | ((event: WebhookEvent, delivery: IdentifiedDelivery<Context>) => string | Promise<string>)
    | undefined;
}

/**
 * The second argument of a Worker's `fetch`. It can keep the Worker alive for work that continues after the
 * response.
 */
export interface FetchContext {
  /** Receives the work that continues after the response. */
  waitUntil?(promise: Promise<unknown>): void;
}

/**
 * Receives deliveries: `receive` for any server, and `fetch` for servers that use the web-standard `Request`.
 * For other servers, there are adapters.
 */
export interface Receiver {
  /**
   * Verifies and handles a delivery. Never rejects, because the result contains the response even after a
   * failure.
   */
  receive(delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult>;
  /**
   * Verifies and handles a delivery that arrives as a `Request`, as in Hono, Next route handlers, Remix,
   * SvelteKit, Bun, Deno and Workers. The method does not depend on `this`. The runtime can pass a second
   * argument. The receiver uses only that argument's `waitUntil`.
   */
  fetch(request: Request, context?: FetchContext | object): Promise<Response>;
}
