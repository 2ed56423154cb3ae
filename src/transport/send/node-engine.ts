import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.js';
import type { Form } from '../upload/form.js';
import type { NodeUpload } from '../upload/node-upload.js';
import { BodyCollector } from './body-collector.js';
import { unpack } from './decompress.js';
import {
  type Engine,
  EngineFailure,
  type EngineRequest,
  type EngineResponse,
  type HttpAgent,
  type ResponseHead,
} from './engine.js';
import {
  codeOf,
  failureBeforeSending,
  inBrackets,
  tooLarge,
  unconnected,
  unsendable,
} from './engine-failures.js';

/**
 * Sockets are bounded, so that a burst waits in line instead of opening a connection each, and
 * the last one used is taken first, so that idle ones grow old and close.
 */
const poolOptions = { keepAlive: true, maxSockets: 100, maxFreeSockets: 32, scheduling: 'lifo' } as const;

/** Milliseconds for a connection to be made, TLS included, before another attempt is worth more. */
const connectTimeout = 10_000;

/** One whose body is text, or comes as an upload beside it. */
type TextRequest = EngineRequest & { readonly body: string | undefined };

class NodeHead implements ResponseHead {
  constructor(
    readonly status: number,
    /** Names and values in turn, as they came. */
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

/** The value of a header by its name in lower case; a repeated one is joined. */
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

/** TLSSocket has it, its types do not: true until the handshake is done. */
interface Handshake {
  readonly secureConnecting?: boolean;
}

/** How a connection fails that the server had closed while it was idle, and how soon it shows. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE']);
const staleWithin = 1_000;

/** node:http and node:https with a keep-alive agent: a fraction of the CPU of fetch. */
export async function createNodeEngine(baseUrl: URL, givenAgent: HttpAgent | undefined): Promise<Engine> {
  // Imported here, so that a bundle for a runtime without node:http can carry this file.
  const { default: client } =
    baseUrl.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const connected = baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect';
  /** Sockets that are known to be real ones: of others (an agent's, a test's) nothing is presumed. */
  const own = new WeakSet<object>();

  const pool: http.Agent = new client.Agent(poolOptions);
  const connect = pool.createConnection;
  pool.createConnection = (...args) => {
    const socket = connect.apply(pool, args);
    if (socket) own.add(socket);
    return socket;
  };
  const agent = (givenAgent as http.Agent | undefined) ?? pool;
  const { protocol, port } = baseUrl;
  const hostname = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  async function sendForm(request: EngineRequest, form: Form, deadline: Deadline): Promise<EngineResponse> {
    const upload = await uploadOf(form);
    const headers = Object.assign({}, request.headers, upload.headers);
    try {
      return await exchange({ ...request, headers, body: undefined }, deadline, upload);
    } finally {
      upload.stop();
    }
  }

  const send = (request: EngineRequest, deadline: Deadline) =>
    typeof request.body === 'object'
      ? sendForm(request, request.body, deadline)
      : exchange(request as TextRequest, deadline, undefined);

  function exchange(
    { method, target, headers, body }: TextRequest,
    deadline: Deadline,
    upload: NodeUpload | undefined,
  ): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      let request: http.ClientRequest;
      try {
        // No spread in here: node:http reads an object that was built by one several times slower.
        request = client.request({
          protocol,
          hostname,
          port,
          agent,
          method,
          path: prefix + target,
          headers,
          // Named, so that none of them is found on a prototype that somebody has changed.
          auth: undefined,
          defaultPort: undefined,
          setHost: undefined,
          socketPath: undefined,
        });
      } catch (error) {
        return reject(unsendable(error));
      }
      const started = performance.now();
      /** Whether any byte may have left. Without a socket none has; with one, only proof to the contrary counts. */
      let isSent = () => false;
      let isOwn = false;
      let connecting: ReturnType<typeof setTimeout> | undefined;
      let settled = false;

      const settle = () => {
        settled = true;
        clearTimeout(connecting);
        deadline.interrupt = undefined;
      };
      const fail = (failure: EngineFailure) => {
        if (settled) return;
        settle();
        reject(failure);
        request.destroy();
      };
      const succeed = (message: http.IncomingMessage, bytes: Uint8Array) => {
        if (settled) return;
        settle();
        resolve({ head: new NodeHead(message.statusCode ?? 0, message.rawHeaders), body: bytes });
        // Answered before it was all there: what is left of it must not follow.
        if (upload?.isDone === false || !request.writableFinished) request.destroy();
      };
      const startUpload = () =>
        upload?.start(request, (problem) => {
          const what = `the upload broke off: ${problem.message}`;
          fail(new EngineFailure('file', what, isSent(), { final: problem.final }));
        });

      // Named first: a function literal assigned to a property is kept by V8 as if it lived long.
      const interrupt = () => fail(new EngineFailure('interrupted', 'interrupted', isSent()));
      deadline.interrupt = interrupt;
      request.on('error', (error) => {
        const code = codeOf(error);
        const { reusedSocket } = request;
        const sent = isSent();
        if (!reusedSocket && !sent) return fail(failureBeforeSending(error) ?? unconnected(code, error));
        // Of a socket that is not ours only the error itself can tell that it was never connected.
        const early = reusedSocket || isOwn ? undefined : failureBeforeSending(error);
        if (early !== undefined) return fail(early);
        const stale = reusedSocket && staleCodes.has(code) && performance.now() - started < staleWithin;
        // The other idle connections are as old: what is sent again goes over a new one.
        if (stale) destroyIdle(pool);
        const what = `the connection broke before the answer${inBrackets(code)}`;
        fail(new EngineFailure('broken', what, sent, { stale, cause: error }));
      });
      request.on('socket', (socket: Socket) => {
        isOwn = own.has(socket);
        if (!isOwn) {
          isSent = () => true;
          startUpload();
        } else if (socket.connecting || (socket as Handshake).secureConnecting === true) {
          connecting = setTimeout(() => {
            fail(new EngineFailure('connect', `no connection within ${connectTimeout} ms`, false));
          }, connectTimeout);
          socket.once(connected, () => {
            clearTimeout(connecting);
            isSent = () => true;
            startUpload();
          });
        } else {
          const before = socket.bytesWritten;
          isSent = () => socket.bytesWritten > before;
          startUpload();
        }
      });
      request.on('upgrade', (message, socket) => {
        socket.destroy();
        const status = message.statusCode;
        fail(new EngineFailure('unreadable', 'an upgrade that nobody asked for', true, { status }));
      });
      request.on('response', (message: http.IncomingMessage) => {
        const status = message.statusCode;
        const collected = new BodyCollector();
        message.on('data', (chunk: Buffer) => {
          if (!collected.add(chunk)) fail(tooLarge(status));
        });
        message.on('error', (cause) => {
          fail(
            new EngineFailure('unreadable', 'the connection broke in the middle of the answer', true, {
              status,
              cause,
            }),
          );
        });
        message.on('end', () => {
          const whole = collected.bytes();
          const encoding = headerIn(message.rawHeaders, 'content-encoding');
          if (whole.length === 0 || encoding === undefined || encoding === 'identity')
            return succeed(message, whole);
          unpack(whole, encoding, status).then((plain) => succeed(message, plain), fail);
        });
      });
      // Node frames the body by itself, but not that of a DELETE.
      if (body !== undefined && method === 'DELETE')
        request.setHeader('content-length', Buffer.byteLength(body));
      if (upload === undefined) request.end(body);
    });
  }

  return {
    name: 'node',
    send,
    close: () => {
      destroyIdle(pool);
      // From now on a connection is closed by whoever is done with it.
      Object.assign(pool, { keepAlive: false });
    },
  };
}

/** Loaded with the first upload: most merchants never make one. */
async function uploadOf(form: Form): Promise<NodeUpload> {
  try {
    const { NodeUpload } = await import('../upload/node-upload.js');
    return new NodeUpload(form);
  } catch (error) {
    throw unsendable(error);
  }
}

function destroyIdle(pool: http.Agent): void {
  for (const sockets of Object.values(pool.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
