import { expect, test } from 'vitest';
import { actions } from '../../control-api/actions/all.js';
import { exchange, RawClient, requestText } from '../raw-client.js';
import { naturalPerson, onboard, pay, pix } from '../support.js';
import { controlled, parsed } from './support.js';

const json = { 'content-type': 'application/json' };

const bodyActions = actions.filter(({ body }) => body !== undefined);

test.each([
  ['a string that is not JSON', '{"duration":', 'not valid JSON'],
  ['deep JSON', '['.repeat(5_000), 'nests deeper'],
  ['a list', '[]', 'must be an object'],
  ['null', 'null', 'must be an object'],
  ['a wrong type', '{"duration":true}', 'must be a duration'],
  ['an unknown field', '{"duration":"1s","hours":1}', 'hours'],
  ['the field __proto__', '{"duration":"1s","__proto__":{"duration":"2s"}}', '__proto__'],
  ['an empty object', '{}', 'is required'],
])('the control API rejects an invalid body and names the mistake: %s', async (_, text, message) => {
  const { server, sandbox } = await controlled();
  const head = { host: `127.0.0.1:${server.port}`, ...json, 'content-length': String(text.length) };
  const bytes = requestText('POST /_sandbox/clock/advance HTTP/1.1', head) + text;
  const { status, body } = parsed(await exchange(server, bytes));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(sandbox.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
});

test('the control API rejects a body that is not valid UTF-8', async () => {
  const { server } = await controlled();
  const head = { host: `127.0.0.1:${server.port}`, ...json, 'content-length': '1' };
  const client = await RawClient.open(server);
  await client.write(requestText('POST /_sandbox/clock/advance HTTP/1.1', head));
  await client.write(new Uint8Array([0xff]));
  const { status, body } = parsed(await client.reply());
  client.close();
  expect([status, body.error.message]).toEqual([400, 'The body is not valid UTF-8.']);
});

test('the control API returns a short 404 for an id of 10,000 characters', async () => {
  const { requestControl } = await controlled();
  for (const path of ['/payments/', '/deliveries/', '/onboarding/']) {
    const reply = await requestControl(`GET ${path}${'x'.repeat(10_000)}`);
    expect(reply.status).toBe(404);
    expect(reply.text.length).toBeLessThan(500);
  }
});

test.each(
  bodyActions.map(({ id, method, path, body = {} }) => [id, method, path, Object.keys(body)] as const),
)(
  'the control API action %s rejects fields of the wrong type, and names each of them',
  async (_, method, path, names) => {
    const { requestControl } = await controlled();
    const wrong = Object.fromEntries(names.map((name) => [name, [{ __proto__: null, x: 1 }]]));
    const { status, body } = await requestControl(`${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`, wrong);
    expect(status).toBe(400);
    const paths = body.error.issues.map((issue: { path: string }) => issue.path.replace(/\..*/, ''));
    expect(new Set(paths)).toEqual(new Set(names));
  },
);

test('the control API rejects a body of more than 1 MB before it is read', async () => {
  const { server, requestControl } = await controlled();
  const head = { host: `127.0.0.1:${server.port}`, ...json, 'content-length': '1048577' };
  const text = requestText('POST /_sandbox/clock/advance HTTP/1.1', head);
  expect(parsed(await exchange(server, text))).toMatchObject({
    status: 413,
    body: { error: { code: 'body_too_large' } },
  });
  expect((await requestControl('GET /clock')).status).toBe(200);
});

test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''])(
  'the control API rejects the content type "%s"',
  async (type) => {
    const { requestControl } = await controlled();
    const reply = await requestControl('POST /clock/advance', { duration: '1h' }, { 'content-type': type });
    expect(reply.status).toBe(415);
    expect((await requestControl('POST /tokens/revoke', undefined, { 'content-type': type })).status).toBe(
      415,
    );
  },
);

test.each([
  '__proto__',
  'constructor',
  'toString',
  'x%2F..%2F..%2Fpay',
  '%00',
  '%zz',
  '%ff',
  '%F0%9F%92%B8',
  "'%3Cscript%3E",
])('the control API returns a 404 for the id %s', async (id) => {
  const { requestControl } = await controlled();
  const paths = actions.filter(({ path }) => path.includes('{')).map((action) => action);
  for (const { method, path, body = {} } of paths) {
    const values = { status: 'active' };
    const reply = await requestControl(
      `${method} ${path.replaceAll(/\{\w+\}/g, id)}`,
      'status' in body ? values : undefined,
    );
    expect([path, reply.status]).toEqual([path, 404]);
    expect(reply.text.length).toBeLessThan(2_000);
  }
});

test.each(['/../v1/payments', '/%2e%2e/v1/payments', '/x/%2E./info', '\\..\\info'])(
  'the control API rejects the path %s, because it contains a dot segment',
  async (path) => {
    const { requestControl } = await controlled();
    expect((await requestControl(`GET ${path}`)).status).toBe(400);
  },
);

test('the control API returns a 404 for an unknown path, and a 405 with the allowed methods for a wrong method', async () => {
  const { requestControl } = await controlled();
  expect((await requestControl('GET /nothing')).status).toBe(404);
  expect((await requestControl('GET /payments/')).status).toBe(404);
  for (const [request, allow] of [
    ['DELETE /info', 'GET, HEAD'],
    ['PUT /faults', 'GET, HEAD, POST, DELETE'],
    ['OPTIONS /faults', 'GET, HEAD, POST, DELETE'],
    ['DELETE /payments/unresolved', 'GET, HEAD'],
    ['GET /clock/advance', 'POST'],
  ] as const) {
    const reply = await requestControl(request);
    expect([request, reply.status, reply.headers.allow]).toEqual([request, 405, allow]);
  }
});

test.each([
  ['?limit=0', 'query.limit'],
  ['?limit=1e3', 'query.limit'],
  ['?limit=', 'query.limit'],
  ['?limit=99999999999999999999', 'query.limit'],
  ['?limit=1&limit=2', 'query.limit'],
  ['?__proto__=1', 'query.__proto__'],
  ['?Limit=1', 'query.Limit'],
])('the control API rejects the query %s', async (query, path) => {
  const { requestControl } = await controlled();
  const { status, body } = await requestControl(`GET /payments${query}`);
  expect([status, body.error.issues[0].path]).toEqual([400, path]);
});

test('the control API responds to HEAD with the headers of GET and no body', async () => {
  const { requestControl } = await controlled();
  const reply = await requestControl('HEAD /clock');
  expect(reply).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/json' } });
});

test('the control API rejects requests for another host or from another origin, and sends no CORS headers', async () => {
  const { requestControl, server } = await controlled();
  expect((await requestControl('GET /info', undefined, { host: `evil.example:${server.port}` })).status).toBe(
    421,
  );
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    expect((await requestControl('POST /tokens/revoke', undefined, headers)).status).toBe(403);
  }
  const own = { origin: `http://127.0.0.1:${server.port}`, 'sec-fetch-site': 'same-origin' };
  const reply = await requestControl('GET /info', undefined, own);
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('an uploaded document that is an HTML or SVG page is downloaded, not displayed', async () => {
  const { requestControl, server } = await controlled();
  const page = new File(['<script>alert(1)</script>'], 'a"\r\n.html', { type: 'text/html' });
  const picture = new File(['<svg onload="alert(1)"/>'], 'a.svg', { type: 'image/svg+xml' });
  const sent = await onboard(server, { ...naturalPerson, selfie: page, cnhCompleta: picture });
  for (const field of ['selfie', 'cnhCompleta']) {
    const { headers } = await requestControl(
      `GET /onboarding/${sent.body.registration_id}/documents/${field}`,
    );
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${field}`,
      'content-security-policy': "default-src 'none'; sandbox",
    });
  }
});

test('the control API returns at most 100 payments in one list', async () => {
  const { requestControl, sandbox } = await controlled();
  for (let number = 0; number < 150; number++) await pay(sandbox, pix());
  expect((await requestControl('GET /payments')).body.data).toHaveLength(100);
  expect((await requestControl('GET /charges?limit=2')).body.data).toHaveLength(2);
  expect((await requestControl('GET /journal')).body.data.at(-1)).toMatchObject({ number: 150 });
});
