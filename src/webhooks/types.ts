import type { TransactionEvent, TransactionEventName, WebhookEvent } from '../contract/events.js';
import type { FieldNames } from '../contract/overrides.js';
import type { WebhookVerificationError } from '../errors/webhook.js';
import type { TelemetryApi } from '../telemetry/api.js';
import type { DedupeStore } from './dedupe-store.js';
import type { ReceiveResult } from './outcome.js';

/** A body exactly as it is transmitted. */
export type RawBody = string | Uint8Array;

/** Headers as a framework gives them: a `Headers`, Node's object, or a plain record. */
export type DeliveryHeaders =
  | {
      /** The value of a header by its name; null if there is none. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery as it arrived. */
export interface Delivery {
  /** The body exactly as received: the signature covers its bytes. */
  body: RawBody | ArrayBuffer;
  /** The headers as received. Upper and lower case make no difference in their names. */
  headers: DeliveryHeaders;
}

/** A delivery whose timestamp is accepted, with its decoded signature, which is not checked yet. */
export interface SignedDelivery {
  readonly timestamp: string;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly body: RawBody;
}

/** How a delivery is checked. */
export interface VerifyOptions {
  /** The endpoint's `hmac_secret`, 16 to 256 characters. Give several while one secret replaces another: any of them is accepted. */
  secret: string | readonly string[];
  /** How many seconds the timestamp may be in the past or in the future. Default 300. */
  tolerance?: number | undefined;
  /**
   * Reads the timestamp of a delivery: milliseconds since 1970. For a platform that writes it otherwise than
   * in seconds, milliseconds or ISO 8601 with a zone.
   */
  timestamp?: ((text: string) => number) | undefined;
  /**
   * Reads the signature header, for a platform that writes it otherwise than as one hex or base64 value: returns the
   * 32 bytes, or the part of the header that is hex or base64, or undefined if there is none. The API docs leave the
   * encoding open (Events, Signature).
   */
  decodeSignature?: ((header: string) => Uint8Array | string | undefined) | undefined;
  /** The current time: a Date, milliseconds since 1970, or a function that returns one of them. Default: the system clock. */
  now?: (Date | number | (() => Date | number)) | undefined;
  /** Header names, if they differ from `x-service-timestamp` and `x-service-signature`. */
  headerNames?: { timestamp?: string | undefined; signature?: string | undefined } | undefined;
  /** Wire names by key, as in the client option `fieldNames`. The event is returned with the SDK's names. */
  fieldNames?: FieldNames | undefined;
}

/** A delivery for `receive`. Its body may be a stream. */
export interface IncomingDelivery {
  /** The body exactly as received, or what gives its bytes: a stream of Node or of the web. */
  body: Delivery['body'] | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  /** The headers as received. */
  headers: DeliveryHeaders;
  /** The path and query of the request, such as `/webhooks/shop-7?source=platform`. A function `secret` reads it. */
  url?: string | undefined;
}

/** An authentic delivery, as handlers get it. */
export interface ReceivedDelivery<Transaction = undefined> {
  /** The identity of the notification: the same for every delivery of it. The key of a job, for example. */
  readonly id: string;
  /**
   * Whether its `event`, `id` and `status` were handled before, with another body (option `changed`). Its `id`
   * is then the SHA-256 of the body.
   */
  readonly changed: boolean;
  /** The body exactly as received. */
  readonly body: RawBody;
  /** The headers as received. */
  readonly headers: DeliveryHeaders;
  /** The signed timestamp, as it was sent. */
  readonly timestamp: string;
  /** The position of the secret that matched: 0 is the first. When only 0 still occurs, a rotation is over. */
  readonly secretIndex: number;
  /** Aborts when `handlerTimeout` is over, or when another process has taken the claim. */
  readonly signal: AbortSignal;
  /** With `postgresDedupe(pool, { transaction: true })`, a client inside the open transaction. */
  readonly transaction: Transaction;
}

/** Handles an event. If it rejects, the response is 500 and the platform retries. */
export type EventHandler<Event, Transaction = undefined> = (
  event: Event,
  delivery: ReceivedDelivery<Transaction>,
) => unknown;

/** A handler for each event, by its name. Names that this version does not know go to `onUnhandled`. */
export type EventHandlers<Transaction = undefined> = {
  readonly [Name in TransactionEventName]?:
    | EventHandler<Extract<TransactionEvent, { event: Name }>, Transaction>
    | undefined;
};

/** Details of an error, for `onError`. */
export interface ReceiveFailure {
  /** The step that failed. */
  readonly during: 'body' | 'secret' | 'identity' | 'dedupe' | 'handler' | 'hook';
  /** The event, if the delivery was authentic. */
  readonly event?: WebhookEvent | undefined;
}

/** The request of a delivery, before anything of it is checked. */
export interface DeliveryRequest {
  /** The headers as received. */
  readonly headers: DeliveryHeaders;
  /** The path and query, such as `/webhooks/shop-7`. Undefined if the server passed none to `receive`. */
  readonly url: string | undefined;
}

type Secret = string | readonly string[] | undefined;

/**
 * Returns an endpoint's secrets, for example from a secret manager. A function without a parameter has one
 * endpoint, and its result is cached for five minutes. A function of the request serves several endpoints: it is
 * called for each delivery and does its own caching. Undefined means that the endpoint does not exist: the delivery
 * is rejected.
 */
export type SecretSource = (request: DeliveryRequest) => Secret | Promise<Secret>;

/** A delivery that has its response, as `onReceived` gets it. */
export interface DeliveryReport {
  /** What became of it. */
  readonly outcome: ReceiveResult['outcome'];
  /** The HTTP status of the response. */
  readonly status: number;
  /** Milliseconds from the first byte of the body to the response. */
  readonly duration: number;
  /** Why it was rejected. */
  readonly reason: ReceiveResult['reason'];
  /** The event, if the delivery was authentic. */
  readonly event: WebhookEvent | undefined;
  /** The delivery; its `id` is undefined if it was not authentic, or if no handler wanted it. */
  readonly delivery: DeliveryRequest & { readonly id: string | undefined };
}

/** Options of `createReceiver`. */
export interface ReceiverOptions<Transaction = undefined>
  extends Pick<VerifyOptions, 'tolerance' | 'timestamp' | 'decodeSignature' | 'headerNames' | 'fieldNames'> {
  /** The current time, asked at each delivery. Default: the system clock. */
  now?: (() => Date | number) | undefined;
  /**
   * The endpoint's `hmac_secret`, 16 to 256 characters; several while one replaces another; or a function that
   * returns them. The result of a function without a parameter is kept for five minutes, and the function is called
   * again if no secret matches. A function of the request, `({ url }) => …`, is called for each delivery.
   */
  secret: string | readonly string[] | SecretSource;
  /** Handlers by the name of the event. */
  on?: EventHandlers<Transaction> | undefined;
  /** Where handled deliveries are remembered. Default `memoryDedupe()`, which is for one process; false: nowhere. */
  dedupe?: DedupeStore<Transaction> | false | undefined;
  /** How long a handled delivery is remembered, in milliseconds. Default 7 days. */
  keepFor?: number | undefined;
  /**
   * How long a process that died keeps others from handling its delivery, in milliseconds. Default 15,000.
   * A process that lives extends it while a handler runs.
   */
  lease?: number | undefined;
  /**
   * Handles the events without a handler, except an ignored `transaction.status.updated` (`statusUpdated`). If
   * it rejects, the response is 500. Without it they are acknowledged.
   */
  onUnhandled?: EventHandler<WebhookEvent, Transaction> | undefined;
  /** Called for a delivery that was handled before. */
  onDuplicate?: ((event: WebhookEvent, delivery: ReceivedDelivery<undefined>) => unknown) | undefined;
  /**
   * A notification with the identity of a handled one, and another body. `deliver` (default): handled
   * separately, with `delivery.changed`; nothing is lost. `ignore` (default with a function `identity`, which
   * decides which notifications are the same): acknowledged without a handler.
   */
  changed?: 'deliver' | 'ignore' | undefined;
  /** Called for such a notification. If it is ignored and `onChanged` is not set, the receiver calls `onError`. */
  onChanged?: ((event: WebhookEvent, delivery: ReceivedDelivery<undefined>) => unknown) | undefined;
  /** Called for a notification that is older than the state of its transaction (`order`). */
  onOutdated?: ((event: WebhookEvent, delivery: ReceivedDelivery<undefined>) => unknown) | undefined;
  /** Called for a rejected delivery, with the `reason`. The sender does not get it. */
  onRejected?: ((error: WebhookVerificationError, headers: DeliveryHeaders) => unknown) | undefined;
  /** Called for every delivery after its response is known, through every adapter: for a log line or a counter. */
  onReceived?: ((report: DeliveryReport) => unknown) | undefined;
  /** The module `@opentelemetry/api`, as the client takes it: a span for each delivery, and measurements by outcome. */
  telemetry?: TelemetryApi | undefined;
  /**
   * Called for a failed handler, store or secret source, and for a body that was parsed before. Default
   * `console.error`.
   */
  onError?: ((error: unknown, failure: ReceiveFailure) => unknown) | undefined;
  /**
   * Each change of status also comes as `transaction.status.updated`. `ignore` (default): acknowledged without
   * a handler, unless there is one for it and none for the specific event. `deliver`: handled as the others; an
   * endpoint that is subscribed to that event alone loses its notifications without it.
   */
  statusUpdated?: 'ignore' | 'deliver' | undefined;
  /** An older notification about a transaction is acknowledged without a handler (see docs/webhooks.md). */
  order?: 'forward-only' | undefined;
  /** `handled` (default), or `first`: the response is 202 when `enqueue` has taken the event. */
  acknowledge?: 'handled' | 'first' | undefined;
  /**
   * With `acknowledge: 'first'`: hands every event to a queue. Use `delivery.id` as the job's key. It does not get
   * an ignored `transaction.status.updated` (`statusUpdated`).
   */
  enqueue?: EventHandler<WebhookEvent, Transaction> | undefined;
  /** How long a handler may take, and a body to arrive, in milliseconds. Default 25,000: the platform waits for 30 seconds. */
  handlerTimeout?: number | undefined;
  /**
   * How many deliveries this receiver handles at once. The others wait in order until `handlerTimeout` has passed,
   * and then get a 503. Default: half of the pool's `max` with `postgresDedupe(pool, { transaction: true })`,
   * otherwise no limit.
   */
  concurrency?: number | undefined;
  /** The longest body, in bytes. Default 1,000,000. */
  maxBody?: number | undefined;
  /**
   * The identity of a notification. Default: `event`, `id` and `status` if `id` is a string, else the SHA-256 of
   * the body.
   */
  identity?:
    | ((event: WebhookEvent, delivery: { readonly body: RawBody }) => string | Promise<string>)
    | undefined;
}

/** Keeps a Worker alive for work that goes on after the response. */
export interface FetchContext {
  /** Takes the work that is not done when the response is. */
  waitUntil?(promise: Promise<unknown>): void;
}

/** Receives deliveries: `receive` for any server, `fetch` for web-standard servers, and adapters for the others. */
export interface Receiver {
  /** Checks and handles a delivery. It never rejects: the result says what to answer. */
  receive(delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult>;
  /**
   * The same for a Request: Hono, Next route handlers, Remix, SvelteKit, Bun, Deno, Workers. It needs no `this`.
   * Runtimes give other things as second argument: only its `waitUntil` is used, if it has one.
   */
  fetch(request: Request, context?: FetchContext | object): Promise<Response>;
}
