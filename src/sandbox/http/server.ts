import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Readers, that } from '../../input/options.js';
import { checkedOptions } from '../checked-options.js';
import type { MerchantReference } from '../merchants/merchant-control.js';
import { createHostCheck, hostList, type Refusal } from './host-check.js';
import { type Answer, firstHalf } from './wire.js';

/** Where a sandbox listens. */
export interface ListenOptions {
  /** 0 to 65535. Default 0: any free port. */
  port?: number | undefined;
  /** A host name or an address of this machine. Default 127.0.0.1. */
  host?: string | undefined;
  /**
   * Names under which clients may reach the server besides the ones it listens on, such as the name of a
   * service in docker-compose: `['sandbox']`, or with a port `['sandbox:4010']`; without one any port is
   * meant. A request with another Host header is answered 421. Default: none.
   */
  allowedHosts?: readonly string[] | undefined;
}

const readers: Readers<ListenOptions> = {
  port: that(
    (given) => Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 65_535,
    'must be a port: an integer from 0 to 65535',
  ),
  host: that((given) => typeof given === 'string' && given !== '', 'must be a host name or an address'),
  allowedHosts: hostList,
};

/** How a request is answered: its head, its body as it arrives, and where it comes from. */
type Answering = (request: Request, body: AsyncIterable<Uint8Array>, address: string) => Promise<Answer>;

/** So long, in real milliseconds, the rest of a request may take that was answered before its end. */
const restTimeout = 5_000;

/** The sandbox on a port. */
export interface SandboxServer {
  readonly url: string;
  readonly port: number;
  /** For a client that reaches the sandbox over HTTP; without a merchant it is the sandbox's own. */
  clientOptions(merchant?: MerchantReference): { baseUrl: string; clientId: string; clientSecret: string };
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves what `answer` says to a request.
 *
 * @throws TypeError that names every option that breaks the rules.
 */
export async function serve(
  answer: Answering,
  options: ListenOptions,
): Promise<Omit<SandboxServer, 'clientOptions'>> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [] } = checkedOptions('listen', options, readers);
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort, address } = server.address() as AddressInfo;
  const objectionTo = createHostCheck({
    host,
    address,
    port: actualPort,
    allowedHosts: lowerCase(allowedHosts),
  });
  const respond = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const pending = answer(request, bodyOf(incoming, outgoing), incoming.socket.remoteAddress ?? '');
      return overHttp(pending, incoming, outgoing);
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = objectionTo(incoming);
    if (refusal === undefined) return void respond(incoming, outgoing);
    const body = bodyOfRefusal(refusal);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    outgoing.writeHead(refusal.status, headers).end(body);
    passOver(incoming);
  };
  server.on('request', onRequest);
  // Whether a body is welcome is decided first: a client that asks is told before it sends one.
  server.on('checkContinue', onRequest);
  server.on('connect', (_, socket) => refuseTunnel(socket));
  return {
    url: `http://${reachable(host)}:${actualPort}`,
    port: actualPort,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const lowerCase = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));

/** The body of a request. A reader that stops early leaves the connection open for the answer. */
async function* bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): AsyncGenerator<Uint8Array> {
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  yield* incoming.iterator({ destroyOnReturn: false });
}

/** Lets the rest of a request go by, so that its caller reads the answer; but not for ever. */
function passOver(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const timer = setTimeout(() => incoming.destroy(), restTimeout);
  timer.unref();
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}

const bodyOfRefusal = ({ code, message }: Omit<Refusal, 'status'>) =>
  JSON.stringify({ error: { code, message, issues: [] } });

/** Node ends the connection of a CONNECT without a word. */
function refuseTunnel(socket: Duplex): void {
  const body = bodyOfRefusal({ code: 'bad_request', message: 'The sandbox is no proxy.' });
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** An address to connect to: a server on every interface is reached on loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** An answer on a socket. What has no response is written, or not written, by hand. */
async function overHttp(
  pending: Promise<Answer>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  let answer: Answer;
  try {
    answer = await pending;
  } catch {
    // The caller went away, or the sandbox was closed: there is nobody to answer.
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  switch (answer.kind) {
    case 'response':
      passOver(incoming);
      return answer.response;
    case 'reset':
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case 'hang':
      // Keep-alive connections end when the caller or the server closes them.
      return RESPONSE_ALREADY_SENT;
    case 'truncate': {
      const { headers, half } = await firstHalf(answer.response);
      outgoing.writeHead(answer.response.status, Object.fromEntries(headers));
      outgoing.write(half, () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    }
  }
}
