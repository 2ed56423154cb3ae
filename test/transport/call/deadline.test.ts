import { getEventListeners } from 'node:events';
import { type PaymentPlatform, type PaymentPlatformError, responseOf, TimeoutError } from 'payment-platform';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';
import { warmUp } from '../../support/warm-up.js';

const opens = closedAfterEach();

beforeAll(warmUp);

const whole = JSON.stringify(paid);

/** Returns the number of active timers in the process. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

onBothEngines((engine) => {
  describe('a call to a server that stops responding (row 14)', () => {
    const stalls: [string, Buffer | string][] = [
      ['before the response', ''],
      ['in the middle of the headers', 'HTTP/1.1 200 OK\r\ncontent-type: app'],
      ['in the middle of the body', formatResponse(whole.slice(0, 20), { length: whole.length })],
    ];

    test.each(stalls)(
      'ends at its deadline with an unknown outcome if the server stops %s',
      async (_, bytes) => {
        const server = opens(await rawServer(({ socket }) => bytes !== '' && socket.write(bytes)));
        const platform = opens(clientOn(engine, server.url, { timeout: 1_000 }));
        const before = timers();
        const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
        expect(error).toBeInstanceOf(TimeoutError);
        expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
        expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
        await server.drained();
        expect(timers()).toBeLessThanOrEqual(before);
      },
    );

    test('ends at its deadline even if the server sends a byte now and then', async () => {
      const server = opens(
        await rawServer(({ socket }) => {
          socket.write(formatResponse('', { length: 1000 }));
          const drip = setInterval(() => socket.write(' '), 20);
          socket.on('close', () => clearInterval(drip));
        }),
      );
      const platform = opens(clientOn(engine, server.url, { timeout: 1_000 }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
      await server.drained();
    });

    test('ends at the timeout in its own options instead of the client’s timeout', async () => {
      const server = opens(await rawServer(() => undefined));
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<PaymentPlatformError>(
        platform.payments.create(pix, { timeout: 50, idempotencyKey: 'order-1042' }),
      );
      expect(error).toMatchObject({ name: 'TimeoutError', idempotencyKey: 'order-1042' });
    });
  });

  describe('an abort by the caller (row 32)', () => {
    const reason = new Error('the customer left');
    const expectAborted = (error: PaymentPlatformError, outcome: string) => {
      expect(error).toMatchObject({ name: 'AbortedError', code: 'aborted', outcome });
      expect(error.cause).toBe(reason);
    };

    test('before the call prevents the request, and the outcome is not-executed', async () => {
      const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(whole))));
      const error = await catchError<PaymentPlatformError>(
        opens(clientOn(engine, server.url)).payments.create(pix, { signal: AbortSignal.abort(reason) }),
      );
      expectAborted(error, 'not-executed');
      expect(error.attempts).toBe(0);
      expect(server.connections).toBe(0);
    });

    test('during the upload makes the outcome unknown, and no request follows', async () => {
      const controller = new AbortController();
      const server = opens(
        await rawServer(() => undefined, {
          onBytes: (socket) => {
            socket.pause();
            controller.abort(reason);
            return true;
          },
        }),
      );
      const large = { ...pix, metadata: { note: 'x'.repeat(5_000_000) } };
      const error = await catchError<PaymentPlatformError>(
        opens(clientOn(engine, server.url)).payments.create(large, { signal: controller.signal }),
      );
      expectAborted(error, 'unknown');
      expect(server.connections).toBe(1);
      expect(server.requests).toHaveLength(0);
    });

    test('before the response makes the outcome unknown, and nothing stays open', async () => {
      const controller = new AbortController();
      const server = opens(await rawServer(() => undefined));
      const call = opens(clientOn(engine, server.url)).payments.create(pix, { signal: controller.signal });
      const failing = catchError<PaymentPlatformError>(call);
      await server.arrived(1);
      controller.abort(reason);
      expectAborted(await failing, 'unknown');
      await server.drained();
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      expect(server.requests).toHaveLength(1);
    });

    test('in the middle of the response’s body makes the outcome unknown', async () => {
      const controller = new AbortController();
      const server = opens(
        await rawServer(({ socket }) =>
          socket.write(formatResponse(whole.slice(0, 20), { length: whole.length })),
        ),
      );
      const platform = opens(
        clientOn(engine, server.url, {
          hooks: { onRequest: () => void server.arrived(1).then(() => controller.abort(reason)) },
        }),
      );
      expectAborted(
        await catchError<PaymentPlatformError>(platform.payments.create(pix, { signal: controller.signal })),
        'unknown',
      );
      await server.drained();
    });

    test('between two attempts does not change the outcome of the first attempt', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0.99);
      for (const [status, outcome] of [
        [503, 'unknown'],
        [429, 'not-executed'],
      ] as const) {
        const server = opens(await rawServer(({ socket }) => socket.write(formatResponse('{}', { status }))));
        const waiting = new AbortController();
        const platform = opens(
          clientOn(engine, server.url, {
            hooks: { onRetry: () => void queueMicrotask(() => waiting.abort(reason)) },
          }),
        );
        const error = await catchError<PaymentPlatformError>(
          platform.payments.create(pix, { signal: waiting.signal }),
        );
        expectAborted(error, outcome);
        expect(server.requests).toHaveLength(1);
      }
    });
  });

  test('many calls can share one abort signal, and a finished call leaves no listener on it', async () => {
    const { signal } = new AbortController();
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(whole))));
    const platform = opens(clientOn(engine, server.url));
    for (let call = 0; call < 20; call++) await platform.payments.create(pix, { signal });
    expect(server.requests).toHaveLength(20);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each([3_600_000, -3_600_000])(
    'a jump of the system clock by %i ms does not move a call’s deadline (row 28)',
    async (jump) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        const server = opens(await rawServer(() => undefined));
        const platform = opens(clientOn(engine, server.url, { timeout: 1_000 }));
        const started = performance.now();
        const failing = catchError<PaymentPlatformError>(platform.payments.create(pix));
        await server.arrived(1);
        vi.setSystemTime(Date.now() + jump);
        expect(await failing).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
        expect(performance.now() - started).toBeGreaterThanOrEqual(995);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('a date in Retry-After is compared with the Date of the same response (row 24)', async () => {
    const headers = { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' };
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatResponse('{}', { status: 429, headers }))),
    );
    const platform = opens(clientOn(engine, server.url, { timeout: 2_000 }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 60, attempts: 1 });
  });

  test('a successful call leaves no timer running, and close() leaves no connection open', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(whole))));
    const platform = opens(clientOn(engine, server.url));
    await platform.payments.create(pix);
    const before = timers();
    await platform.payments.create(pix, { timeout: 2 ** 31 - 1 });
    expect(timers()).toBeLessThanOrEqual(before);
    if (engine === 'node') {
      expect(server.connections).toBe(1);
      platform.close();
      await server.drained();
    }
  });
});

describe('a client with fake timers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /**
   * Creates a client whose fetch returns the given responses, and records the virtual times of its requests.
   */
  const scripted = (responses: (() => Response | Promise<Response>)[], options = {}) => {
    const requestTimes: number[] = [];
    const platform = clientOn('ky', 'https://platform.example', {
      ...options,
      fetch: async () => {
        requestTimes.push(performance.now());
        return (responses[requestTimes.length - 1] ?? responses.at(-1))?.() as Response;
      },
    });
    return { platform, requestTimes };
  };
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    () =>
      new Response('{}', { status: code, headers });
  const success = () => new Response(whole);
  /** Advances virtual time until a call has settled. */
  const settle = async <T>(call: Promise<T>): Promise<T> => {
    let done = false;
    call
      .catch(() => undefined)
      .finally(() => {
        done = true;
      });
    while (!done) await vi.advanceTimersByTimeAsync(50);
    return call;
  };
  const waits = (requestTimes: number[]) =>
    requestTimes.slice(1).map((at, index) => at - (requestTimes[index] as number));

  test('ends a call at its deadline even if the system clock is changed meanwhile (row 28)', async () => {
    const { platform } = scripted([() => new Promise(() => undefined)], { timeout: 10_000 });
    const call = catchError(platform.payments.create(pix));
    await vi.advanceTimersByTimeAsync(5_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    let settled = false;
    void call.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(settled).toBe(false);
    vi.setSystemTime(Date.now() - 7_200_000);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await call).toBeInstanceOf(TimeoutError);
  });

  test('compares a date in Retry-After with the response’s Date, not with this machine’s clock (row 28)', async () => {
    vi.setSystemTime('2026-01-01T01:00:00Z');
    const late = { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' };
    const { platform, requestTimes } = scripted([status(429, late), success]);
    await settle(platform.payments.create(pix));
    expect(waits(requestTimes)[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits(requestTimes)[0]).toBeLessThan(7_200);
  });

  test('doubles the backoff with each retry, up to a maximum', async () => {
    const { platform, requestTimes } = scripted([status(503)], { maxRetries: 6, timeout: 120_000 });
    await settle(catchError(platform.payments.create(pix)));
    expect(waits(requestTimes).map(Math.round)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  });

  describe('after a 429 (row 24)', () => {
    const hints: [string, string | undefined, number][] = [
      ['seconds', '3', 3_000],
      ['fractions of a second', '1.5', 1_500],
      ['a date', 'Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
      ['zero', '0', 250],
      ['a date in the past', 'Wed, 31 Dec 2025 00:00:00 GMT', 250],
      ['a negative number', '-5', 250],
      ['garbage', 'soon', 250],
      ['none', undefined, 250],
    ];
    test.each(hints)(
      'waits for the longer of the backoff and the Retry-After: %s',
      async (_, hint, expected) => {
        vi.setSystemTime('2026-01-01T00:00:00Z');
        const { platform, requestTimes } = scripted([
          status(429, hint === undefined ? {} : { 'retry-after': hint }),
          success,
        ]);
        const payment = await settle(platform.payments.create(pix, { idempotencyKey: null }));
        expect(responseOf(payment).attempts).toBe(2);
        expect(waits(requestTimes)[0]).toBeGreaterThanOrEqual(expected - 1);
        expect(waits(requestTimes)[0]).toBeLessThan(expected + 60);
      },
    );

    test.each(['60', '99999999999999999999', 'Fri, 01 Jan 2100 00:00:00 GMT'])(
      'ends the call at once and sets error.retryAfter if Retry-After is after the call’s deadline: %s',
      async (hint) => {
        const { platform, requestTimes } = scripted([status(429, { 'retry-after': hint })]);
        const started = performance.now();
        const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
        expect(performance.now() - started).toBe(0);
        expect(error).toMatchObject({
          name: 'RateLimitError',
          outcome: 'not-executed',
          status: 429,
          attempts: 1,
        });
        expect(error.retryAfter).toBeGreaterThanOrEqual(60);
        expect(error.retryAfter).toBeLessThanOrEqual(2 ** 31 / 1000);
        expect(requestTimes).toHaveLength(1);
      },
    );
  });

  test('has one deadline for all attempts of a call, so a retry has only the remaining time', async () => {
    const { platform, requestTimes } = scripted(
      [status(503), status(503), () => new Promise(() => undefined)],
      {
        timeout: 2_000,
      },
    );
    const started = performance.now();
    const error = await settle(catchError<PaymentPlatformError>(platform.payments.create(pix)));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 3 });
    expect(performance.now() - started).toBeLessThanOrEqual(2_050);
    expect(requestTimes).toHaveLength(3);
  });

  describe('with payments.reconcile', () => {
    const conflict = status(409);
    const ask = (platform: PaymentPlatform, options = {}) =>
      platform.payments.reconcile(pix, {
        idempotencyKey: 'order-1042',
        interval: 1_000,
        timeout: 60_000,
        ...options,
      });

    test('waits longer between its requests each time, until the platform knows the outcome', async () => {
      const { platform, requestTimes } = scripted([conflict, conflict, status(503), success]);
      await expect(settle(ask(platform))).resolves.toEqual(paid);
      expect(waits(requestTimes)).toEqual([1_000, 1_500, 2_250]);
    });

    test.each([
      ['a page with a 403', '<html>deploying', 403, 'text/html'],
      ['a page with a 404', '<html>deploying', 404, 'text/html'],
      ['a page that begins with a word', 'Deploying', 404, 'text/html'],
      ['JSON that was cut short', '{"message":"not fo', 404, 'application/json'],
    ])('sends another request after %s', async (_, body, code, type) => {
      const page = () => new Response(body, { status: code, headers: { 'content-type': type } });
      const { platform, requestTimes } = scripted([page, page, success]);
      await expect(settle(ask(platform))).resolves.toEqual(paid);
      expect(requestTimes).toHaveLength(3);
    });

    test('waits at least as long as the platform’s Retry-After', async () => {
      const { platform, requestTimes } = scripted([status(429, { 'retry-after': '20' }), success]);
      await settle(ask(platform));
      expect(waits(requestTimes)[0]).toBe(20_000);
    });

    test('throws the last error when its timeout has passed, and the outcome stays unknown', async () => {
      const { platform, requestTimes } = scripted([conflict]);
      const started = performance.now();
      const error = await settle(catchError<PaymentPlatformError>(ask(platform, { timeout: 5_000 })));
      expect(error).toMatchObject({
        name: 'PaymentOutcomeUnknownError',
        outcome: 'unknown',
        idempotencyKey: 'order-1042',
      });
      expect(performance.now() - started).toBeLessThanOrEqual(5_000);
      expect(requestTimes).toHaveLength(4);
    });

    test('ends after a 401, and the outcome of the first attempt stays unknown', async () => {
      const { platform, requestTimes } = scripted([conflict, status(401)]);
      const error = await settle(catchError<PaymentPlatformError>(ask(platform)));
      expect(error).toMatchObject({
        name: 'AuthenticationError',
        outcome: 'unknown',
        idempotencyKey: 'order-1042',
      });
      expect(requestTimes).toHaveLength(2);
    });

    test('ends at once if its signal is aborted while it waits', async () => {
      const controller = new AbortController();
      const { platform, requestTimes } = scripted([conflict]);
      const call = catchError<PaymentPlatformError>(ask(platform, { signal: controller.signal }));
      await vi.advanceTimersByTimeAsync(1_200);
      controller.abort('closing');
      expect(await call).toMatchObject({
        name: 'AbortedError',
        outcome: 'unknown',
        idempotencyKey: 'order-1042',
        cause: 'closing',
      });
      expect(requestTimes).toHaveLength(2);
      expect(vi.getTimerCount()).toBe(0);
    });

    test('sends the original payload even if the caller changes that object meanwhile', async () => {
      const bodies: string[] = [];
      const platform = clientOn('ky', 'https://platform.example', {
        fetch: async (input, init) => {
          bodies.push(await new Request(input, init).text());
          return bodies.length < 3 ? conflict() : success();
        },
      });
      const order = structuredClone(pix);
      const call = platform.payments.reconcile(order, { idempotencyKey: 'order-1042' });
      order.amount = 100_000;
      await settle(call);
      expect(new Set(bodies)).toEqual(new Set([JSON.stringify(pix)]));
    });

    test('rejects an invalid signal before anything is sent, and the error contains the idempotency key', async () => {
      const { platform, requestTimes } = scripted([conflict]);
      const error = await catchError<PaymentPlatformError>(ask(platform, { signal: {} }));
      expect(error).toMatchObject({
        name: 'ValidationError',
        idempotencyKey: 'order-1042',
        issues: [{ path: 'options.signal' }],
      });
      expect(requestTimes).toHaveLength(0);
      expect(vi.getTimerCount()).toBe(0);
    });

    test('requires the idempotency key', async () => {
      const { platform, requestTimes } = scripted([success]);
      const calls = [undefined, {}, { idempotencyKey: '' }, { idempotencyKey: 7 }, { idempotencyKey: null }];
      for (const options of calls) {
        const error = await catchError(platform.payments.reconcile(pix, options as never));
        expect(error).toMatchObject({
          name: 'ValidationError',
          issues: [{ path: 'options.idempotencyKey' }],
        });
      }
      expect(requestTimes).toHaveLength(0);
    });
  });
});
