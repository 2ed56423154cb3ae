import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'payment-platform/webhooks';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { RawClient, requestText } from '../../../sandbox/test/raw-client.js';
import { holdsTheTable, Watched } from './expectations.js';
import { listening } from './transports.js';

holdsTheTable('node:http', (receiver) => listening(createServer(toNodeHandler(receiver))));

holdsTheTable('node:http, with the request itself as the body', (receiver) =>
  listening(
    createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { status } = await receiver.receive({
        body: request,
        headers: request.headers,
        url: request.url,
      });
      return void response.writeHead(status).end();
    }),
  ),
);

afterEach(() => {
  vi.useRealTimers();
});

test('the connection of a rejected body closes one second after the response if the body has not ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createServer(toNodeHandler(new Watched().receiver));
  const { close } = await listening(server);
  onTestFinished(() => void close?.());
  const client = await RawClient.open(server.address() as AddressInfo);
  const head = requestText('POST /webhooks HTTP/1.1', { host: 'merchant.test', 'content-length': '6000' });

  await client.write(head);
  expect(await client.reply()).toMatchObject({ status: 413 });
  await client.write(Buffer.alloc(6000));
  await client.write(head);
  expect(await client.reply()).toMatchObject({ status: 413 });

  vi.advanceTimersByTime(1000);
  await expect(client.reply()).rejects.toThrow('dropped without a response');
});
