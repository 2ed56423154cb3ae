import { inspect } from 'node:util';
import { type Credentials, memoryTokenStore, PaymentPlatform } from 'payment-platform';
import { createSandbox, type SandboxMerchant } from 'payment-platform/sandbox';
import { expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from './support/engines.js';
import { pix } from './support/payments.js';
import { closedAfterEach } from './support/resources.js';
import { tokenServer } from './support/token-server.js';

const opens = closedAfterEach();
const otherMerchant = { clientId: 'merchant-2', clientSecret: 'secret-of-merchant-2' };

const pair = ({ clientId, clientSecret }: Credentials) => ({ clientId, clientSecret });

onBothEngines((engine) => {
  test('platform.with sends the other merchant’s credentials, over the original client’s engine', async () => {
    const server = opens(await tokenServer({ call: (response) => void response.end('{}') }));
    const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
    const other = platform.with(otherMerchant);
    expect(other).toBeInstanceOf(PaymentPlatform);
    expect(other.engine).toBe(platform.engine);
    for (const client of [platform, other]) await client.request({ method: 'GET', path: '/v1/any' });
    expect(server.calls.map(({ headers }) => [headers['client-id'], headers['client-secret']])).toEqual([
      ['merchant-1', expect.not.stringContaining('merchant-2')],
      ['merchant-2', 'secret-of-merchant-2'],
    ]);
  });

  test('platform.with creates a client that requests its own access token', async () => {
    const server = opens(
      await tokenServer({
        token: (response, index) =>
          void response.end(JSON.stringify({ access_token: `token-${index}`, expires_in: 3600 })),
        call: (response) => void response.end('{}'),
      }),
    );
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    const other = platform.with(otherMerchant);
    for (const client of [platform, other, platform, other])
      await client.request({ method: 'GET', path: '/v1/any' });
    expect(server.tokens.map(({ body }) => JSON.parse(body).client_id)).toEqual(['merchant-1', 'merchant-2']);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(
      [0, 1, 0, 1].map((index) => `Bearer token-${index}`),
    );
  });

  test('platform.with creates a client that counts its own requests for the rate limit', async () => {
    const server = opens(await tokenServer({ call: (response) => void response.end('{}') }));
    const options = { rateLimit: 'error', rateLimits: { submerchants: 1 } } as const;
    const platform = opens(clientOn(engine, server.url, options));
    const update = ({ submerchants }: PaymentPlatform) =>
      submerchants.update('3f2504e0-4f89-41d3-9a0c-0305e82c3301', { phone: '+5511999999999' });
    await update(platform);
    expect(await catchError(update(platform))).toMatchObject({ name: 'RateLimitError' });
    await update(platform.with(otherMerchant));
    expect(server.calls).toHaveLength(2);
  });

  test('closing a client from platform.with leaves the connections of the original client open', async () => {
    const server = opens(await tokenServer({ call: (response) => void response.end('{}') }));
    const platform = opens(clientOn(engine, server.url));
    platform.with(otherMerchant).close();
    await expect(platform.request({ method: 'GET', path: '/v1/any' })).resolves.toEqual({});
  });

  test('oauth.clientId is sent only in the token request, and oauth.clientSecret is never shown', async () => {
    const oauth = { clientId: 'panel-id', clientSecret: 'secret-of-the-panel' };
    const server = opens(
      await tokenServer({
        token: (response, _index, { body }) => {
          response.statusCode = 400;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ message: `no such client: ${body}` }));
        },
      }),
    );
    const platform = opens(clientOn(engine, server.url, { auth: 'both', oauth }));
    const error = await catchError(platform.request({ method: 'GET', path: '/v1/any' }));
    expect(JSON.parse(server.tokens[0]?.body ?? '')).toEqual({
      grant_type: 'client_credentials',
      client_id: 'panel-id',
      client_secret: 'secret-of-the-panel',
    });
    expect(server.tokens[0]?.headers['client-id']).toBe('merchant-1');
    expect(inspect(error) + JSON.stringify(error)).not.toContain('secret-of-the-panel');
  });

  test('platform.with replaces oauth.extraBody if it is passed', async () => {
    const server = opens(await tokenServer());
    const oauth = { extraBody: { account: 'account-1' } };
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth }));
    await platform.with(otherMerchant).warmUp();
    await platform.with({ ...otherMerchant, oauth: { extraBody: { account: 'account-2' } } }).warmUp();
    expect(server.tokens.map(({ body }) => JSON.parse(body).account)).toEqual(['account-1', 'account-2']);
  });

  test('two clients whose client headers differ share no stored token with auth: both', async () => {
    const server = opens(await tokenServer({ call: (response) => void response.end('{}') }));
    const oauth = { clientId: 'panel-id', clientSecret: 'secret-of-the-panel', store: memoryTokenStore() };
    const platform = opens(clientOn(engine, server.url, { auth: 'both', oauth }));
    for (const client of [platform, platform.with({ ...otherMerchant, oauth: { ...pair(oauth) } })])
      await client.request({ method: 'GET', path: '/v1/any' });
    expect(server.tokens.map(({ headers }) => headers['client-id'])).toEqual(['merchant-1', 'merchant-2']);
  });

  test('with auth: oauth, clients with their own oauth.clientId are different merchants and share no rate limit', async () => {
    const server = opens(await tokenServer({ call: (response) => void response.end('{}') }));
    const keys: string[] = [];
    const store = { reserve: async (key: string) => keys.push(key) && 0 };
    const clients = ['shop-1', 'shop-2'].map((clientId) =>
      opens(
        clientOn(engine, server.url, {
          auth: 'oauth',
          oauth: { clientId, clientSecret: 'secret-of-the-shop' },
          rateLimits: { store },
        }),
      ),
    );
    for (const { submerchants } of clients)
      await submerchants.update('3f2504e0-4f89-41d3-9a0c-0305e82c3301', { phone: '+5511999999999' });
    expect(clients.map(({ merchant }) => merchant.clientId)).toEqual(['shop-1', 'shop-2']);
    expect(new Set(keys).size).toBe(2);
    const both = opens(
      clientOn(engine, server.url, {
        auth: 'both',
        oauth: { clientId: 'shop-1', clientSecret: 'secret-of-the-shop' },
      }),
    );
    expect(both.merchant.clientId).toBe('merchant-1');
  });

  test('oauth.grantType: false omits grant_type from the token request', async () => {
    const server = opens(await tokenServer());
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth: { grantType: false } }));
    await platform.warmUp();
    expect(JSON.parse(server.tokens[0]?.body ?? '')).not.toHaveProperty('grant_type');
  });

  test('a client from platform.with does not use the oauth credentials of the original client', async () => {
    const server = opens(await tokenServer());
    const oauth = { clientId: 'panel-id', clientSecret: 'secret-of-the-panel' };
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', oauth }));
    await platform.with(otherMerchant).warmUp();
    await platform
      .with({ ...otherMerchant, oauth: { clientId: 'panel-2', clientSecret: 'secret-2-of-the-panel' } })
      .warmUp();
    expect(server.tokens.map(({ body }) => JSON.parse(body).client_id)).toEqual(['merchant-2', 'panel-2']);
  });
});

const pickCredentials = (merchant: SandboxMerchant) => {
  const { clientId = '', clientSecret = '' } = merchant.clientOptions();
  return { clientId, clientSecret };
};

test('two merchants in one process create payments in the sandbox, and each finds only its own', async () => {
  const sandbox = opens(createSandbox());
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const second = platform.with(pickCredentials(sandbox.addMerchant()));
  const payment = await second.payments.create(pix);
  expect(payment.status).toBe('waiting_payment');
  await expect(second.payments.boleto(payment.id)).rejects.not.toThrow(/not found/);
  await expect(platform.payments.boleto(payment.id)).rejects.toThrow(/not found/);
});

test.each([
  ['no credentials', {}, /clientId is required[\s\S]*clientSecret is required/],
  ['a clientId without a clientSecret', { clientId: 'a' }, /clientSecret is required/],
  [
    'a secret with a space',
    { clientId: 'a', clientSecret: 'b c' },
    /clientSecret must be a string of visible ASCII/,
  ],
  ['an option that it does not accept', { ...otherMerchant, timeout: 5 }, /timeout is an unknown option/],
  [
    'oauth.clientId without oauth.clientSecret',
    { ...otherMerchant, oauth: { clientId: 'a' } },
    /oauth needs clientId and clientSecret together/,
  ],
])('platform.with rejects %s', (_what, credentials, says) => {
  const platform = new PaymentPlatform({
    baseUrl: 'https://api.example',
    clientId: 'a',
    clientSecret: 'secret-secret',
  });
  expect(() => platform.with(credentials as never)).toThrow(says);
});
