import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.js';
import type { NodeUpload } from '../upload/node-upload.js';
import { BodyCollector } from './body-collector.js';
import { unpack } from './decompress.js';
import { EngineFailure, type EngineResponse } from './engine.js';
import {
  codeOf,
  failureBeforeSending,
  inBrackets,
  tooLarge,
  unconnected,
  unsendable,
} from './engine-failures.js';
import { headerIn, NodeHead } from './node-head.js';

/** Milliseconds for a connection to be made, TLS included, before another attempt is worth more. */
const connectTimeout = 10_000;

/** TLSSocket has it, its types do not: true until the handshake is done. */
interface Handshake {
  readonly secureConnecting?: boolean;
}

/** How a connection fails that the server had closed while it was idle, and how soon it shows. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE']);
const staleWithin = 1_000;

/** What an exchange goes over. */
export interface Connection {
  readonly open: (options: http.RequestOptions) => http.ClientRequest;
  /** Whether a socket is known to be a real one: of others (an agent's, a test's) nothing is presumed. */
  readonly isOwn: (socket: Socket) => boolean;
  /** The event of a socket that is ready to be written to. */
  readonly connected: 'connect' | 'secureConnect';
  /** The other idle connections are as old as one that turned out to be closed. */
  readonly dropIdle: () => void;
}

/** One request over node:http and its answer. It settles once. */
export class NodeExchange {
  readonly #connection: Connection;
  readonly #upload: NodeUpload | undefined;
  readonly #deadline: Deadline;
  readonly #started = performance.now();
  #request!: http.ClientRequest;
  #resolve!: (response: EngineResponse) => void;
  #reject!: (failure: EngineFailure) => void;
  #connecting: ReturnType<typeof setTimeout> | undefined;
  #settled = false;
  #isOwn = false;
  /** Whether any byte may have left. Without a socket none has; with one, only proof to the contrary counts. */
  #isSent = () => false;

  constructor(connection: Connection, deadline: Deadline, upload: NodeUpload | undefined) {
    this.#connection = connection;
    this.#deadline = deadline;
    this.#upload = upload;
  }

  /** Sends the request, and reads the answer whole. @throws EngineFailure */
  send(options: http.RequestOptions, body: string | undefined): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      try {
        this.#request = this.#connection.open(options);
      } catch (error) {
        return reject(unsendable(error));
      }
      // Named first: a function literal assigned to a property is kept by V8 as if it lived long.
      const interrupt = () => this.#fail(new EngineFailure('interrupted', 'interrupted', this.#isSent()));
      this.#deadline.interrupt = interrupt;
      const request = this.#request;
      request.on('error', (error) => this.#onError(error));
      request.on('socket', (socket: Socket) => this.#onSocket(socket));
      request.on('upgrade', (message, socket) => {
        socket.destroy();
        const status = message.statusCode;
        this.#fail(new EngineFailure('unreadable', 'an upgrade that nobody asked for', true, { status }));
      });
      request.on('response', (message) => this.#onResponse(message));
      // Node frames the body by itself, but not that of a DELETE.
      if (body !== undefined && options.method === 'DELETE')
        request.setHeader('content-length', Buffer.byteLength(body));
      if (this.#upload === undefined) request.end(body);
    });
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#connecting);
    this.#deadline.interrupt = undefined;
  }

  #fail(failure: EngineFailure): void {
    if (this.#settled) return;
    this.#settle();
    this.#reject(failure);
    this.#request.destroy();
  }

  #succeed(message: http.IncomingMessage, bytes: Uint8Array): void {
    if (this.#settled) return;
    this.#settle();
    this.#resolve({ head: new NodeHead(message.statusCode ?? 0, message.rawHeaders), body: bytes });
    // Answered before it was all there: what is left of it must not follow.
    if (this.#upload?.isDone === false || !this.#request.writableFinished) this.#request.destroy();
  }

  #startUpload(): void {
    this.#upload?.start(this.#request, (problem) => {
      const what = `the upload broke off: ${problem.message}`;
      this.#fail(new EngineFailure('file', what, this.#isSent(), { final: problem.final }));
    });
  }

  #onError(error: Error): void {
    const { reusedSocket } = this.#request;
    const code = codeOf(error);
    const sent = this.#isSent();
    // Of a socket that is not ours only the error itself can tell that it was never connected.
    const mayTell = !reusedSocket && !(this.#isOwn && sent);
    const early = mayTell ? failureBeforeSending(error) : undefined;
    const stale = reusedSocket && staleCodes.has(code) && performance.now() - this.#started < staleWithin;
    // What is sent again goes over a new connection.
    if (stale) this.#connection.dropIdle();
    if (early !== undefined) this.#fail(early);
    else if (!reusedSocket && !sent) this.#fail(unconnected(code, error));
    else {
      const what = `the connection broke before the answer${inBrackets(code)}`;
      this.#fail(new EngineFailure('broken', what, sent, { stale, cause: error }));
    }
  }

  #onSocket(socket: Socket): void {
    this.#isOwn = this.#connection.isOwn(socket);
    if (!this.#isOwn) {
      this.#isSent = () => true;
      this.#startUpload();
    } else if (socket.connecting || (socket as Handshake).secureConnecting === true) {
      this.#connecting = setTimeout(() => {
        this.#fail(new EngineFailure('connect', `no connection within ${connectTimeout} ms`, false));
      }, connectTimeout);
      socket.once(this.#connection.connected, () => {
        clearTimeout(this.#connecting);
        this.#isSent = () => true;
        this.#startUpload();
      });
    } else {
      const before = socket.bytesWritten;
      this.#isSent = () => socket.bytesWritten > before;
      this.#startUpload();
    }
  }

  #onResponse(message: http.IncomingMessage): void {
    const status = message.statusCode;
    const collected = new BodyCollector();
    message.on('data', (chunk: Buffer) => {
      if (!collected.add(chunk)) this.#fail(tooLarge(status));
    });
    message.on('error', (cause) => {
      const what = 'the connection broke in the middle of the answer';
      this.#fail(new EngineFailure('unreadable', what, true, { status, cause }));
    });
    message.on('end', () => {
      const whole = collected.bytes();
      const encoding = headerIn(message.rawHeaders, 'content-encoding');
      if (whole.length === 0 || encoding === undefined || encoding === 'identity') {
        this.#succeed(message, whole);
        return;
      }
      unpack(whole, encoding, status).then(
        (plain) => this.#succeed(message, plain),
        (failure: EngineFailure) => this.#fail(failure),
      );
    });
  }
}
