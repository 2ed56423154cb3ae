import type { TransactionEvent, TransactionEventName, WebhookEvent } from '../contract/events.js';
import type { FieldNames } from '../contract/overrides.js';
import type { RawBody } from '../platform/signed-delivery.js';
import type { ReceiveResult } from './outcome.js';

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
   * Whether a notification with the same identity was handled before, with another body (option `changed`).
   * In a handler, the `id` is then derived from the SHA-256 of the body.
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

/** Handles an event. If a handler rejects, the response is 500 and the platform retries. */
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
  /** The event, if the receiver verified and read the delivery. */
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
 * Returns an endpoint's secrets, for example from a secret manager or by the request's path. The receiver
 * calls the function for each delivery that arrives completely and with well-formed, recent headers, and
 * caches nothing. If the function returns undefined, the endpoint does not exist, and the delivery is
 * rejected.
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
  /** Milliseconds from the start of `receive` to the response. */
  readonly duration: number;
  /** Why the delivery was rejected. */
  readonly reason: ReceiveResult['reason'];
  /** The event, if the receiver verified and read the delivery. */
  readonly event: WebhookEvent | undefined;
  /**
   * The delivery. Its `id` is undefined if the delivery was not verified and read, if `identity` failed, or
   * if no handler was needed, because none is registered for the event or the event is ignored.
   */
  readonly delivery: DeliveryRequest & {
    readonly id: string | undefined;
    /** The endpoint's `context`. Undefined if the delivery was not authentic. */
    readonly context: Context | undefined;
  };
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
   * Verifies and handles a delivery. A failure does not reject the promise, because the result contains the
   * response.
   */
  receive(delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult>;
  /**
   * Verifies and handles a delivery that arrives as a `Request`, as in Hono, Next route handlers, Remix,
   * SvelteKit, Bun, Deno and Workers. The method does not depend on `this`. The runtime can pass a second
   * argument. The receiver uses only that argument's `waitUntil`.
   */
  fetch(request: Request, context?: FetchContext | object): Promise<Response>;
}
