import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { postgresPayments } from 'payment-platform/durable';
import { postgresDedupe } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { postgresUrl } from '../../support/postgres.js';

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

test.skipIf(postgresUrl === '').each([
  ['postgresPayments', (pool: Pool) => postgresPayments(pool)],
  ['postgresDedupe', (pool: Pool) => postgresDedupe(pool)],
])(
  'after %s, a lost connection that the pool opened earlier does not end the process (needs POSTGRES_URL)',
  async (_, createStore) => {
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => uncaught.push(error));
    const pool = new Pool({ connectionString: postgresUrl, max: 1 });
    const other = new Pool({ connectionString: postgresUrl, max: 1 });
    pool.on('error', () => undefined);
    onTestFinished(() => Promise.all([pool.end(), other.end()]).then(() => undefined));
    await pool.query('SELECT 1');
    createStore(pool);
    const client = await pool.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    // `once` would listen for errors too, and the connection must have no other listener than the store's.
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve);
      process.on('uncaughtException', () => resolve());
    });
    await other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await ended;
    client.release(true);
    expect(uncaught).toEqual([]);
  },
);
