import { describe, expect, test } from 'vitest';
import type { SandboxServer } from '../../index.js';
import { exchange, RawClient, requestText } from '../raw-client.js';
import { call, pay, pix, sandboxForTest } from '../support.js';

async function listening() {
  const sandbox = sandboxForTest();
  return { sandbox, server: await sandbox.listen() };
}

const head = (server: SandboxServer) => {
  const { clientId, clientSecret } = server.clientOptions();
  return {
    host: `127.0.0.1:${server.port}`,
    'client-id': clientId,
    'client-secret': clientSecret,
    'content-type': 'application/json',
  };
};

describe('a malformed request gets a response, and the server continues', () => {
  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['an unknown method', 'FOO /v1/webhooks HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown HTTP version', 'GET / HTTP/3.7\r\nhost: HOST\r\n\r\n', 400],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n', 400],
    ['TRACE', 'TRACE /v1/webhooks HTTP/1.1\r\nhost: HOST\r\n\r\n', 404],
    [
      'an upgrade',
      'GET /v1/x HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      404,
    ],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost: HOST\r\nbroken\r\n\r\n', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nhost: HOST\r\na: b\r\n c\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: HOST\r\na: \0\r\n\r\n', 400],
    [
      'one with two lengths',
      'POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      400,
    ],
    [
      'one with a length and chunks',
      'POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx',
      400,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: -1\r\n\r\n', 400],
    [
      'a length beyond all numbers',
      `POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`,
      400,
    ],
    [
      'a chunk of no length',
      'POST / HTTP/1.1\r\nhost: HOST\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['headers of 100 KB', `GET / HTTP/1.1\r\nhost: HOST\r\na: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['ten thousand headers', `GET / HTTP/1.1\r\nhost: HOST\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, 431],
    ['a path of 100 KB', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nhost: HOST\r\n\r\n`, 431],
    ['two slashes', 'GET //evil.example/v1/payments HTTP/1.1\r\nhost: HOST\r\n\r\n', 404],
    ['traversal', 'GET /v1/../../etc/passwd HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
    ['encoded traversal', 'GET /v1/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
    ['encoded slashes', 'GET /v1%2fpayments HTTP/1.1\r\nhost: HOST\r\n\r\n', 404],
    ['an invalid escape', 'GET /v1/%zz%00 HTTP/1.1\r\nhost: HOST\r\n\r\n', 404],
    ['bytes beyond ASCII', 'GET /v1/\xff\xfe HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
  ])('such as %s', async (_, text, status) => {
    const { sandbox, server } = await listening();
    const reply = await exchange(server, text.replaceAll('HOST', `127.0.0.1:${server.port}`));
    expect(reply.status).toBe(status);
    expect((await pay(server, pix())).status).toBe(201);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });
});

describe('a JSON body with hundreds of thousands of brackets', () => {
  const levels = 500_000;
  test.each([
    ['arrays', '['.repeat(levels) + ']'.repeat(levels)],
    ['arrays that do not end', '['.repeat(levels)],
    ['arrays within a field', `{"metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`],
    ['objects that do not end', '{"a":'.repeat(levels / 10)],
  ])('is rejected with a 400 if it nests %s', async (_, text) => {
    const { sandbox, server } = await listening();
    for (const target of [sandbox, server]) expect((await pay(target, text)).status).toBe(400);
    expect((await pay(server, pix())).status).toBe(201);
  });

  test('is accepted if the brackets are inside a string', async () => {
    const sandbox = sandboxForTest();
    const text = '['.repeat(levels / 2) + ']'.repeat(levels / 2);
    await pay(sandbox, pix({ metadata: { text } }));
    expect(sandbox.journal.requests[0]?.body).toMatchObject({ metadata: { text } });
  });
});

describe('a slow request', () => {
  test.each([
    ['half of the headers', 'POST /v1/payments HTTP/1.1\r\nhost:'],
    ['the headers', 'POST /v1/payments HTTP/1.1\r\nhost: HOST\r\ncontent-length: 10\r\n\r\n'],
    ['half a body', 'POST /v1/payments HTTP/1.1\r\nhost: HOST\r\ncontent-length: 10\r\n\r\n{"a'],
    [
      'half a chunk',
      'POST /v1/payments HTTP/1.1\r\nhost: HOST\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"a',
    ],
  ])('that stops after %s delays no other request, and ends when the server closes', async (_, text) => {
    const { sandbox, server } = await listening();
    const clients = await Promise.all(Array.from({ length: 50 }, () => RawClient.open(server)));
    for (const client of clients) {
      await client.write(text.replaceAll('HOST', `127.0.0.1:${server.port}`));
    }
    expect((await pay(server, pix())).status).toBe(201);
    expect(sandbox.journal.requests).toHaveLength(1);
    await server.close();
    await expect(clients[0]?.reply()).rejects.toThrow('dropped');
  });

  test('that arrives byte by byte is accepted', async () => {
    const { server } = await listening();
    const client = await RawClient.open(server);
    const text = requestText('POST /v1/payments HTTP/1.1', head(server), JSON.stringify(pix()));
    for (const byte of Buffer.from(text)) await client.write(Uint8Array.of(byte));
    expect((await client.reply()).status).toBe(201);
    client.close();
  });
});

test('pipelined requests on one connection get responses in order', async () => {
  const { server } = await listening();
  const client = await RawClient.open(server);
  const foreign = requestText('POST /v1/payments HTTP/1.1', { ...head(server), host: 'evil.example' }, '{}');
  const own = requestText('POST /v1/payments HTTP/1.1', head(server), JSON.stringify(pix()));
  await client.write(foreign + own + foreign + own);
  const statuses = [];
  for (let index = 0; index < 4; index++) statuses.push((await client.reply()).status);
  client.close();
  expect(statuses).toEqual([421, 201, 421, 201]);
  expect((await call(server, '/v1/webhooks')).status).toBe(200);
});
