import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, PaymentPlatform } from '../../../src/index.js';
import type { Sandbox } from '../../index.js';
import { type CheckName, type DiagnoseOptions, type Diagnosis, diagnose } from '../../testing/index.js';
import { sandboxForTest } from '../support.js';

/** Examines the connection from a new client to its platform. */
export async function examine(client: ClientOptions, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const platform = new PaymentPlatform(client);
  onTestFinished(() => platform.close());
  return diagnose(platform, { client, ...options });
}

/** Finds a check's result, without the check's name. */
export function findResult({ checks }: Diagnosis, name: CheckName) {
  const check = checks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`The diagnosis lacks ${name}.`);
  const { name: _, ...result } = check;
  return result;
}

/** Lists the names of the checks with a status. */
export const namesWith = ({ checks }: Diagnosis, status: string): string[] =>
  checks.filter((check) => check.status === status).map(({ name }) => name);

/** Returns options for a client that calls another address with a sandbox's credentials. */
export function optionsAt(baseUrl: string, sandbox: Sandbox): ClientOptions {
  const { clientId, clientSecret } = sandbox.clientOptions();
  return { baseUrl, clientId, clientSecret };
}

interface Message<Headers> {
  headers: Headers;
  body: Buffer;
}

/** Changes that a gateway makes. Each function receives a message and can change it. */
export interface Changes {
  readonly request?: (message: Message<IncomingHttpHeaders>, path: string) => void;
  readonly response?: (message: Message<OutgoingHttpHeaders> & { status: number }, path: string) => void;
  /** Sends the response itself. */
  readonly respond?: (response: ServerResponse, body: Buffer) => void;
}

/** Starts a gateway in front of a server. Returns its URL. */
export async function startGateway(target: string, changes: Changes): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const request = { headers: { ...incoming.headers }, body: await readAll(incoming) };
    changes.request?.(request, path);
    const { host, connection, 'content-length': _, ...headers } = request.headers;
    const received = await fetch(new URL(path, target), {
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(request.body.length > 0 && { body: new Uint8Array(request.body) }),
    }).catch(() => undefined);
    if (received === undefined) {
      outgoing.destroy();
      return;
    }
    const { connection: __, 'keep-alive': ___, ...kept } = Object.fromEntries(received.headers);
    const response = {
      status: received.status,
      headers: kept as OutgoingHttpHeaders,
      body: Buffer.from(await received.arrayBuffer()),
    };
    changes.response?.(response, path);
    const { status, body } = response;
    if (response.headers.date === undefined) outgoing.sendDate = false;
    outgoing.writeHead(status, { ...response.headers, 'content-length': body.length });
    if (changes.respond === undefined) outgoing.end(body);
    else changes.respond(outgoing, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Starts a sandbox on this machine's clock, and returns its client's options. */
export async function served(options = {}) {
  const sandbox = sandboxForTest({ now: undefined, ...options });
  const { clientOptions } = await sandbox.listen();
  return { sandbox, client: clientOptions() };
}

/** Starts a proxy that passes tunnels to their target. */
export async function startProxy() {
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const passed = sendRequest(request.url ?? '', { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    request.pipe(passed);
  });
  server.on('connect', ({ url = '' }, socket) => {
    const [host, port] = url.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target]) end.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
