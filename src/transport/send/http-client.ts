import type { Deadline } from '../call/deadline.js';
import type { Form } from '../upload/form.js';

/**
 * A function with the signature of `fetch`. The SDK calls it with the URL as a string and an `init`, never with a
 * `Request`. It must send each request once: a function that retries on its own can execute a call twice.
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** The engine that sends the requests: node:http with keep-alive (`node`), or ky over fetch (`ky`). */
export type EngineName = 'node' | 'ky';

/**
 * An `http.Agent` or `https.Agent` of Node or of a compatible package, for proxies for example. The type
 * lists one member, so that the package's types depend on no other package.
 */
export interface HttpAgent {
  /** The maximum number of sockets per host. */
  readonly maxSockets: number;
}

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  /** The path and query, after the base address. */
  readonly target: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. The HTTP client sets a form's content type. */
  readonly body: string | Form | undefined;
}

/**
 * Status and headers of a response. This object is kept with a result, so it references neither the body nor
 * the socket.
 */
export interface ResponseHead {
  readonly status: number;
  /** Returns a header by its name in lower case. */
  header(name: string): string | undefined;
  /** Returns all headers, with names in lower case. */
  headers(): Record<string, string>;
}

/** A response that was read completely. */
export interface HttpResponse {
  readonly head: ResponseHead;
  /** The body after decoding. */
  readonly body: Uint8Array;
  /** How Content-Encoding differs from the body; undefined if it matches. */
  readonly codingProblem: string | undefined;
}

export type FailureKind =
  /** The request could not be built: nothing was sent, and a retry would fail the same way. */
  | 'unsendable'
  /** The connection could not be made: nothing was sent. */
  | 'connect'
  /** The server's certificate was rejected: nothing was sent. */
  | 'certificate'
  /** A proxy rejected the request: nothing reached the platform. */
  | 'proxy'
  /** The connection broke, or the response was not HTTP. */
  | 'broken'
  /** The headers of a response arrived, but its body is incomplete or cannot be decoded. */
  | 'unreadable'
  /** The body of a response is larger than the limit. */
  | 'too-large'
  /** A file of the form could not be read completely. */
  | 'file'
  /** The deadline passed, or the caller's signal aborted. */
  | 'interrupted';

/** The only error that an HTTP client rejects with. */
export class HttpClientError extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Whether any byte of the request may have been sent. */
    readonly sent: boolean,
    readonly details: {
      /** The status, if the headers of a response were received. */
      readonly status?: number | undefined;
      /** Whether the connection was a keep-alive one that the server had closed in the meantime. */
      readonly stale?: boolean;
      /** Whether a retry would fail the same way. */
      readonly permanent?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message);
  }
}

/** Sends a request exactly once, and reads the response completely. The transport decides about retries. */
export interface HttpClient {
  readonly name: EngineName;
  /**
   * Sends one request.
   *
   * @throws HttpClientError
   */
  send(request: HttpRequest, deadline: Deadline): Promise<HttpResponse>;
  /** Closes idle connections, so that the next request uses a new one. */
  dropIdle(): void;
  /** Closes idle connections at once, and used ones when their request has ended. */
  close(): void;
}

/** The maximum size of a response after decompression: 10 MB, in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Collects the chunks of a response in one buffer, so that memory use is proportional to the response.
 * Otherwise a chunk of a single byte could keep a whole socket buffer in memory.
 */
export class BodyCollector {
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

  /** Adds a chunk. Returns false, and adds nothing, if the response would exceed the limit. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > maxBodyBytes) return false;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
    return true;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(2 * length, 4096));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
