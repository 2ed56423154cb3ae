import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { pix } from '../../support/payments.js';

/**
 * Puts a gateway before a sandbox. The gateway loses the first response, and can drop a header from every
 * request.
 */
async function gateway(dropped?: string) {
  const sandbox = createSandbox();
  const server = await sandbox.listen({ allowedHosts: ['127.0.0.1'] });
  let requests = 0;
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers };
    if (dropped !== undefined) delete headers[dropped];
    const isLost = requests++ === 0;
    const { method, url: path } = incoming;
    const upstream = request({ host: '127.0.0.1', port: server.port, method, path, headers }, (response) => {
      if (isLost) incoming.socket.destroy();
      else response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers));
    });
    incoming.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const platform = new PaymentPlatform({ ...server.clientOptions(), baseUrl: `http://127.0.0.1:${port}` });
  onTestFinished(async () => {
    platform.close();
    proxy.close();
    await sandbox.close();
  });
  return { platform, charges: () => sandbox.ledger.charges.length };
}

test.each([
  [
    'a retry after a lost response finds the payment if the gateway forwards the idempotency key',
    undefined,
    1,
  ],
  [
    'a retry after a lost response charges twice if the gateway drops the idempotency key',
    'x-idempotency-key',
    2,
  ],
])('%s (row 82)', async (_, dropped, charges) => {
  const there = await gateway(dropped);
  const payment = await there.platform.payments.create(pix, { idempotencyKey: 'order-1042' });
  expect(responseOf(payment).attempts).toBe(2);
  expect(there.charges()).toBe(charges);
});
