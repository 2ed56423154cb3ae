import type { Deadline } from '../deadline.js';
import type { Form } from '../upload/form.js';

/** Any function with the signature of `fetch`. It is called with the address as text and an `init`, never with a `Request`, and must send once: one that repeats by itself can execute twice. */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

export type EngineName = 'node' | 'ky';

/** An `http.Agent` or `https.Agent` of Node; named by shape, so that the package's types need none of Node's. */
export interface HttpAgent {
  readonly maxSockets: number;
  destroy(): void;
}

/** One request, ready for the wire. */
export interface EngineRequest {
  readonly method: string;
  /** Path and query, after the base address. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A form brings its own content type. */
  readonly body: string | Form | undefined;
}

/** What comes before the body. Kept beside a result, so it holds neither the body nor the socket. */
export interface ResponseHead {
  readonly status: number;
  /** One header by its name in lower case. */
  header(name: string): string | undefined;
  /** All of them, names in lower case. */
  headers(): Record<string, string>;
}

/** One answer, read whole. */
export interface EngineResponse {
  readonly head: ResponseHead;
  readonly body: Uint8Array;
}

export type FailureKind =
  /** The request could not be made: nothing was handed to the network, and a repeat would bring the same. */
  | 'unsendable'
  /** The connection could not be made: nothing was sent. */
  | 'connect'
  /** The server's certificate was refused: nothing was sent. */
  | 'certificate'
  /** A proxy refused: nothing reached the platform. */
  | 'proxy'
  /** The connection broke, or what came over it was no HTTP. */
  | 'broken'
  /** The head of an answer came, its body did not come whole or cannot be decoded. */
  | 'unreadable'
  /** The body of an answer is larger than the limit. */
  | 'too-large'
  /** A file of the form could not be read to its end. */
  | 'file'
  /** The deadline or the caller's signal interrupted. */
  | 'interrupted';

/** What an engine rejects with, and nothing else. */
export class EngineFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Whether any byte of the request may have left. */
    readonly sent: boolean,
    readonly details: {
      /** The status, when the head of an answer had come. */
      readonly status?: number | undefined;
      /** The connection was an idle one that the server had closed in the meantime. */
      readonly stale?: boolean;
      /** Trying again would bring the same. */
      readonly final?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message);
  }
}

/** Sends one request, exactly once, and reads the answer whole. It holds no policy. */
export interface Engine {
  readonly name: EngineName;
  /** @throws EngineFailure */
  send(request: EngineRequest, deadline: Deadline): Promise<EngineResponse>;
  /** Lets go of idle connections, and of those in use once they are done. */
  close(): void;
}

/** The largest answer that is read, after decompression: 10 MB, in bytes. */
export const largestBody = 10 * 1024 * 1024;
