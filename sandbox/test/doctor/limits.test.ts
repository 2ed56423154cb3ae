import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxForTest } from '../support.js';
import { examine, findResult, namesWith, optionsAt, startGateway } from './support.js';

/** Listens on loopback. Returns the options of a client of this address. */
async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, clientId: 'shop', clientSecret: 'shop-secret' };
}

test('diagnose waits only once for a platform that accepts connections and never responds', async () => {
  let connections = 0;
  const client = await listen(createSocketServer(() => connections++));
  const diagnosis = await examine(client, { timeout: 200, charge: true });
  expect(namesWith(diagnosis, 'failed')).toEqual(['auth.headers']);
  for (const name of ['token', 'http', 'charge.same-key', 'drift'] as const)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'skipped',
      message: 'The platform did not respond.',
    });
  // One connection without a request, and one for each kind of credentials.
  expect(connections).toBeLessThanOrEqual(4);
});

test('diagnose reads only the beginning of an endless response', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(65_536, 'x');
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).on('error', () => undefined);
    const send = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on('drain', send);
    send();
  });
  const diagnosis = await examine(await listen(server), { timeout: 20_000, charge: true });
  expect(namesWith(diagnosis, 'failed')).toContain('auth.headers');
  expect(findResult(diagnosis, 'latency').message).toBe('The platform returned no complete response.');
  expect(sent).toBeLessThan(300_000_000);
});

test('diagnose ends after six times its timeout, and says so in a failed check', async () => {
  const sandbox = sandboxForTest({ now: undefined });
  const { url } = await sandbox.listen();
  let payments = 0;
  const gateway = await startGateway(url, {
    respond(response, body) {
      const isPayment = body.includes('"externalReference"');
      // Only the first payment gets a response.
      if (!isPayment || payments++ === 0) response.end(body);
    },
  });
  const diagnosis = await examine(optionsAt(gateway, sandbox), { timeout: 500, charge: true });
  const late = diagnosis.checks.filter(({ message }) => message === 'The diagnosis did not end within 3 s.');
  expect(late[0]).toMatchObject({ status: 'failed', remedy: expect.stringContaining('--timeout') });
  expect(late.slice(1).every(({ status }) => status === 'skipped')).toBe(true);
  expect(findResult(diagnosis, 'drift').message).toBe('The diagnosis did not end within 3 s.');
  expect(diagnosis.ok).toBe(false);
});
