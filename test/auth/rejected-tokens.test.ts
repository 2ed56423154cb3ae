import { memoryTokenStore, PaymentPlatform, type TokenStore } from 'payment-platform';
import { expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { json } from '../support/form-server.js';
import { pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { tokenServer } from '../support/token-server.js';

const opens = closedAfterEach();

/** Returns a platform that rejects every token for webhooks and accepts every token for payments. */
const rejectingWebhooks = () =>
  tokenServer({
    call: (response, _, { path }) =>
      path === '/v1/webhooks'
        ? json(response, 401, { message: 'no tokens here' })
        : json(response, 200, { id: 'p-1', status: 'paid' }),
  });

onBothEngines((engine) => {
  test('twenty parallel calls to an endpoint that rejects every token cause two token requests (row 31)', async () => {
    const server = opens(await rejectingWebhooks());
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    const calls = Array.from({ length: 20 }, () => catchError(platform.webhooks.list()));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ status: 401 });
    expect(server.tokens).toHaveLength(2);
  });

  test('twenty calls in a row to an endpoint that rejects every token cause two token requests (row 31)', async () => {
    const server = opens(await rejectingWebhooks());
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    for (let index = 0; index < 20; index++) {
      expect(await catchError(platform.webhooks.list())).toMatchObject({ status: 401 });
      await platform.payments.create(pix, { idempotencyKey: `order-${index}` });
    }
    expect(server.tokens).toHaveLength(2);
    const payments = server.calls.filter(({ path }) => path === '/v1/payments');
    expect(new Set(payments.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-2']),
    );
  });

  test('twenty rejected calls whose tokens expire at once cause only one renewal (row 31)', async () => {
    const server = opens(
      await tokenServer({
        token: (response, index) =>
          json(response, 200, { access_token: `token-${index + 1}`, expires_in: 0 }),
        call: (response) => json(response, 401, { message: 'no tokens here' }),
      }),
    );
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    for (let index = 0; index < 20; index++)
      expect(await catchError(platform.webhooks.list())).toMatchObject({ status: 401 });
    // Each call fetched a token that no other call can use, and the renewal fetched one more.
    expect(server.tokens).toHaveLength(21);
  });

  test('a token is renewed again if it is revoked more than ten seconds after its last renewal (row 17)', async () => {
    const server = opens(await tokenServer());
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
    const pay = () => platform.payments.create(pix, { idempotencyKey: 'order-1042' });
    await pay();
    server.revoke();
    await pay();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_001);
    server.revoke();
    await pay();
    expect(server.tokens).toHaveLength(3);
  });
});

test.each([
  ['that request takes a second', 0],
  ['each process is busy for longer than it waits for the store', 600],
])('five clients that share a store make one token request, even if %s', async (_, busyMs) => {
  const server = opens(
    await tokenServer({
      token: (response) =>
        setTimeout(() => json(response, 200, { access_token: 'token-1', expires_in: 3600 }), 1_000),
      call: (response) => json(response, 200, { id: 'p-1', status: 'paid' }),
    }),
  );
  const memory = memoryTokenStore();
  let stalls = 2;
  const store: TokenStore = {
    ...memory,
    async get(key) {
      const end = performance.now() + (stalls-- > 0 ? busyMs : 0);
      while (performance.now() < end);
      return memory.get(key);
    },
    set: (key, value, ttl) => memory.set(key, value, ttl),
    lock: (key, ttl) => memory.lock(key, ttl),
  };
  const fleet = Array.from({ length: 5 }, () =>
    opens(
      new PaymentPlatform({
        baseUrl: server.url,
        clientId: 'client-id-1042',
        clientSecret: 'client-secret-1042',
        auth: 'oauth',
        oauth: { store },
      }),
    ),
  );
  await Promise.all(fleet.map((platform) => platform.payments.create(pix, { idempotencyKey: 'order-1042' })));
  expect(server.tokens).toHaveLength(1);
});
