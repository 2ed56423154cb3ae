import type { Deadline } from '../call/deadline.js';
import type { Form } from '../upload/form.js';

/**
 * A function with the signature of `fetch`. The SDK calls it with the URL as a string and an `init`, never
 * with a `Request`. The function must send each request exactly once. A function that retries on its own can
 * execute a call twice.
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** The engine that sends the requests: node:http with keep-alive (`node`), or ky over fetch (`ky`). */
export type EngineName = 'node' | 'ky';

/**
 * An `http.Agent` or `https.Agent` of Node, or an agent of a compatible package, for example for a proxy. The
 * type lists only one member, so that this package's types depend on no other package.
 */
export interface HttpAgent {
  /** The maximum number of sockets per host. */
  readonly maxSockets: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The HTTP client sets a form's content type. */
  readonly body: string | Form | undefined;
}

/** A result keeps this object, so it must not reference the body or the socket. */
export interface ResponseHead {
  readonly status: number;
  header(name: string): string | undefined;
  headers(): Record<string, string>;
}

export interface HttpResponse {
  readonly head: ResponseHead;
  readonly body: Uint8Array;
  readonly codingProblem: string | undefined;
}

export type FailureKind =
  | 'unsendable'
  | 'connect'
  | 'certificate'
  /** A proxy rejected the request. Nothing reached the platform. */
  | 'proxy'
  /** The connection broke, or the response was not HTTP. */
  | 'broken'
  /** A response arrived that is incomplete, or that cannot be used. */
  | 'unreadable'
  | 'too-large'
  | 'file'
  | 'interrupted';

export class HttpClientError extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Whether any byte of the request may have been sent. */
    readonly sent: boolean,
    readonly details: {
      readonly head?: ResponseHead;
      /** Whether the request used a keep-alive connection that the server had closed in the meantime. */
      readonly stale?: boolean;
      /** Whether a retry would fail in the same way. */
      readonly permanent?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message);
  }
}

export function unsentFailure(
  { kind, message }: { readonly kind: 'certificate' | 'connect' | 'proxy'; readonly message: string },
  cause?: unknown,
): HttpClientError {
  return new HttpClientError(kind, message, false, { cause });
}

export function unsendableFailure(cause: unknown): HttpClientError {
  return new HttpClientError('unsendable', 'the request could not be made', false, { cause });
}

export function tooLargeFailure(head: ResponseHead): HttpClientError {
  return new HttpClientError('too-large', `the response is larger than ${maxBodyBytes} bytes`, true, {
    head,
  });
}

/** Sends a request exactly once, and reads the response completely. The transport decides about retries. */
export interface HttpClient {
  readonly name: EngineName;
  send(request: HttpRequest, deadline: Deadline): Promise<HttpResponse>;
  /** Closes idle connections, so that the next request uses a new one. */
  dropIdle(): void;
  /** Closes idle connections at once. Closes each connection in use when its request has ended. */
  close(): void;
}

/** How a runtime loads the engines. */
export interface Engines {
  /** Returns undefined on any runtime but Node. */
  nodeClientLoader(): ((baseUrl: URL, agent: HttpAgent | undefined) => Promise<HttpClient>) | undefined;
  loadKyClient(): Promise<{
    createKyClient(baseUrl: URL, fetch: Fetch): HttpClient;
    readonly runtimeFetch: Fetch;
  }>;
}

/** After decompression, in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** A kept chunk of one byte can keep a whole socket buffer in memory. */
export class BodyCollector {
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

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
