import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { unref } from '#sandbox-runtime';
import { booleanReader, type OptionReaders, validIf } from '../../src/validation/options.js';
import { version } from '../../src/version.js';
import { readCheckedOptions } from '../arguments/checked-options.js';
import { hostList } from '../arguments/host-list.js';
import type { MerchantReference } from '../merchants/merchant-reference.js';
import type { Outcome } from './apply-fault.js';
import { sandboxHeader } from './control-paths.js';
import { createHostCheck, type HostRejection } from './host-check.js';
import { sendPieces } from './send-pieces.js';

export { readParts } from './node-multipart.js';

/** Options of `listen`. */
export interface ListenOptions {
  /** 0 to 65535. Default 0: any free port. */
  port?: number | undefined;
  /** A host name or an address on this machine. Default 127.0.0.1. */
  host?: string | undefined;
  /**
   * Host names that clients can use in addition to the server's addresses. For example, for a docker-compose
   * service, pass `['sandbox']` (any port) or `['sandbox:4010']`. A request with an unknown Host header gets a
   * 421. Default: none.
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Whether the process stays alive while the server listens. Under Jest, Vitest or node:test, the default is
   * false, so that a sandbox left open by a test does not keep the process alive. Default: true.
   */
  keepAlive?: boolean | undefined;
}

const optionReaders: OptionReaders<ListenOptions> = {
  port: validIf(
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    'must be a port: an integer from 0 to 65535',
  ),
  host: validIf((value) => typeof value === 'string' && value !== '', 'must be a host name or an address'),
  allowedHosts: hostList,
  keepAlive: booleanReader,
};

type RequestHandler = (
  request: Request,
  body: AsyncIterable<Uint8Array>,
  address: string,
) => Promise<Outcome>;

/** Real milliseconds to keep reading a request after its response was sent. */
const restTimeout = 5_000;

/** A sandbox that listens on a port. */
export interface SandboxServer {
  /** The server's address, such as `http://127.0.0.1:4010`. Pass it to clients as `baseUrl`. */
  readonly url: string;
  /** The listening port, 1 to 65535. */
  readonly port: number;
  /** Returns options for a client that calls the server over HTTP. Default: the sandbox's first merchant. */
  clientOptions(merchant?: MerchantReference): { baseUrl: string; clientId: string; clientSecret: string };
  /** Closes every connection and the port. */
  close(): Promise<void>;
}

export async function serve(
  handle: RequestHandler,
  options: ListenOptions,
): Promise<Omit<SandboxServer, 'clientOptions'>> {
  const {
    port = 0,
    host = '127.0.0.1',
    allowedHosts = [],
    keepAlive = !isTest(),
  } = readCheckedOptions('listen', options, optionReaders);
  // Loaded here, because the package extends the global Request, which Jest's jsdom environment lacks.
  const { getRequestListener } = await import('@hono/node-server');
  const server = createServer();
  if (!keepAlive) {
    server.unref();
    server.on('connection', (socket) => socket.unref());
  }
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort, address } = server.address() as AddressInfo;
  const findRejection = createHostCheck({
    host,
    address,
    port: actualPort,
    allowedHosts: lowerCase(allowedHosts),
  });
  const respond = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const pending = handle(request, readBody(incoming, outgoing), incoming.socket.remoteAddress ?? '');
      return overHttp(pending, incoming, outgoing);
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const rejection = findRejection(incoming);
    if (rejection === undefined) return void respond(incoming, outgoing);
    const body = formatRejection(rejection);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      [sandboxHeader]: version,
    };
    outgoing.writeHead(rejection.status, headers).end(body);
    dropRest(incoming);
  };
  server.on('request', onRequest);
  // A client that sends Expect: 100-continue gets a rejection before it sends its body.
  server.on('checkContinue', onRequest);
  server.on('connect', (_, socket) => rejectTunnel(socket));
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

/** Jest and Vitest have globals, node:test a variable. */
const isTest = (): boolean =>
  '__vitest_worker__' in globalThis ||
  Object.getOwnPropertySymbols(globalThis).some(({ description }) => description === 'JEST_STATE_SYMBOL') ||
  process.env.NODE_TEST_CONTEXT !== undefined;

const lowerCase = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));

/** If the reader stops early, the connection stays open for the response. */
async function* readBody(incoming: IncomingMessage, outgoing: ServerResponse): AsyncGenerator<Uint8Array> {
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  yield* incoming.iterator({ destroyOnReturn: false });
}

/** Some callers read the response only after they have sent everything. */
function dropRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const timer = setTimeout(() => incoming.destroy(), restTimeout);
  unref(timer);
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}

const formatRejection = ({ code, message }: Omit<HostRejection, 'status'>) =>
  JSON.stringify({ error: { code, message, issues: [] } });

/** Otherwise Node would close the connection without a response. */
function rejectTunnel(socket: Duplex): void {
  const body = formatRejection({ code: 'bad_request', message: 'The sandbox is not a proxy.' });
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Loopback for a server on every interface. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

const alreadySent = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

/** Broken responses are written directly to the socket. */
async function overHttp(
  pending: Promise<Outcome>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  let outcome: Outcome;
  try {
    outcome = await pending;
  } catch {
    // The caller has closed the connection, or the sandbox was closed.
    outgoing.destroy();
    return alreadySent();
  }
  switch (outcome.kind) {
    case 'response':
      dropRest(incoming);
      return outcome.response;
    case 'reset':
      outgoing.socket?.resetAndDestroy();
      return alreadySent();
    case 'hang':
      // The connection stays open until the caller or the server closes it.
      return alreadySent();
    case 'piecewise':
      dropRest(incoming);
      await sendPieces(outcome, outgoing);
      return alreadySent();
  }
}
