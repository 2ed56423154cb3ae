import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { pix } from '../../support/payments.js';
import { formatResponse } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

onBothEngines((engine) => {
  test('a response that comes before the server has read a large body frees its connection for the next call', async () => {
    const rejected: net.Socket[] = [];
    const server = net.createServer((socket) => {
      opens({ close: () => socket.destroy() });
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        // The rest of the body is not read before the client has the response.
        socket.pause();
        const isLarge = chunk.includes('POST');
        if (isLarge) rejected.push(socket);
        socket.write(
          formatResponse(isLarge ? '{"message":"too much"}' : '{"data":[]}', { status: isLarge ? 400 : 200 }),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    opens(server);
    const { port } = server.address() as net.AddressInfo;
    const platform = opens(clientOn(engine, `http://127.0.0.1:${port}`));
    // The size exceeds both kernel buffers of a connection. A smaller request would be written completely,
    // and the client could not know whether it was read.
    const large = { ...pix, customer: { name: 'x'.repeat(8_000_000) } };
    for (let count = 1; count <= 3; count++) {
      expect(await catchError(platform.payments.create(large))).toMatchObject({ status: 400 });
      expect(rejected).toHaveLength(count);
      const socket = rejected.at(-1) as net.Socket;
      const closed = once(socket, 'close');
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(8_000_000);
    }
    expect(await platform.webhooks.list({ maxRetries: 0 })).toEqual({ data: [] });
  });
});
