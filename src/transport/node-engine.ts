import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Deadline } from './deadline.js';
import {
  type Engine,
  EngineFailure,
  type EngineRequest,
  type EngineResponse,
  largestBody,
} from './engine.js';
import { codeOf, tooLarge, unsent } from './failures.js';
import { unpack } from './unpack.js';

/**
 * Sockets are bounded, so that a burst waits in line instead of opening a connection each, and
 * the last one used is taken first, so that idle ones grow old and close.
 */
const pool = { keepAlive: true, maxSockets: 100, maxFreeSockets: 32, scheduling: 'lifo' } as const;

/** Milliseconds for a connection to be made, TLS included, before another attempt is worth more. */
const connectTimeout = 10_000;

/** Keeps the status and the headers as they came, and lets go of the message with its socket. */
class NodeResponse implements EngineResponse {
  constructor(
    readonly status: number,
    /** Names and values in turn. */
    private readonly raw: readonly string[],
    readonly body: Uint8Array,
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
  readonly secureConnecting: boolean;
}

/** How a connection fails that the server had closed while it was idle. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE']);

/** node:http and node:https with a keep-alive agent: a fraction of the CPU of fetch. */
export async function createNodeEngine(baseUrl: URL, givenAgent: http.Agent | undefined): Promise<Engine> {
  const secure = baseUrl.protocol === 'https:';
  // Imported here, so that a bundle for a runtime without node:http can carry this file.
  const { default: client } = secure ? await import('node:https') : await import('node:http');
  const agent = givenAgent ?? new client.Agent(pool);
  const destination = {
    protocol: baseUrl.protocol,
    hostname: baseUrl.hostname.replace(/^\[|\]$/g, ''),
    port: baseUrl.port,
    agent,
  };
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  function send(
    { method, target, headers, body }: EngineRequest,
    deadline: Deadline,
  ): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      const request = client.request({ ...destination, method, path: prefix + target, headers });
      /** What the connection had sent before this request; undefined until it is ready for it. */
      let before: number | undefined;
      let connecting: ReturnType<typeof setTimeout> | undefined;
      let settled = false;

      const isSent = () => before !== undefined && (request.socket?.bytesWritten ?? 0) > before;
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
      const succeed = (message: http.IncomingMessage, body: Buffer) => {
        if (settled) return;
        settle();
        resolve(new NodeResponse(message.statusCode ?? 0, message.rawHeaders, body));
      };

      deadline.interrupt = () => fail(new EngineFailure('interrupted', 'interrupted', isSent()));
      request.on('error', (error) => {
        if (before === undefined) return fail(unsent(codeOf(error), error));
        const stale = request.reusedSocket && staleCodes.has(codeOf(error));
        const what = `the connection broke before the answer (${codeOf(error) || error.message})`;
        fail(new EngineFailure('broken', what, isSent(), { stale, cause: error }));
      });
      request.on('socket', (socket: Socket) => {
        if (!socket.connecting && !(socket as Partial<Handshake>).secureConnecting) {
          before = socket.bytesWritten;
          return;
        }
        connecting = setTimeout(() => {
          fail(new EngineFailure('connect', `no connection within ${connectTimeout} ms`, false));
        }, connectTimeout);
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          clearTimeout(connecting);
          before = -1;
        });
      });
      request.on('response', (message: http.IncomingMessage) => {
        const status = message.statusCode;
        const cut = (cause?: Error) =>
          fail(
            new EngineFailure('unreadable', 'the connection broke in the middle of the answer', true, {
              status,
              cause,
            }),
          );
        const chunks: Buffer[] = [];
        let size = 0;
        message.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > largestBody) fail(tooLarge(status));
          else chunks.push(chunk);
        });
        message.on('error', cut);
        message.on('end', () => {
          if (!message.complete) return cut();
          const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
          const encoding = headerIn(message.rawHeaders, 'content-encoding');
          if (size === 0 || encoding === undefined || encoding === 'identity') return succeed(message, whole);
          unpack(whole, encoding, status).then((plain) => succeed(message, plain), fail);
        });
      });
      request.end(body);
    });
  }

  return {
    name: 'node',
    send,
    close: () => {
      if (givenAgent === undefined) agent.destroy();
    },
  };
}
