import { once } from 'node:events';
import { Agent as HttpAgent, type Server } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testAuthority } from '../../../test/support/test-authority.js';
import { examine, findResult, namesWith, optionsAt, served, startGateway, startProxy } from './support.js';

/** Starts a TLS platform that rejects every credential. */
async function startTls(version?: 'TLSv1.2') {
  const authority = testAuthority('Company Authority');
  const limits = version && ({ minVersion: version, maxVersion: version } as const);
  const server: Server = createServer({ ...authority.issue('localhost'), ...limits }, (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ca: authority.ca,
    baseUrl: `https://localhost:${port}`,
    clientId: 'shop',
    clientSecret: 'shop-secret',
  };
}

test('diagnose detects a certificate that this machine does not trust', async () => {
  const { ca: _, ...client } = await startTls();
  const result = findResult(await examine(client), 'tls');
  expect(result).toEqual({
    status: 'failed',
    message: expect.stringMatching(
      /^The certificate is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. TLSv1\.3, certificate by Company Authority, valid for/,
    ),
    remedy: 'For a private authority, set NODE_EXTRA_CA_CERTS. Never set rejectUnauthorized: false.',
  });
});

test('diagnose reports the TLS version, authority and expiry of a certificate that the agent trusts', async () => {
  const { ca, ...client } = await startTls('TLSv1.2');
  const agent = new Agent({ ca, keepAlive: true });
  onTestFinished(() => agent.destroy());
  const diagnosis = await examine({ ...client, agent });
  // The test's certificate is valid for one day.
  expect(findResult(diagnosis, 'tls')).toEqual({
    status: 'warning',
    message: expect.stringMatching(
      /^TLSv1\.2, certificate by Company Authority, valid for [01] more days\.$/,
    ),
    remedy: 'Ask the owner of the certificate when it will be renewed.',
  });
  expect(findResult(diagnosis, 'dns').message).toMatch(/^localhost is .*127\.0\.0\.1 \(IPv4\)/);
  expect(findResult(diagnosis, 'auth.headers').message).toContain('rejected with 401');
});

const readsProxyEnv = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

test('diagnose names a proxy of the environment that the client does not use, without its password', async () => {
  const { client } = await served();
  vi.stubEnv('HTTP_PROXY', 'http://user:proxy-password@proxy.internal:3128');
  // Node reads this variable only when a process starts, and older versions never.
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  const diagnosis = await examine(client);
  expect(findResult(diagnosis, 'proxy')).toEqual({
    status: 'warning',
    message: 'The environment names the proxy proxy.internal:3128, and the client does not use it.',
    remedy: readsProxyEnv
      ? 'Start the process with NODE_USE_ENV_PROXY=1, or pass an agent.'
      : 'Pass an agent: this runtime reads no proxy from the environment. Node does from 22.21 and 24.5 on.',
  });
  expect(findResult(diagnosis, 'connect').status).toBe('ok');
  expect(JSON.stringify(diagnosis)).not.toContain('proxy-password');
});

test.each([
  ['HTTPS_PROXY', 'http://proxy.internal:3128', ''],
  ['HTTP_PROXY', 'http://proxy.internal:3128', 'other.example, 127.0.0.1'],
  ['HTTP_PROXY', 'http://proxy.internal:3128', '127.0.0.0-127.0.0.9'],
  ['HTTP_PROXY', 'http://proxy.internal:3128', '*'],
  ['HTTP_PROXY', 'socks5://proxy.internal:1080', ''],
])(
  'diagnose ignores the proxy %s=%s with NO_PROXY=%j, which is not for the platform',
  async (name, value, excluded) => {
    const { client } = await served();
    vi.stubEnv(name, value);
    vi.stubEnv('NO_PROXY', excluded);
    expect(findResult(await examine(client), 'proxy')).toEqual({
      status: 'ok',
      message: 'None: requests go straight to the platform.',
    });
  },
);

test('diagnose advises another agent if the client’s own agent uses no proxy', async () => {
  const { client } = await served();
  const agent = new HttpAgent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  vi.stubEnv('HTTP_PROXY', 'http://proxy.internal:3128');
  expect(findResult(await examine({ ...client, agent }), 'proxy')).toMatchObject({
    status: 'warning',
    remedy: "Pass an agent that uses it: the client's own agent does not.",
  });
});

test.skipIf(!readsProxyEnv)('diagnose names the proxy of an agent with the option proxyEnv', async () => {
  const { client } = await served();
  const port = await startProxy();
  const proxyEnv = { HTTP_PROXY: `http://127.0.0.1:${port}` };
  const agent = new HttpAgent({ keepAlive: true, proxyEnv } as object);
  onTestFinished(() => agent.destroy());
  const diagnosis = await examine({ ...client, agent });
  expect(findResult(diagnosis, 'proxy').message).toBe(`Requests go through 127.0.0.1:${port}.`);
  expect(findResult(diagnosis, 'auth.headers').status).toBe('ok');
});

test('diagnose reports a host name that does not resolve to an address', async () => {
  const client = { baseUrl: 'https://none.invalid', clientId: 'shop', clientSecret: 'shop-secret' };
  const diagnosis = await examine(client);
  expect(findResult(diagnosis, 'dns')).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/^none\.invalid has no address: getaddrinfo E\w+/),
  });
  expect(namesWith(diagnosis, 'failed')).toEqual(['dns', 'auth.headers']);
});

test('diagnose reports wrong credentials without showing them', async () => {
  const { client } = await served();
  const clientSecret = 'a-secret-of-another-shop';
  const diagnosis = await examine({ ...client, clientSecret });
  expect(findResult(diagnosis, 'auth.headers')).toMatchObject({
    status: 'failed',
    message: 'The headers client-id and client-secret: rejected with 401.',
  });
  for (const name of ['auth.oauth', 'auth.both'] as const)
    expect(findResult(diagnosis, name)).toMatchObject({
      status: 'warning',
      remedy: 'Check PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET.',
    });
  expect(findResult(diagnosis, 'token').message).toBe(
    'The response to the token request (401) has no token. This client does not need one.',
  );
  expect(JSON.stringify(diagnosis)).not.toContain(clientSecret);
});

test('diagnose treats rejected access tokens as a failure only if the client uses access tokens', async () => {
  const { sandbox, client } = await served();
  const url = await startGateway(client.baseUrl, { request: ({ headers }) => delete headers.authorization });
  const withHeaders = await examine(optionsAt(url, sandbox));
  expect(findResult(withHeaders, 'auth.oauth')).toMatchObject({
    status: 'warning',
    message: 'An access token: rejected with 401. This client does not use it.',
    remedy: "Do not set auth: 'oauth'.",
  });
  expect(withHeaders.ok).toBe(true);
  const withToken = await examine({ ...optionsAt(url, sandbox), auth: 'oauth' });
  expect(namesWith(withToken, 'failed')).toEqual(['auth.oauth']);
});

test('diagnose compares a token’s lifetime with the API docs', async () => {
  const { client } = await served({ oauth: { expiresIn: 60 } });
  expect(findResult(await examine(client), 'token')).toMatchObject({
    status: 'warning',
    message: 'A token is valid for 60 seconds. The API docs say 3600.',
  });
});

test('diagnose reads a token’s lifetime from a string, as the client does', async () => {
  const { sandbox, client } = await served();
  const url = await startGateway(client.baseUrl, {
    response(message, path) {
      if (!path.endsWith('/oauth/token')) return;
      const token = JSON.parse(message.body.toString());
      message.body = Buffer.from(JSON.stringify({ ...token, expires_in: '3600' }));
      message.headers['content-length'] = String(message.body.length);
    },
  });
  const token = findResult(await examine(optionsAt(url, sandbox)), 'token');
  expect(token).toMatchObject({ status: 'ok', message: 'A token is valid for 3600 seconds.' });
});

test('diagnose suggests the field names and statuses of a platform that differs', async () => {
  const fieldNames = { 'oauth.access_token': 'data.access_token', 'payment.pix': 'pix_data' };
  const { sandbox, client } = await served({ fieldNames, statuses: { paymentCreated: 200, keyReused: 409 } });
  const url = await startGateway(client.baseUrl, {
    response(message, path) {
      delete message.headers['x-request-id'];
      message.headers['x-correlation-id'] = 'c-1';
      if (path !== '/v1/payments' || message.status >= 300) return;
      const payment = JSON.parse(message.body.toString());
      message.body = Buffer.from(
        JSON.stringify({ ...payment, status: 'processing', pix_data: { expiration: 1800 } }),
      );
    },
  });
  const diagnosis = await examine(optionsAt(url, sandbox), { charge: true });
  expect(diagnosis.suggestion).toEqual({
    fieldNames: { ...fieldNames, 'response.requestId': 'x-correlation-id' },
    statuses: { paymentCreated: 200, keyReused: 409 },
  });
  expect(diagnosis.drift).toContainEqual({
    operation: 'payments.create',
    field: 'status',
    problem: expect.stringMatching(/^is processing\. It must be one of waiting_payment, paid/),
  });
  expect(findResult(diagnosis, 'charge.field-names').status).toBe('warning');
});

test('diagnose lists fields that differ from the API docs, without their values', async () => {
  const { sandbox, client } = await served();
  sandbox.webhooks.register({ url: 'http://127.0.0.1:9/hook' });
  const url = await startGateway(client.baseUrl, {
    response(message, path) {
      if (path !== '/v1/webhooks') return;
      const { data } = JSON.parse(message.body.toString());
      const changed = data.map((endpoint: object) => ({
        ...endpoint,
        owner_email: 'ana@example.com',
        status: 7,
      }));
      message.body = Buffer.from(JSON.stringify({ data: changed }));
    },
  });
  const diagnosis = await examine(optionsAt(url, sandbox));
  expect(findResult(diagnosis, 'drift')).toMatchObject({
    status: 'warning',
    message: '2 differences from the API docs.',
  });
  expect(diagnosis.drift.map(({ operation, field }) => [operation, field])).toEqual([
    ['webhooks.list', 'data.{n}.status'],
    ['webhooks.list', 'data.{n}.owner_email'],
  ]);
  expect(JSON.stringify(diagnosis)).not.toContain('ana@example.com');
});
