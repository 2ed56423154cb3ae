import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  createReceiver,
  fastifyWebhooks,
  sign,
  toLambdaHandler,
  toNodeHandler,
} from 'payment-platform/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const body = '{"event":"transaction.paid","id":"1"}';

test('a server closes the connection if the sender continues after a 413 (row 44)', async () => {
  const receiver = createReceiver({ secret, maxBody: 1000 });
  const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nhost: shop\r\ncontent-length: 1000000\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 413 /);
  // This starts a request that the client never ends.
  socket.write('x'.repeat(1000));
  await closed;
});

test('a header that API Gateway sends twice is rejected if the event has both headers and multiValueHeaders', async () => {
  const handler = toLambdaHandler(createReceiver({ secret }));
  const headers = sign({ body, secret });
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = { httpMethod: 'POST', body, headers, multiValueHeaders };
  expect((await handler(event)).statusCode).toBe(200);
  const twice = {
    ...multiValueHeaders,
    'x-service-signature': ['0'.repeat(64), headers['x-service-signature'] ?? ''],
  };
  expect((await handler({ ...event, multiValueHeaders: twice })).statusCode).toBe(400);
});

test.each<[string, ...unknown[]]>([
  ['no arguments'],
  ['a Request', new Request('http://shop/', { method: 'POST', body })],
  ['a Request and the context of a Next.js route', new Request('http://shop/', { method: 'POST' }), {}],
  ['the context of Hono', { req: { raw: new Request('http://shop/') }, res: undefined }],
])('the handler of toNodeHandler rejects %s, and its error suggests receiver.fetch', async (_, ...wrong) => {
  const handler = toNodeHandler(createReceiver({ secret })) as (...input: unknown[]) => Promise<void>;
  await expect(handler(...wrong)).rejects.toThrow(
    'The handler of toNodeHandler takes the request and response of node:http or Fastify, or a Koa context. For a Request, as in Hono, Next.js route handlers and Bun, use receiver.fetch.',
  );
});

/** Reads a stream and replaces it, as Vercel's helpers do. */
async function restore(request: IncomingMessage) {
  const bytes = await buffer(request);
  const replica = new PassThrough();
  const on = request.on.bind(request);
  Object.assign(request, {
    read: replica.read.bind(replica),
    on: (name: string, listener: (...args: unknown[]) => void) =>
      name === 'data' || name === 'end' ? replica.on(name, listener) : on(name, listener),
  });
  Object.defineProperty(request, 'body', { get: () => JSON.parse(bytes.toString()) });
  replica.end(bytes);
}

test.each([
  ['a matching signature', body, 200],
  ['a signature that does not match', '{bad', 400],
])('toNodeHandler verifies a body that a framework has read and restored: %s', async (_, sent, status) => {
  const handler = toNodeHandler(createReceiver({ secret }));
  const server = createServer(async (request, response) => {
    await restore(request);
    await handler(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const response = await fetch(url, { method: 'POST', body: sent, headers: sign({ body, secret }) });
  expect(response.status).toBe(status);
});

test('if a body parser’s getter throws, the body counts as already parsed', async () => {
  const onError = vi.fn();
  const handler = toNodeHandler(createReceiver({ secret, onError }));
  const server = createServer(async (request, response) => {
    await buffer(request);
    Object.defineProperty(request, 'body', {
      get: () => {
        throw new SyntaxError('bad');
      },
    });
    await handler(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect((await fetch(url, { method: 'POST', body: '{bad', headers: sign({ body, secret }) })).status).toBe(
    500,
  );
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ reason: 'body-already-parsed' });
});

test.each([
  ['toNodeHandler', toNodeHandler],
  ['fastifyWebhooks', fastifyWebhooks],
  ['toLambdaHandler', toLambdaHandler],
])('%s rejects a value that is not a receiver', (name, adapter) => {
  for (const value of [undefined, null, {}, { secret, on: {} }])
    expect(() => adapter(value as never)).toThrow(`${name} takes a receiver`);
});

test.each([
  [
    'a 500 for a rawBody getter that throws',
    (request: IncomingMessage) =>
      Object.defineProperty(request, 'rawBody', {
        get: () => {
          throw new Error('raw');
        },
      }),
    500,
  ],
  ['a 200 for a paused request', (request: IncomingMessage) => request.pause(), 200],
  [
    'a 200 for an empty rawBody next to an unread body',
    (request: IncomingMessage) => Object.assign(request, { rawBody: '' }),
    200,
  ],
])('a receiver returns %s', async (_, prepare, status) => {
  const handler = toNodeHandler(createReceiver({ secret, onError() {} }));
  const server = createServer(async (request, response) => {
    prepare(request);
    await handler(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect((await fetch(url, { method: 'POST', body, headers: sign({ body, secret }) })).status).toBe(status);
});
