import { unref } from '../../validation/time-limit.js';
import type { IncomingDelivery } from '../types.js';
import { rawBody } from '../verify.js';

/** The used part of a node:http request, and the fields that frameworks add to it. */
export interface NodeRequest {
  /** The HTTP method, in capitals. */
  readonly method?: string | undefined;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The path and the query. */
  readonly url?: string | undefined;
  /** The whole path and query, if a framework mounts the handler below a path. */
  readonly originalUrl?: string | undefined;
  /** Listens for the data, the end, an error or the loss of the connection. */
  on(event: string, listener: (value?: unknown) => void): unknown;
  /** Removes a listener. */
  off(event: string, listener: (value?: unknown) => void): unknown;
  /** Lets the data flow. */
  resume(): unknown;
  /** Ends the connection. */
  destroy(): unknown;
  /** Whether the whole message arrived. */
  readonly complete?: boolean;
  /** Whether the connection is lost. */
  readonly destroyed?: boolean;
  /** Whether all of the body was read. */
  readonly readableEnded?: boolean;
  /** Whether some of the body was read. */
  readonly readableDidRead?: boolean;
}

/** How long a refused body may go on, in milliseconds: ending the connection at once could lose the answer. */
const drainTimeoutMs = 1000;

/** A request as a delivery. The receiver responds with 500 if a getter of the request or of a framework throws. */
export class NodeDelivery implements IncomingDelivery {
  readonly #request: NodeRequest;
  readonly #parsed: object;
  readonly #head: Pick<NodeRequest, 'headers' | 'url'>;

  /**
   * @param request its stream is the body
   * @param parsed the object with the framework's `rawBody` and `body`, usually the request
   * @param head the object with the headers
   */
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

  /** The raw body that a framework kept, else the stream, else the parsed body. */
  get body(): IncomingDelivery['body'] {
    const request = this.#request;
    const isRead = request.readableDidRead === true || request.readableEnded === true;
    const kept = rawBody((this.#parsed as { rawBody?: unknown }).rawBody);
    // An empty text beside an unread stream is only the default of a framework.
    if (kept !== undefined && (kept.length > 0 || isRead)) return kept;
    if (!isRead || isRestored(request)) return new RequestChunks(request);
    return parsedBody(this.#parsed);
  }
}

function parsedBody(parsed: object): IncomingDelivery['body'] {
  try {
    return (parsed as { body: Uint8Array }).body;
  } catch {
    // A getter that parses the body, and fails.
    return {} as never;
  }
}

/** Whether the stream was read and replaced, as Vercel's helpers do. */
const isRestored = (request: NodeRequest) => Object.hasOwn(request, 'on') && Object.hasOwn(request, 'read');

/** The chunks of a request, as they arrive. The stream must be unread, because one that was read would never end. */
class RequestChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #request: NodeRequest;
  readonly #chunks: Uint8Array[] = [];
  #failure: unknown;
  #isOver = false;
  #wake = () => {};

  constructor(request: NodeRequest) {
    this.#request = request;
  }

  /** Starts reading. A delivery that is rejected because of its headers is not read. */
  [Symbol.asyncIterator](): this {
    const request = this.#request;
    request.on('data', this.#add);
    request.on('end', this.#end);
    request.on('error', this.#end);
    // A paused stream does not begin on its own.
    request.resume();
    // A stream that was put in place ends even if the connection is lost.
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

  /** Lets the rest flow without keeping it. The listener of errors stays. */
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

  /** A close after the end is not a failure. */
  readonly #close = () => {
    if (!this.#isOver) this.#end(new Error('the connection was closed'));
  };
}

/** Lets a refused body flow for a moment after the answer, and then ends the connection. */
export function drain(request: NodeRequest): void {
  if (request.complete !== false) return;
  request.resume();
  const end = () => {
    if (request.complete !== true) request.destroy();
  };
  unref(setTimeout(end, drainTimeoutMs));
}
