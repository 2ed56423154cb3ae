import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import net from 'node:net';

/** A CONNECT request that the proxy received. */
interface TunnelRequest {
  readonly authority: string;
  readonly authorization: string | undefined;
}

interface ProxyBehaviour {
  /** The port of 127.0.0.1 that every tunnel leads to, whatever the requested host. */
  readonly to?: number;
  /** Rejects every request with this status, and repeats the request in the body. */
  readonly rejectWith?: number;
  /** Closes each tunnel when the first bytes pass through. */
  readonly cutTunnels?: boolean;
}

const repeated = ({ headers }: IncomingMessage) => JSON.stringify({ you: headers });

/** Starts a real proxy: CONNECT for https, and absolute addresses for http. */
export async function connectProxy({ to = 0, rejectWith, cutTunnels = false }: ProxyBehaviour = {}) {
  const tunnels: TunnelRequest[] = [];
  const forwarded: string[] = [];
  const open = new Set<net.Socket>();
  const track = (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const server = createServer((incoming, response) => {
    forwarded.push(incoming.url ?? '');
    if (rejectWith !== undefined) {
      response.writeHead(rejectWith, { 'content-type': 'application/json' }).end(repeated(incoming));
      return;
    }
    const target = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request(
      { host: '127.0.0.1', port: target.port, path: target.pathname, method, headers, agent: false },
      (received) => {
        response.writeHead(received.statusCode ?? 0, received.headers);
        received.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  server.on('connection', track);
  server.on('connect', (incoming, client: net.Socket) => {
    tunnels.push({ authority: incoming.url ?? '', authorization: incoming.headers['proxy-authorization'] });
    if (rejectWith !== undefined) {
      const body = repeated(incoming);
      client.end(`HTTP/1.1 ${rejectWith} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return;
    }
    const platform = net.connect(to, '127.0.0.1');
    track(platform);
    platform.on('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (cutTunnels) client.once('data', () => client.destroy());
      else client.pipe(platform).pipe(client);
    });
    client.on('close', () => platform.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Builds the proxy's address with a merchant's credentials. */
    urlWith: (user: string, password: string) => `http://${user}:${password}@127.0.0.1:${port}`,
    tunnels,
    forwarded,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
