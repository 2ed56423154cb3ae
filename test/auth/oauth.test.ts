import { inspect } from 'node:util';
import { memoryTokenStore, type PaymentPlatformError, responseOf } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { json } from '../support/form-server.js';
import { jpeg, pf } from '../support/onboarding.js';
import { pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { tokenServer } from '../support/token-server.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Advances both of the clocks that a token's age is read from. */
function pass(seconds: number): void {
  const wall = Date.now() + seconds * 1000;
  const monotonic = performance.now() + seconds * 1000;
  vi.spyOn(Date, 'now').mockImplementation(() => wall);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
}

onBothEngines((engine) => {
  const ready = async (behaviour: Parameters<typeof tokenServer>[0] = {}, options = {}) => {
    const server = opens(await tokenServer(behaviour));
    const platform = opens(clientOn(engine, server.url, { auth: 'oauth', ...options }));
    return { server, platform };
  };

  test('an access token is requested once and sent as a bearer token, without the credentials', async () => {
    const { server, platform } = await ready();
    await platform.payments.create(pix);
    await platform.payments.create(pix);
    expect(server.tokens).toHaveLength(1);
    expect(server.calls).toHaveLength(2);
    for (const { headers } of server.calls) {
      expect(headers.authorization).toBe('Bearer token-1');
      expect(headers).not.toHaveProperty('client-id');
      expect(headers).not.toHaveProperty('client-secret');
    }
  });

  test("auth: 'both' sends the credential headers in the token request and in each request with the token", async () => {
    const { server, platform } = await ready({}, { auth: 'both' });
    await platform.payments.create(pix);
    const own = { 'client-id': 'merchant-1', 'client-secret': credentials.clientSecret };
    expect(server.tokens[0]?.headers).toMatchObject(own);
    expect(server.calls[0]?.headers).toMatchObject({ ...own, authorization: 'Bearer token-1' });
  });

  test("a single call can set auth to 'both'", async () => {
    const { server, platform } = await ready(
      { call: (response) => json(response, 200, {}) },
      { auth: 'headers' },
    );
    await platform.payments.create(pix, { auth: 'both' });
    await platform.payments.create(pix);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', undefined]);
    for (const { headers } of server.calls) expect(headers['client-id']).toBe('merchant-1');
  });

  test.each([
    [
      {},
      'application/json',
      `{"grant_type":"client_credentials","client_id":"merchant-1","client_secret":"${credentials.clientSecret}"}`,
    ],
    [
      { encoding: 'form' },
      'application/x-www-form-urlencoded',
      `grant_type=client_credentials&client_id=merchant-1&client_secret=${credentials.clientSecret}`,
    ],
    [{ credentials: 'basic' }, 'application/json', '{"grant_type":"client_credentials"}'],
    [
      { credentials: 'basic', encoding: 'form' },
      'application/x-www-form-urlencoded',
      'grant_type=client_credentials',
    ],
  ])(
    'a token request sends the credentials in the form that the option oauth selects: %j',
    async (oauth, contentType, body) => {
      const { server, platform } = await ready({}, { oauth });
      await platform.payments.create(pix);
      const [request] = server.tokens;
      expect(request?.headers['content-type']).toBe(contentType);
      expect(request?.body).toBe(body);
      expect(request?.headers.authorization).toBe(
        'credentials' in oauth
          ? `Basic ${Buffer.from(`merchant-1:${credentials.clientSecret}`).toString('base64')}`
          : undefined,
      );
    },
  );

  test('fieldNames renames the assumed fields of a token request and of its response', async () => {
    const { server, platform } = await ready(
      {
        token: (response) => json(response, 200, { token: 'other', ttl: 60 }),
        call: (response) => json(response, 200, {}),
      },
      {
        fieldNames: { 'oauth.grant_type': 'grant', 'oauth.access_token': 'token', 'oauth.expires_in': 'ttl' },
      },
    );
    await platform.payments.create(pix);
    expect(JSON.parse(server.tokens[0]?.body ?? '')).toHaveProperty('grant', 'client_credentials');
    expect(server.calls[0]?.headers.authorization).toBe('Bearer other');
  });

  test('a call’s option auth overrides the client’s option auth', async () => {
    const { server, platform } = await ready({ call: (response) => json(response, 200, {}) });
    await platform.payments.create(pix, { auth: 'headers' });
    expect(server.tokens).toHaveLength(0);
    expect(server.calls[0]?.headers).toMatchObject({ 'client-secret': credentials.clientSecret });
    const other = opens(clientOn(engine, server.url));
    await other.payments.create(pix, { auth: 'oauth' });
    expect(server.tokens).toHaveLength(1);
    expect(server.calls[1]?.headers).not.toHaveProperty('client-secret');
    await expect(other.payments.create(pix, { auth: 'basic' as never })).rejects.toThrow(
      /must be 'headers', 'oauth' or 'both'/,
    );
  });

  test('200 calls with an expired token cause one token request', async () => {
    const { server, platform } = await ready({ call: (response) => json(response, 200, {}) });
    await platform.payments.create(pix);
    pass(3600);
    const patient = { timeout: 240_000 };
    await Promise.all(Array.from({ length: 200 }, () => platform.payments.create(pix, patient)));
    expect(server.tokens).toHaveLength(2);
    expect(server.calls).toHaveLength(201);
  });

  test('an expiring token stays in use while the next one is requested', async () => {
    let release: () => void = () => undefined;
    const { server, platform } = await ready({
      call: (response) => json(response, 200, {}),
      token: (response, index) => {
        const respond = () => json(response, 200, { access_token: `token-${index + 1}`, expires_in: 3600 });
        if (index === 0) respond();
        else release = respond;
      },
    });
    await platform.payments.create(pix);
    pass(3400);
    await platform.payments.create(pix);
    await platform.payments.create(pix);
    await eventually(() => expect(server.tokens).toHaveLength(2));
    expect(server.calls.at(-1)?.headers.authorization).toBe('Bearer token-1');
    release();
    await eventually(async () => {
      await platform.payments.create(pix);
      expect(server.calls.at(-1)?.headers.authorization).toBe('Bearer token-2');
    });
    expect(server.tokens).toHaveLength(2);
  });

  test('a change of the system clock does not make a token seem younger (row 28)', async () => {
    const { server, platform } = await ready({ call: (response) => json(response, 200, {}) });
    await platform.payments.create(pix);
    const wall = Date.now() - 3_600_000;
    const monotonic = performance.now() + 3_600_000;
    vi.spyOn(Date, 'now').mockImplementation(() => wall);
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
    await platform.payments.create(pix);
    expect(server.tokens).toHaveLength(2);
    vi.restoreAllMocks();
  });

  test('a retry with a new token after a 401 has the same idempotency key, even with maxRetries 0 (row 17)', async () => {
    const retries: string[] = [];
    const { server, platform } = await ready(
      {},
      { maxRetries: 0, hooks: { onRetry: ({ reason }: { reason: string }) => retries.push(reason) } },
    );
    await platform.payments.create(pix);
    server.revoke();
    const payment = await platform.payments.create(pix, { idempotencyKey: 'order-1' });
    expect(responseOf(payment).attempts).toBe(2);
    expect(server.tokens).toHaveLength(2);
    const [, first, second] = server.calls;
    expect(first?.headers['x-idempotency-key']).toBe('order-1');
    expect(second?.headers['x-idempotency-key']).toBe('order-1');
    expect(second?.body).toBe(first?.body);
    expect(retries).toEqual(['the access token was rejected (401). Retrying with a new one']);
  });

  test('100 calls with a rejected token cause one token request, and each call is retried once (row 29)', async () => {
    const { server, platform } = await ready();
    await platform.payments.create(pix);
    server.revoke();
    const results = await Promise.all(Array.from({ length: 100 }, () => platform.payments.create(pix)));
    expect(results).toHaveLength(100);
    expect(server.tokens).toHaveLength(2);
    expect(server.calls.length).toBeLessThanOrEqual(201);
    const sent = new Map<unknown, number>();
    for (const { headers } of server.calls)
      sent.set(headers['x-idempotency-key'], (sent.get(headers['x-idempotency-key']) ?? 0) + 1);
    expect(Math.max(...sent.values())).toBe(2);
  });

  test('a late 401 for an old token does not discard the new token (row 29)', async () => {
    const held: (() => void)[] = [];
    const { server, platform } = await ready({
      call: (response, index, { headers }) => {
        const respond = () => json(response, headers.authorization === 'Bearer token-2' ? 200 : 401, {});
        // The server responds to the first call last, after the second call has renewed the token.
        if (index === 0) held.push(respond);
        else respond();
      },
    });
    const slow = platform.payments.create(pix);
    await eventually(() => expect(held).toHaveLength(1));
    await platform.payments.create(pix);
    expect(server.tokens).toHaveLength(2);
    held[0]?.();
    await slow;
    expect(server.tokens).toHaveLength(2);
  });

  test('if the platform rejects the credentials, the call fails after one token request (row 31)', async () => {
    const { server, platform } = await ready({
      token: (response, index) =>
        index === 0
          ? json(response, 200, { access_token: 'token-1', expires_in: 3600 })
          : json(response, 401, { error: 'invalid_client' }),
      call: (response, index) => json(response, index === 0 ? 200 : 401, {}),
    });
    await platform.payments.create(pix);
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { idempotencyKey: 'order-1' }),
    );
    expect(error).toMatchObject({
      name: 'AuthenticationError',
      status: 401,
      outcome: 'not-executed',
      idempotencyKey: 'order-1',
      attempts: 1,
    });
    expect(error.message).toMatch(
      /^payments\.create: no access token \(oauth\.token: the credentials are invalid.*Nothing was executed\.$/,
    );
    expect(server.tokens).toHaveLength(2);
  });

  test('if the platform rejects each token that it issues, the call fails after one new token (row 31)', async () => {
    const { server, platform } = await ready({ call: (response) => json(response, 401, {}) });
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'not-executed', attempts: 2 });
    expect(server.tokens).toHaveLength(2);
    expect(server.calls).toHaveLength(2);
  });

  describe('a token endpoint (row 30)', () => {
    test.each([
      ['is down', (response: never) => json(response, 503, {}), 'ServerError', 3],
      ['returns a 429', (response: never) => json(response, 429, {}), 'RateLimitError', 3],
      [
        'does not respond with JSON',
        (response: { end(text: string): void }) => response.end('<html>'),
        'UnreadableResponseError',
        3,
      ],
      [
        'responds without a token',
        (response: never) => json(response, 200, { expires_in: 1 }),
        'UnreadableResponseError',
        1,
      ],
      [
        'returns a token that cannot be in a header',
        (response: never) => json(response, 200, { access_token: 'a\nb' }),
        'UnreadableResponseError',
        1,
      ],
      ['breaks the connection', (response: { destroy(): void }) => response.destroy(), 'ConnectionError', 3],
      ['redirects', (response: never) => json(response, 302, {}), 'ApiError', 1],
    ] as const)(
      'makes the call fail with a clear error if it %s, and nothing is executed',
      async (_name, token, name, requests) => {
        const { server, platform } = await ready({ token: token as never });
        const error = await catchError<PaymentPlatformError>(
          platform.payments.create(pix, { idempotencyKey: 'order-1' }),
        );
        expect(error).toMatchObject({
          name,
          outcome: 'not-executed',
          idempotencyKey: 'order-1',
          attempts: 0,
        });
        expect(error.message).toMatch(
          /^payments\.create: no access token \(oauth\.token: .*\)\. Nothing was executed\.$/,
        );
        expect(server.tokens).toHaveLength(requests);
        expect(server.calls).toHaveLength(0);
      },
    );

    test.each([
      [{}, 'no access token'],
      [{ access_token: null }, 'no access token'],
      [{ access_token: 12345678 }, 'no access token that a header can contain'],
      [{ access_token: 'Bearer abc' }, 'no access token that a header can contain'],
      [{ access_token: 'ção' }, 'no access token that a header can contain'],
    ])('causes an error that names the problem if its response is %j', async (body, problem) => {
      const { platform } = await ready({ token: ((response: never) => json(response, 200, body)) as never });
      const { message } = await catchError(platform.payments.create(pix));
      expect(message).toContain(`the response has ${problem})`);
    });

    test('that never responds delays a call only until the call’s deadline or abort', async () => {
      const { server, platform } = await ready({ token: () => undefined });
      const error = await catchError(platform.payments.create(pix, { timeout: 60 }));
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-executed', attempts: 0 });
      const controller = new AbortController();
      const call = platform.payments.create(pix, { signal: controller.signal });
      controller.abort(new Error('enough'));
      expect(await catchError(call)).toMatchObject({ name: 'AbortedError', outcome: 'not-executed' });
      expect(server.calls).toHaveLength(0);
      // On a busy machine the deadline can pass before the client sends the token request.
      expect(server.tokens.length).toBeLessThanOrEqual(1);
    });

    test('can fail to renew a token that is still valid, and the calls continue with that token', async () => {
      const { server, platform } = await ready({
        call: (response) => json(response, 200, {}),
        token: (response, index) =>
          index === 0
            ? json(response, 200, { access_token: 'token-1', expires_in: 3600 })
            : json(response, 500, {}),
      });
      await platform.payments.create(pix);
      pass(3400);
      for (let count = 0; count < 5; count++) await platform.payments.create(pix);
      await eventually(() => expect(server.tokens).toHaveLength(4));
      await platform.payments.create(pix);
      expect(server.tokens).toHaveLength(4);
      expect(server.calls.every(({ headers }) => headers.authorization === 'Bearer token-1')).toBe(true);
    });

    test.each([
      ['absent', {}, 1],
      ['a string', { expires_in: '3600' }, 1],
      ['nonsense', { expires_in: 'soon' }, 1],
      ['zero', { expires_in: 0 }, 2],
      ['negative', { expires_in: -5 }, 2],
    ])(
      'can return an expires_in that is %s, and two calls then cause %i token requests',
      async (_name, lifetime, requests) => {
        const { server, platform } = await ready({
          token: (response) => json(response, 200, { access_token: 'token', ...lifetime }),
          call: (response) => json(response, 200, {}),
        });
        await platform.payments.create(pix);
        await platform.payments.create(pix);
        expect(server.tokens).toHaveLength(requests);
        expect(server.calls).toHaveLength(2);
      },
    );

    test('can return an expires_in of zero, and 50 waiting calls still share the token', async () => {
      const { server, platform } = await ready({
        token: (response) => json(response, 200, { access_token: 'token', expires_in: 0 }),
        call: (response) => json(response, 200, {}),
      });
      await Promise.all(Array.from({ length: 50 }, () => platform.payments.create(pix)));
      expect(server.tokens).toHaveLength(1);
    });
  });

  test('an upload whose stream was already read is not retried after a 401', async () => {
    const { server, platform } = await ready();
    await platform.payments.create(pix);
    server.revoke();
    const selfie = new Blob([jpeg]).stream();
    const error = await catchError(platform.onboarding.submitPf({ ...pf, selfie }));
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'not-executed', attempts: 1 });
    expect(error.message).toMatch(/The upload cannot be retried, because its stream was already read/);
    await platform.payments.create(pix);
    expect(server.tokens).toHaveLength(2);
  });

  test.each([404, 400, 403])(
    'a token endpoint’s %i is reported as a failed token request, not as the call’s own response (row 30)',
    async (status) => {
      const { platform } = await ready({ token: (response) => json(response, status, { message: 'no' }) });
      const error = await catchError<PaymentPlatformError>(platform.submerchants.withdrawals.retrieve(1));
      expect(error).toMatchObject({ name: 'ApiError', code: 'token_request_failed', attempts: 0 });
      expect(error.status).toBeUndefined();
      expect(error.message).toContain(`(${status})`);
    },
  );

  test('a token request that several calls wait for is aborted only when the last of these calls ends', async () => {
    const closed: number[] = [];
    const held: (() => void)[] = [];
    const { server, platform } = await ready({
      call: (response) => json(response, 200, {}),
      token: (response, index) => {
        response.on('close', () => closed.push(index));
        held.push(() => json(response, 200, { access_token: `token-${index}`, expires_in: 3600 }));
      },
    });
    const first = new AbortController();
    const second = new AbortController();
    const calls = [first, second].map(({ signal }) =>
      platform.payments.create(pix, { signal }).catch(({ name }) => name),
    );
    await eventually(() => expect(held).toHaveLength(1));
    first.abort();
    expect(await calls[0]).toBe('AbortedError');
    expect(closed).toEqual([]);
    second.abort();
    expect(await calls[1]).toBe('AbortedError');
    await eventually(() => expect(closed).toEqual([0]));
    const again = platform.payments.create(pix);
    await eventually(() => expect(held).toHaveLength(2));
    held[1]?.();
    await expect(again).resolves.toEqual({});
    expect(server.calls[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('earlier tokens, Basic credentials and form-encoded secrets are hidden in an error (row 50)', async () => {
    const clientSecret = "sk!live'canary(1)~";
    const spelt = new URLSearchParams([['', clientSecret]]).toString().slice(1);
    const basic = Buffer.from(`merchant-1:${spelt}`).toString('base64');
    const echo = (message: string) => (response: never) => json(response, 400, { message });
    const cases: [object, Parameters<typeof ready>[0], string][] = [
      [
        {},
        {
          token: (response) => json(response, 200, { access_token: 'token-canary-0', expires_in: 0 }),
          call: echo('your token-canary-0 is bad') as never,
        },
        'token-canary-0',
      ],
      [{ credentials: 'basic' }, { token: echo(`your ${basic} is bad`) as never }, basic],
      [{ encoding: 'form' }, { token: echo(`client_secret=${spelt} is bad`) as never }, spelt],
    ];
    for (const [oauth, behaviour, secret] of cases) {
      const { platform } = await ready(behaviour, { oauth, clientSecret });
      const error = await catchError(platform.payments.create(pix));
      expect(error.message).toContain('[redacted]');
      expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain(secret);
    }
  });

  test('a printed client, error or hook event shows neither tokens nor secrets (row 50)', async () => {
    const seen: unknown[] = [];
    const hooks = {
      onRequest: (event: unknown) => seen.push(event),
      onResponse: (event: unknown) => seen.push(event),
    };
    const { platform } = await ready(
      {
        call: (response, index) =>
          json(response, index === 0 ? 200 : 400, { message: 'token-1 and more token-1-canary' }),
      },
      { hooks, oauth: { credentials: 'basic', store: memoryTokenStore() } },
    );
    await platform.payments.create(pix);
    const error = await catchError(platform.payments.create(pix));
    const printed = [
      inspect(platform, { depth: 9 }),
      JSON.stringify(platform),
      inspect(error, { depth: 9 }),
      JSON.stringify(error),
      inspect(seen, { depth: 9 }),
    ].join();
    expect(seen.length).toBeGreaterThan(5);
    expect(printed).not.toContain(credentials.clientSecret);
    expect(printed).not.toContain(Buffer.from(`merchant-1:${credentials.clientSecret}`).toString('base64'));
    expect(printed).not.toMatch(/Bearer token|Basic [A-Za-z0-9]/);
  });
});
