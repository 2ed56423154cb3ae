import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createReceiver, sign, toLambdaHandler, toNodeHandler } from 'payment-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const body = '{"event":"transaction.paid","id":"1"}';

test('a sender that goes on after 413 loses its connection (row 44)', async () => {
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
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  // It never says that it is done.
  socket.write('x'.repeat(1000));
  await closed;
});

test('a header that came twice is seen where API Gateway has both forms of the headers', async () => {
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
