import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import net from 'node:net';

/** A CONNECT request that the proxy received. */
interface Asked {
  readonly authority: string;
  readonly authorization: string | undefined;
}

interface ProxyBehaviour {
  /** The port of 127.0.0.1 that every tunnel leads to, whatever the requested host. */
  readonly to?: number;
  /** Rejects every request with this status, and repeats the request in the body. */
  readonly refuseWith?: number;
  /** Closes each tunnel when the first bytes pass through. */
  readonly cutTunnels?: boolean;
}

const repeated = ({ headers }: IncomingMessage) => JSON.stringify({ you: headers });

/** Starts a real proxy: CONNECT for https, and absolute addresses for http. */
export async function connectProxy({ to = 0, refuseWith, cutTunnels = false }: ProxyBehaviour = {}) {
  const tunnels: Asked[] = [];
  const forwarded: string[] = [];
  const open = new Set<net.Socket>();
  const track = (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const server = createServer((asked, response) => {
    forwarded.push(asked.url ?? '');
    if (refuseWith !== undefined) {
      response.writeHead(refuseWith, { 'content-type': 'application/json' }).end(repeated(asked));
      return;
    }
    const target = new URL(asked.url ?? '');
    const { method, headers } = asked;
    const onward = request(
      { host: '127.0.0.1', port: target.port, path: target.pathname, method, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    asked.pipe(onward);
  });
  server.on('connection', track);
  server.on('connect', (asked, client: net.Socket) => {
    tunnels.push({ authority: asked.url ?? '', authorization: asked.headers['proxy-authorization'] });
    if (refuseWith !== undefined) {
      const body = repeated(asked);
      client.end(`HTTP/1.1 ${refuseWith} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
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
