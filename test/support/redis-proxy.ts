import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { redisUrl } from './redis.js';

/** Puts a proxy between a client and the tests' Redis. The proxy can cut, silence and restore connections. */
export async function redisProxy() {
  const { hostname, port } = new URL(redisUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(port || 6379), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    // Bytes written during a silence are lost, as on a network that drops packets.
    near.on('data', (bytes) => state !== 'silent' && far.write(bytes));
    far.on('data', (bytes) => state !== 'silent' && near.write(bytes));
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      state = 'cut';
      drop();
    },
    silence: () => {
      state = 'silent';
    },
    /** Allows new connections. Earlier connections stay closed. */
    mend: () => {
      state = 'open';
      drop();
    },
    close: () => {
      state = 'cut';
      drop();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
