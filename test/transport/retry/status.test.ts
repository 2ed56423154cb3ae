import { PaymentPlatform, type PaymentPlatformError, rawBodyOf, responseOf } from 'payment-platform';
import { createSandbox, type FaultRule, type Sandbox } from 'payment-platform/sandbox';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { openCard, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

onBothEngines((engine) => {
  /** Starts the sandbox, over sockets for the node engine and in process for ky. */
  const ready = async (...faults: FaultRule[]): Promise<{ sandbox: Sandbox; platform: PaymentPlatform }> => {
    const sandbox = opens(createSandbox());
    for (const fault of faults) sandbox.faults.add(fault);
    const options = engine === 'node' ? (await sandbox.listen()).clientOptions() : sandbox.clientOptions();
    return { sandbox, platform: opens(new PaymentPlatform(options)) };
  };
  const failing = async (fault: FaultRule, options = {}) => {
    const { sandbox, platform } = await ready({ times: 10, ...fault });
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, options));
    return { sandbox, error };
  };
  const unkeyed = { idempotencyKey: null };

  /** Returns a client of a server that sends the same bytes for each call, and ends the connection. */
  const responding = async (bytes: string | Buffer) => {
    const server = opens(await rawServer(({ socket }) => socket.end(bytes)));
    return { platform: opens(clientOn(engine, server.url)) };
  };

  describe('a gateway’s HTML page instead of the platform’s response (row 12)', () => {
    /** Starts a gateway that executes each call, and sends its own page instead of the response. */
    const behind = async (status: number, type = 'text/html') => {
      const page = '<html><title>No entry</title></html>';
      const server = opens(
        await rawServer(({ socket }) =>
          socket.write(
            `HTTP/1.1 ${status} No\r\ncontent-type: ${type}\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
          ),
        ),
      );
      return { server, platform: opens(clientOn(engine, server.url)) };
    };

    test.each([400, 401, 403, 404, 410, 422])(
      'with the status %i makes the outcome unknown, and the call is not retried',
      async (status) => {
        const { server, platform } = await behind(status);
        const error = await catchError<PaymentPlatformError>(
          platform.payments.create(pix, { idempotencyKey: 'order-1042' }),
        );
        expect(error).toMatchObject({ status, outcome: 'unknown', attempts: 1 });
        expect(error.message).toContain('not the platform');
        expect(error.message).not.toContain('Nothing was executed');
        expect(server.requests).toHaveLength(1);
      },
    );

    test('is recognised by the first character of the body, whatever its content type is', async () => {
      const { platform } = await behind(403, 'application/json');
      expect(await catchError(platform.payments.create(pix))).toMatchObject({ outcome: 'unknown' });
    });

    test.each(['text/plain; charset=utf-16', 'application/json'])(
      'in UTF-16 with the content type %s makes the outcome unknown',
      async (type) => {
        const page = Buffer.from('\ufeff<html><title>No entry</title></html>', 'utf16le');
        const header = { 'content-type': type };
        const { platform } = await responding(formatResponse(page, { status: 400, headers: header }));
        const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
        expect(error.outcome).toBe('unknown');
        expect(error.message).not.toContain('Nothing was executed');
      },
    );

    test('is not mentioned in the error if the body is a JSON string', async () => {
      const { platform } = await responding(formatResponse('"<html>"', { status: 400 }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error.outcome).toBe('not-executed');
      expect(error.message).not.toContain('gateway or proxy');
    });

    test('with a 429 is retried only with an idempotency key', async () => {
      const { server, platform } = await behind(429);
      const keyed = await catchError(platform.payments.create(pix, { idempotencyKey: 'order-1042' }));
      expect(keyed).toMatchObject({ outcome: 'unknown', attempts: 3 });
      expect(await catchError(platform.payments.create(pix, unkeyed))).toMatchObject({
        outcome: 'unknown',
        attempts: 1,
      });
      expect(server.requests).toHaveLength(4);
    });

    test.each([411, 413, 414, 431])('with the status %i makes the outcome not-executed', async (status) => {
      const { platform } = await behind(status);
      expect(await catchError(platform.payments.create(pix))).toMatchObject({ outcome: 'not-executed' });
    });

    test.each([
      ['a page without an idempotency key', 'text/html', unkeyed, 1],
      ['a page with an idempotency key', 'text/html', { idempotencyKey: 'order-1042' }, 2],
      ['JSON without an idempotency key', 'application/json', unkeyed, 2],
    ] as const)(
      'with a 401 is retried with a new token only if no second charge is possible: %s',
      async (_, type, options, attempts) => {
        const server = opens(
          await rawServer(({ socket, request }) => {
            const isToken = request.path.endsWith('/oauth/token');
            const body = isToken ? '{"access_token":"token","expires_in":3600}' : '{}';
            const head = `HTTP/1.1 ${isToken ? '200 OK' : '401 No'}\r\ncontent-type: ${isToken ? 'application/json' : type}`;
            socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
          }),
        );
        const platform = opens(clientOn(engine, server.url, { auth: 'oauth' }));
        expect(await catchError(platform.payments.create(pix, options))).toMatchObject({ attempts });
      },
    );
  });

  test.each([
    ['by the end of the connection', 'connection: close'],
    ['by a gateway that adapted its length', 'content-length: 16'],
  ])('an error body that is cut short %s makes the outcome unknown (row 9)', async (_, header) => {
    const { platform } = await responding(
      `HTTP/1.1 400 B\r\ncontent-type: application/json\r\n${header}\r\n\r\n{"code":"x","mes`,
    );
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'unknown' });
  });

  test.each([429, 503])(
    'the headers of a %i say how long to wait and which request it was, although its body breaks off',
    async (status) => {
      const headers = { 'retry-after': '3600', 'x-request-id': 'req-1' };
      const server = opens(
        await rawServer(({ socket }) => socket.end(formatResponse('{"co', { status, headers, length: 99 }))),
      );
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ status, retryAfter: 3600, requestId: 'req-1', attempts: 1 });
      expect(server.requests).toHaveLength(1);
    },
  );

  describe('a rejected request (row 16)', () => {
    test.each([
      [400, 'BadRequestError', 'bad_request'],
      [404, 'NotFoundError', 'not_found'],
      [410, 'ApiError', 'api_error'],
      [413, 'ApiError', 'api_error'],
      [415, 'ApiError', 'api_error'],
      [422, 'ApiError', 'api_error'],
    ])('with a %i causes a typed error, and is neither retried nor executed', async (status, name, code) => {
      const { error, sandbox } = await failing({
        fault: { status, body: { error: { message: 'because' } } },
      });
      expect(error).toMatchObject({
        name,
        code,
        status,
        outcome: 'not-executed',
        attempts: 1,
        body: { message: 'because' },
      });
      expect(rawBodyOf(error)).toEqual({ error: { message: 'because' } });
      expect(error.message).toContain('The platform says: "because". Nothing was executed.');
      expect(sandbox.ledger.charges).toEqual([]);
    });

    test('causes an error that names every problem, also with platform.request', async () => {
      const { platform } = await ready();
      const call = platform.request({
        method: 'POST',
        path: '/v1/payments',
        body: { amount: 1, paymentMethod: 'pix', items: [] },
      });
      const error = await catchError<PaymentPlatformError>(call);
      expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'not-executed' });
      expect(JSON.stringify(error.body)).toMatch(/amount.*items.*customer/);
    });
  });

  test('a 401 for credentials in headers means that they are wrong, and is not retried (row 17)', async () => {
    const sandbox = opens(createSandbox());
    const options = engine === 'node' ? (await sandbox.listen()).clientOptions() : sandbox.clientOptions();
    const platform = opens(new PaymentPlatform({ ...options, clientSecret: 'wrong' }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({
      name: 'AuthenticationError',
      status: 401,
      outcome: 'not-executed',
      attempts: 1,
    });
    expect(error.message).toContain('clientSecret');
  });

  test('a 403 is not retried, and the outcome is not-executed (row 18)', async () => {
    const { error } = await failing({ fault: { status: 403 } });
    expect(error).toMatchObject({
      name: 'PermissionError',
      status: 403,
      outcome: 'not-executed',
      attempts: 1,
    });
  });

  describe.each([
    [19, 408],
    [23, 425],
  ])('a $1 (rows 19 and 23)', (_row, status) => {
    test('is retried with an idempotency key, and makes the outcome unknown without one', async () => {
      const { platform, sandbox } = await ready({ fault: { status } });
      const payment = await platform.payments.create(pix);
      expect(responseOf(payment).attempts).toBe(2);
      expect(sandbox.ledger.charges).toHaveLength(1);
      const { error } = await failing({ fault: { status } }, unkeyed);
      expect(error).toMatchObject({ name: 'ApiError', status, outcome: 'unknown', attempts: 1 });
    });
  });

  describe('a payment whose outcome is unknown (row 20)', () => {
    test('is not retried after a 409, and its error contains the idempotency key', async () => {
      const { error, sandbox } = await failing({ fault: { status: 409 } });
      expect(error).toMatchObject({
        name: 'PaymentOutcomeUnknownError',
        code: 'payment_outcome_unknown',
        status: 409,
        outcome: 'unknown',
        attempts: 1,
      });
      expect(error.idempotencyKey).toBe(sandbox.journal.requests[0]?.idempotencyKey);
      expect(sandbox.journal.requests).toHaveLength(1);
    });

    test('causes the same error with platform.request', async () => {
      const { platform } = await ready({ fault: { status: 409 } });
      const error = await catchError(
        platform.request(
          { method: 'POST', path: '/v1/payments', body: pix },
          { idempotencyKey: 'order-1042' },
        ),
      );
      expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', outcome: 'unknown' });
    });

    test('is sent again by reconcile with its idempotency key until the outcome is known, and charged once', async () => {
      const { platform, sandbox } = await ready({ fault: 'acquirer-unknown' });
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', outcome: 'unknown' });
      const idempotencyKey = error.idempotencyKey as string;
      const call = platform.payments.reconcile(pix, {
        idempotencyKey,
        interval: 1,
        headers: { 'x-reconcile': 'yes' },
      });
      while (sandbox.journal.requests.filter(({ status }) => status === 409).length < 3)
        await new Promise(setImmediate);
      sandbox.control.payments.resolve(idempotencyKey, 'created');
      const payment = await call;
      expect(sandbox.ledger.chargesFor(idempotencyKey).map(({ paymentId }) => paymentId)).toEqual([
        payment.id,
      ]);
      expect(new Set(sandbox.journal.requests.map((request) => request.idempotencyKey))).toEqual(
        new Set([idempotencyKey]),
      );
      expect(responseOf(payment).idempotencyKey).toBe(idempotencyKey);
    });

    test.each([
      ['a stored card without its CVV', { ...openCard, card: { ...openCard.card, cvv: undefined } }, {}],
      ['an invalid option', openCard, { interval: -1 }],
      ['bytes in its metadata', { ...openCard, metadata: new Uint8Array(1) }, {}],
    ])(
      'keeps its unknown outcome if reconcile rejects invalid arguments: %s',
      async (_, payment, options) => {
        const { platform, sandbox } = await ready({
          fault: { status: 500 },
          phase: 'after-commit',
          times: 3,
        });
        const { idempotencyKey = '' } = await catchError<PaymentPlatformError>(
          platform.payments.create(openCard),
        );
        const sent = sandbox.journal.requests.length;
        const error = await catchError<PaymentPlatformError>(
          platform.payments.reconcile(payment as never, { idempotencyKey, ...options }),
        );
        expect(error).toMatchObject({ name: 'ValidationError', outcome: 'unknown', idempotencyKey });
        expect(error.message).toMatch(
          /Nothing was sent now, but an earlier call with this key may have been executed\.$/,
        );
        expect(sandbox.journal.requests).toHaveLength(sent);
        expect(sandbox.ledger.chargesFor(idempotencyKey)).toHaveLength(1);
      },
    );
  });

  test('a 409 whose meaning is not documented makes the outcome unknown, and is not retried', async () => {
    const { platform } = await ready({ operation: 'webhooks.create', fault: { status: 409 } });
    const error = await catchError(
      platform.webhooks.create({ webhook_url: 'https://shop.example/hooks', events: [] }),
    );
    expect(error).toMatchObject({ name: 'ApiError', status: 409, outcome: 'unknown', attempts: 1 });
  });

  describe('a 429 (row 24)', () => {
    test('is always retried, with or without an idempotency key, because nothing was executed', async () => {
      const { platform, sandbox } = await ready({
        times: 2,
        fault: { status: 429, headers: { 'retry-after': '0' } },
      });
      const payment = await platform.payments.create(pix, unkeyed);
      expect(responseOf(payment).attempts).toBe(3);
      expect(sandbox.ledger.charges).toHaveLength(1);
      const { error } = await failing({ fault: { status: 429, headers: { 'retry-after': '0' } } }, unkeyed);
      expect(error).toMatchObject({
        name: 'RateLimitError',
        outcome: 'not-executed',
        attempts: 3,
        retryAfter: 0,
      });
    });
  });

  describe('a 500, 502, 503 or 504 (row 25)', () => {
    test.each([500, 502, 503, 504])(
      'leaves only one charge if a %i hides the first response and rejects the first retry',
      async (status) => {
        const { platform, sandbox } = await ready(
          { phase: 'after-commit', fault: { status, body: '<html>bad gateway</html>' } },
          { phase: 'before-commit', nth: 2, fault: { status } },
        );
        const payment = await platform.payments.create(pix);
        expect(responseOf(payment)).toMatchObject({ attempts: 3, status: 200 });
        expect(sandbox.ledger.charges.map(({ paymentId }) => paymentId)).toEqual([payment.id]);
      },
    );

    test.each(['before-commit', 'after-commit'] as const)(
      'without an idempotency key makes the outcome unknown and is not retried (%s)',
      async (phase) => {
        const { error, sandbox } = await failing({ phase, fault: { status: 503 } }, unkeyed);
        expect(error).toMatchObject({ name: 'ServerError', status: 503, outcome: 'unknown', attempts: 1 });
        expect(sandbox.ledger.charges).toHaveLength(phase === 'after-commit' ? 1 : 0);
      },
    );

    test('makes the outcome unknown even if the platform rejects the retry', async () => {
      const { platform, sandbox } = await ready(
        { phase: 'after-commit', fault: { status: 503 } },
        { nth: 2, fault: { status: 400 } },
      );
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'unknown', attempts: 2 });
      expect(sandbox.ledger.charges).toHaveLength(1);
    });

    test('is not retried with maxRetries 0', async () => {
      const { error, sandbox } = await failing({ fault: { status: 503 } }, { maxRetries: 0 });
      expect(error.attempts).toBe(1);
      expect(sandbox.journal.requests).toHaveLength(1);
    });
  });

  test.each([501, 505, 599])(
    'a %i makes the outcome unknown, and is not retried (row 26)',
    async (status) => {
      const { error } = await failing({ fault: { status } });
      expect(error).toMatchObject({ name: 'ServerError', status, outcome: 'unknown', attempts: 1 });
    },
  );

  test.each(['reset', 'truncate', 'garbage', 'empty', 'invalid-json'] as const)(
    'if the fault %s hides the response to a payment that was made, the retry does not charge again (row 6)',
    async (fault) => {
      const { platform, sandbox } = await ready({ phase: 'after-commit', fault });
      const payment = await platform.payments.create(pix);
      expect(responseOf(payment).attempts).toBe(2);
      expect(sandbox.ledger.charges.map(({ paymentId }) => paymentId)).toEqual([payment.id]);
    },
  );

  test('webhooks.create is not retried, because it has no idempotency key', async () => {
    const { platform, sandbox } = await ready({
      operation: 'webhooks.create',
      phase: 'after-commit',
      fault: 'reset',
    });
    const call = platform.webhooks.create(
      { webhook_url: 'https://shop.example/hooks', events: ['transaction.paid'] },
      { idempotencyKey: 'mine' },
    );
    expect(await catchError(call)).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(sandbox.webhooks.endpoints).toHaveLength(1);
  });

  test('platform.request always retries reads, but retries a write only if the option replay allows it', async () => {
    const { platform } = await ready({ times: 1, fault: { status: 503 } });
    await expect(platform.request({ method: 'GET', path: '/v1/webhooks' })).resolves.toEqual({ data: [] });
    const unknownWrite = {
      method: 'POST',
      path: '/v1/not-shown',
      body: { amount: 1 },
    } as const;
    const once = await ready({ times: 10, fault: { status: 503 } });
    const first = await catchError<PaymentPlatformError>(
      once.platform.request(unknownWrite, { idempotencyKey: 'w-1' }),
    );
    expect(first).toMatchObject({ outcome: 'unknown', attempts: 1, idempotencyKey: 'w-1' });
    const second = await catchError<PaymentPlatformError>(
      once.platform.request({ ...unknownWrite, replay: 'keyed' }, { idempotencyKey: 'w-1' }),
    );
    expect(second.attempts).toBe(3);
    const third = await catchError<PaymentPlatformError>(
      once.platform.request({ ...unknownWrite, replay: 'keyed' }),
    );
    expect(third.attempts).toBe(3);
    expect(third.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    const payment = { method: 'POST', path: '/v1/payments', body: pix } as const;
    const known = await ready({ times: 10, fault: { status: 503 } });
    const fourth = await catchError<PaymentPlatformError>(known.platform.request(payment));
    expect(fourth.attempts).toBe(3);
    const fifth = await catchError<PaymentPlatformError>(
      known.platform.request({ ...payment, replay: 'never' }),
    );
    expect(fifth.attempts).toBe(1);
  });
});
