import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { clientOn, failureOf, onBothEngines } from '../../support/engines.js';
import { pix } from '../../support/payments.js';
import { http as answer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

onBothEngines((engine) => {
  test('an answer before a large body was read: its connection is let go of, and the next call has one', async () => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', (chunk) => {
        // The rest of what comes is never read.
        socket.pause();
        const isLarge = chunk.includes('POST');
        socket.write(
          answer(isLarge ? '{"message":"too much"}' : '{"data":[]}', { status: isLarge ? 400 : 200 }),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    opens({
      close: () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    });
    const { port } = server.address() as net.AddressInfo;
    const platform = opens(clientOn(engine, `http://127.0.0.1:${port}`, { timeout: 30_000 }));
    // More than the two kernel buffers of a connection hold: once all of it is written, nobody can tell that it was not read.
    const large = { ...pix, customer: { name: 'x'.repeat(8_000_000) } };
    // More than the engine keeps sockets.
    for (let count = 0; count < 101; count++)
      expect(await failureOf(platform.payments.create(large))).toMatchObject({ status: 400 });
    expect(await platform.webhooks.list({ maxRetries: 0 })).toEqual({ data: [] });
    // A gigabyte, on a machine that may be busy.
  }, 90_000);
});
