import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { postgresPayments } from 'payment-platform/durable';
import { postgresDedupe } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';

const message = (type: string, ...fields: Buffer[]) => {
  const body = Buffer.concat(fields);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

/** Starts a server that accepts a client and closes the connection at once, as during a shutdown. */
async function closingServer(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const ended = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
      socket.end(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          message('Z', Buffer.from('I')),
          message('E', Buffer.from(ended)),
        ]),
      );
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const uncaught: unknown[] = [];
const listeners = process.listeners('uncaughtException');
afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of listeners) process.on('uncaughtException', listener);
});

test.each([
  ['postgresPayments', (pool: Pool) => postgresPayments(pool).find('m', 'order-1')],
  ['postgresDedupe', (pool: Pool) => postgresDedupe(pool).claim('id', 1_000, { holder: 'a', digest: 'b' })],
])('%s rejects the call if a new connection is lost at once, and the process continues', async (_, step) => {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
  const pool = new Pool({ host: '127.0.0.1', port: await closingServer(), user: 'shop', max: 1 });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  await expect(Promise.resolve(step(pool))).rejects.toThrow();
  expect(uncaught).toEqual([]);
});
