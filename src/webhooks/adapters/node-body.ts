import { unref } from '../../validation/time-limit.js';
import type { IncomingDelivery } from '../types.js';
import { rawBody } from '../verify.js';

/** The part of a node:http request that the handler uses, and the fields that frameworks add to it. */
export interface NodeRequest {
  /** The HTTP method, in capitals. */
  readonly method?: string | undefined;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The path and query. */
  readonly url?: string | undefined;
  /** The whole path and query. Frameworks that mount the handler below a path add this field. */
  readonly originalUrl?: string | undefined;
  /** Listens for data, the end, an error or the loss of the connection. */
  on(event: string, listener: (value?: unknown) => void): unknown;
  /** Removes a listener. */
  off(event: string, listener: (value?: unknown) => void): unknown;
  /** Starts the flow of data. */
  resume(): unknown;
  /** Ends the connection. */
  destroy(): unknown;
  /** Whether the whole message arrived. */
  readonly complete?: boolean;
  /** Whether the connection has been lost. */
  readonly destroyed?: boolean;
  /** Whether the whole body was read. */
  readonly readableEnded?: boolean;
  /** Whether a part of the body was read. */
  readonly readableDidRead?: boolean;
}

/** In milliseconds. Closing the connection at once could lose the response. */
const drainTimeoutMs = 1000;

export class NodeDelivery implements IncomingDelivery {
  readonly #request: NodeRequest;
  readonly #parsed: object;
  readonly #head: Pick<NodeRequest, 'headers' | 'url'>;

  constructor(request: NodeRequest, parsed: object, head: Pick<NodeRequest, 'headers' | 'url'> = request) {
    this.#request = request;
    this.#parsed = parsed;
    this.#head = head;
  }

  get headers(): IncomingDelivery['headers'] {
    return this.#head.headers;
  }

  get url(): string | undefined {
    return (this.#parsed as Pick<NodeRequest, 'originalUrl'>).originalUrl ?? this.#head.url;
  }

  get body(): IncomingDelivery['body'] {
    const request = this.#request;
    const isRead = request.readableDidRead === true || request.readableEnded === true;
    const kept = rawBody((this.#parsed as { rawBody?: unknown }).rawBody);
    // While the stream is unread, an empty `rawBody` is only a framework's default.
    if (kept !== undefined && (kept.length > 0 || isRead)) return kept;
    if (!isRead || isRestored(request)) return new RequestChunks(request);
    return parsedBody(this.#parsed);
  }
}

function parsedBody(parsed: object): IncomingDelivery['body'] {
  try {
    return (parsed as { body: Uint8Array }).body;
  } catch {
    // A getter that parses the body has thrown.
    return {} as never;
  }
}

/** Checks whether the stream was read and replaced, as Vercel's helpers do. */
const isRestored = (request: NodeRequest) => Object.hasOwn(request, 'on') && Object.hasOwn(request, 'read');

/** The stream must be unread, because a stream that was already read would never end. */
class RequestChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #request: NodeRequest;
  readonly #chunks: Uint8Array[] = [];
  #failure: unknown;
  #isOver = false;
  #wake = () => {};

  constructor(request: NodeRequest) {
    this.#request = request;
  }

  /** The receiver does not call this if it rejects the headers. */
  [Symbol.asyncIterator](): this {
    const request = this.#request;
    request.on('data', this.#add);
    request.on('end', this.#end);
    request.on('error', this.#end);
    // A paused stream does not start on its own.
    request.resume();
    // A stream that replaced the original ends even if the connection is lost.
    if (isRestored(request)) return this;
    request.on('close', this.#close);
    if (request.destroyed === true) this.#close();
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#chunks.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#failure !== undefined) throw this.#failure;
    return { done: true, value };
  }

  /** The error listener stays, because an error without a listener would end the process. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    this.#request.off('data', this.#add);
    this.#request.resume();
    return { done: true, value: undefined };
  }

  readonly #add = (chunk: unknown) => {
    this.#chunks.push(chunk as Uint8Array);
    this.#wake();
  };

  readonly #end = (error?: unknown) => {
    this.#isOver = true;
    this.#failure ??= error;
    this.#wake();
  };

  /** A connection that closes after the end of the body is not a failure. */
  readonly #close = () => {
    if (!this.#isOver) this.#end(new Error('the connection was closed'));
  };
}

export function drain(request: NodeRequest): void {
  if (request.complete !== false) return;
  request.resume();
  const end = () => {
    if (request.complete !== true) request.destroy();
  };
  unref(setTimeout(end, drainTimeoutMs));
}
