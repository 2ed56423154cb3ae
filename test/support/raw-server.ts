import { once } from 'node:events';
import net from 'node:net';

/** One request as received from the socket. */
interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The request byte for byte, except the port in the Host header. */
  readonly text: string;
}

/** A request, and the socket for its response. */
export interface Exchange {
  readonly request: RawRequest;
  readonly socket: net.Socket;
  /** 0 for the server's first request. */
  readonly index: number;
  /** 0 for the first request on its connection. */
  readonly onConnection: number;
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RawRequest[];
  readonly connections: number;
  /** Resolves when the n-th request (1 for the first) has arrived. */
  arrived(count: number): Promise<void>;
  /** Resolves when no connection is open. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

export interface RawServerOptions {
  /** Runs for each new connection, before the server reads from it. */
  onConnection?: (socket: net.Socket, index: number) => void;
  /** Runs for each chunk of an incomplete request. Return true to stop reading. */
  onBytes?: (socket: net.Socket, received: number) => boolean | undefined;
}

/** Starts a server that speaks TCP, not HTTP. `respond` writes the response and closes the connection. */
export async function rawServer(
  respond: (exchange: Exchange) => void,
  options: RawServerOptions = {},
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const idle: (() => void)[] = [];
  const open = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      if (open.size === 0) for (const resolve of idle.splice(0)) resolve();
    });
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    const connection = connections++;
    options.onConnection?.(socket, connection);
    let buffer = Buffer.alloc(0);
    let onConnection = 0;
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      if (options.onBytes?.(socket, buffer.length)) return;
      for (let parsed = parse(buffer); parsed !== undefined; parsed = parse(buffer)) {
        buffer = buffer.subarray(parsed.length);
        const index = requests.push(parsed.request) - 1;
        for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
        respond({ request: parsed.request, socket, index, onConnection: onConnection++ });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    arrived: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    drained: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function parse(buffer: Buffer): { request: RawRequest; length: number } | undefined {
  const end = buffer.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = buffer.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (buffer.length < length) return undefined;
  const [method = '', path = ''] = start.split(' ');
  const text = buffer
    .subarray(0, length)
    .toString('utf8')
    .replace(/(host: 127\.0\.0\.1):\d+/i, '$1');
  return {
    request: { method, path, headers, body: buffer.subarray(end + 4, length).toString('utf8'), text },
    length,
  };
}

/** Writes an HTTP response. `length` can be false on purpose. */
export function formatResponse(
  body: string | Buffer,
  {
    status = 200,
    headers = {},
    length,
  }: { status?: number; headers?: Record<string, string>; length?: number } = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const all = {
    'content-type': 'application/json',
    'content-length': String(length ?? bytes.length),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${head.join('')}\r\n`), bytes]);
}
