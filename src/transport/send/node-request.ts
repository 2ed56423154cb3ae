import type http from 'node:http';
import type { Socket } from 'node:net';
import {
  errorCode,
  notConnected,
  reasonBeforeSending,
  rejectedByProxy,
  withHint,
} from '../../platform/node-failures.js';
import type { Deadline } from '../call/deadline.js';
import type { NodeUpload } from '../upload/node-upload.js';
import { decodeBody } from './content-codings.js';
import {
  BodyCollector,
  HttpClientError,
  type HttpResponse,
  type ResponseHead,
  tooLargeFailure,
  unsendableFailure,
  unsentFailure,
} from './http-client.js';

/** Milliseconds to make a connection, including TLS, before the attempt fails. */
const connectTimeoutMs = 10_000;

/** A property that is missing from TLSSocket's types: true until the handshake is done. */
interface Handshake {
  readonly secureConnecting?: boolean;
}

/** Any stream that is not a socket counts as open. */
const isConnecting = (socket: Socket & Handshake) =>
  socket.connecting === true || socket.secureConnecting === true;

/** A request on a connection that the server had closed fails with these codes, within these milliseconds. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE']);
const staleWithinMs = 1_000;

export interface ConnectionAccess {
  /** `request` is read at each call, because tests and instrumentation replace it. */
  readonly client: Pick<typeof http, 'request'>;
  /** Nothing is assumed about any other socket, which can come from a caller's agent or a test. */
  readonly isOwnSocket: (socket: Socket) => boolean;
  readonly connected: 'connect' | 'secureConnect';
  /** If one of them was closed by the server, the others probably are as well. */
  readonly dropIdle: () => void;
}

export class NodeRequest {
  readonly #connection: ConnectionAccess;
  readonly #upload: NodeUpload | undefined;
  readonly #deadline: Deadline;
  readonly #started = performance.now();
  #request!: http.ClientRequest;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: HttpClientError) => void;
  #connecting: ReturnType<typeof setTimeout> | undefined;
  #settled = false;
  #isOwnSocket = false;
  /** Whether a socket that is not from the SDK's pool has connected, so that bytes may have been sent. */
  #isConnected = false;
  /** The caller's agent passed a socket that is not writable, so no part of the request was sent. */
  #isUnwritable = false;
  /** A socket of the SDK's pool that had already connected when the request got it. */
  #socket: Socket | undefined;
  #writtenBefore = 0;
  /** Whether bytes may have been sent over a new socket, or over a socket that is not from the SDK's pool. */
  #mayBeSent = false;

  constructor(connection: ConnectionAccess, deadline: Deadline, upload: NodeUpload | undefined) {
    this.#connection = connection;
    this.#deadline = deadline;
    this.#upload = upload;
  }

  send(options: http.RequestOptions, body: string | undefined): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      try {
        this.#request = this.#connection.client.request(options);
      } catch (error) {
        return reject(unsendableFailure(error));
      }
      // The function is assigned to a const first, because V8 treats a function literal that is assigned to a
      // property as long-lived.
      const interrupt = () => this.#fail(new HttpClientError('interrupted', 'interrupted', this.#isSent()));
      this.#deadline.interrupt = interrupt;
      const request = this.#request;
      request.on('error', (error) => this.#onError(error));
      request.on('socket', (socket: Socket) => this.#onSocket(socket));
      request.on('upgrade', (message, socket) => {
        socket.destroy();
        this.#fail(
          new HttpClientError('unreadable', 'the response is an upgrade that nobody requested', true, {
            head: readHead(message),
          }),
        );
      });
      request.on('response', (message) => this.#onResponse(message));
      // Node sets the length of a body, except for a DELETE.
      if (body !== undefined && options.method === 'DELETE')
        request.setHeader('content-length', Buffer.byteLength(body));
      if (this.#upload === undefined) request.end(body);
    });
  }

  /** Bytes count as sent unless the opposite is certain. */
  #isSent(): boolean {
    return this.#socket === undefined ? this.#mayBeSent : this.#socket.bytesWritten > this.#writtenBefore;
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#connecting);
    this.#deadline.interrupt = undefined;
  }

  #fail(failure: HttpClientError): void {
    if (this.#settled) return;
    this.#settle();
    this.#reject(failure);
    this.#request.destroy();
  }

  #succeed(response: HttpResponse): void {
    if (this.#settled) return;
    this.#settle();
    this.#resolve(response);
    // The response arrived before the whole request was sent. The rest of the request must not follow.
    if (this.#upload?.isDone === false || !this.#request.writableFinished) this.#request.destroy();
  }

  #startUpload(): void {
    this.#upload?.start(this.#request, (problem) => {
      const what = `the upload broke off, because ${problem.message}`;
      this.#fail(new HttpClientError('file', what, this.#isSent(), { permanent: problem.permanent }));
    });
  }

  #onError(error: Error): void {
    // The SDK has ended this request itself, which also raises an error. That error says nothing about other
    // connections.
    if (this.#settled) return;
    const { reusedSocket } = this.#request;
    const code = errorCode(error);
    const sent = this.#isSent();
    // A failure is early if no byte was sent. On a socket that has connected, it never counts as early. On an
    // unconnected socket of a caller's agent, only the error itself can prove that no byte was sent.
    const canBeEarly = !reusedSocket && !(this.#isOwnSocket ? sent : this.#isConnected);
    const reason = canBeEarly ? reasonBeforeSending(error) : undefined;
    const stale = reusedSocket && staleCodes.has(code) && performance.now() - this.#started < staleWithinMs;
    // The retry must use a new connection.
    if (stale) this.#connection.dropIdle();
    if (reason !== undefined) this.#fail(unsentFailure(reason, error));
    else if (!reusedSocket && !sent) this.#fail(unsentFailure(notConnected(code), error));
    else {
      const what = `connection lost before the response${withHint(code)}`;
      this.#fail(new HttpClientError('broken', what, sent, { stale, cause: error }));
    }
  }

  /** If the process was suspended, a socket can connect before the deadline's timer fires. */
  #checkDeadline(): void {
    if (this.#deadline.stopReason === undefined || this.#settled) return;
    this.#fail(new HttpClientError('interrupted', 'interrupted', this.#isSent()));
  }

  #onSocket(socket: Socket): void {
    this.#checkDeadline();
    if (this.#settled) return;
    this.#isOwnSocket = this.#connection.isOwnSocket(socket);
    if (!this.#isOwnSocket) {
      this.#isUnwritable = socket.writable === false;
      // During the handshake, a TLS socket sends no part of a request, regardless of the agent that created
      // the socket.
      this.#mayBeSent = !this.#isUnwritable && (socket as Handshake).secureConnecting !== true;
      this.#isConnected = !this.#isUnwritable && !isConnecting(socket);
      // A connected socket gets no listener, because it never connects again, and the listener would keep
      // this request in memory.
      if (!this.#isConnected)
        socket.once(this.#connection.connected, () => {
          this.#checkDeadline();
          this.#isConnected = true;
          this.#mayBeSent = true;
        });
      this.#startUpload();
    } else if (isConnecting(socket)) {
      this.#connecting = setTimeout(() => {
        this.#fail(new HttpClientError('connect', `no connection within ${connectTimeoutMs} ms`, false));
      }, connectTimeoutMs);
      socket.once(this.#connection.connected, () => {
        clearTimeout(this.#connecting);
        this.#checkDeadline();
        if (this.#settled) return;
        this.#mayBeSent = true;
        this.#startUpload();
      });
    } else {
      // The socket is stored, not a function that reads it: V8 treats a function that is stored in a property
      // as long-lived, and keeps everything that the function uses in memory.
      this.#socket = socket;
      this.#writtenBefore = socket.bytesWritten;
      this.#startUpload();
    }
  }

  #onResponse(message: http.IncomingMessage): void {
    if (this.#isUnwritable) {
      // https-proxy-agent and proxy-agent pass on a socket like this if a proxy responds to CONNECT with a
      // status other than 200.
      this.#fail(unsentFailure(rejectedByProxy(message.statusCode)));
      return;
    }
    const head = readHead(message);
    const collected = new BodyCollector();
    message.on('data', (chunk: Buffer) => {
      if (!collected.add(chunk)) this.#fail(tooLargeFailure(head));
    });
    message.on('error', (cause) => {
      const what = 'connection lost during the response';
      this.#fail(new HttpClientError('unreadable', what, true, { head, cause }));
    });
    message.on('end', () => {
      const body = collected.bytes();
      const encoding = head.header('content-encoding');
      if (encoding === undefined) {
        this.#succeed({ head, body, codingProblem: undefined });
        return;
      }
      decodeBody(body, encoding, head, false).then(
        (response) => this.#succeed(response),
        (failure: HttpClientError) => this.#fail(failure),
      );
    });
  }
}

const readHead = ({ statusCode = 0, rawHeaders }: http.IncomingMessage): ResponseHead =>
  new NodeHead(statusCode, rawHeaders);

class NodeHead implements ResponseHead {
  constructor(
    readonly status: number,
    /** Alternating names and values, as received. */
    private readonly raw: readonly string[],
  ) {}

  header(name: string): string | undefined {
    return headerIn(this.raw, name);
  }

  headers(): Record<string, string> {
    const names = this.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    return Object.fromEntries(names.map((name) => [name, headerIn(this.raw, name) ?? '']));
  }
}

function headerIn(raw: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const candidate = raw[index] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      found = found === undefined ? raw[index + 1] : `${found}, ${raw[index + 1]}`;
    }
  }
  return found;
}
