import { type CallOptions, type PaymentPlatformError, responseOf } from 'payment-platform';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { catchError, clientOn, credentials } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { id, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => void vi.unstubAllGlobals());

type Step = number | Error | Response | ((path: string, init?: RequestInit) => Response | Promise<Response>);

const token = (expires = 3600) => Response.json({ access_token: `token-${expires}`, expires_in: expires });

/** Creates a client over a network of steps, with its requests and hook events. The last step repeats. */
function along(steps: readonly Step[], options: object = {}) {
  const sent: { path: string; headers: Headers; body: unknown }[] = [];
  const events: { name: string; [field: string]: unknown }[] = [];
  const hooks = Object.fromEntries(
    ['onRequest', 'onResponse', 'onRetry', 'onDrift'].map((name) => [
      name,
      (event: object) => void events.push({ name, ...event }),
    ]),
  );
  // Replaces the runtime's own fetch, because the SDK does not trust a custom fetch's report that no
  // connection was made.
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const { pathname } = new URL(input);
    const step = steps[Math.min(sent.length, steps.length - 1)] as Step;
    sent.push({ path: pathname, headers: new Headers(init?.headers), body: init?.body });
    if (step instanceof Error) throw step;
    if (typeof step === 'number') return Response.json(step < 300 ? paid : {}, { status: step });
    return typeof step === 'function' ? step(pathname, init) : step.clone();
  });
  const platform = opens(clientOn('ky', 'https://platform.example', { hooks, ...options }));
  const fails = (call: Promise<unknown>) => catchError<PaymentPlatformError>(call);
  const pay = (options?: CallOptions) => platform.payments.create(pix, options);
  return { platform, sent, events, fails, pay };
}

const connectionRefused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect'), { syscall: 'connect', code: 'ECONNREFUSED' }),
});
const broken = new TypeError('fetch failed', { cause: new Error('gone') });

describe('the outcome of a call with several attempts', () => {
  const rows: [string, Step[], string, number][] = [
    ['a 400', [400], 'not-executed', 1],
    ['a 400 after a 429', [429, 400], 'not-executed', 2],
    ['a 400 after a refused connection', [connectionRefused, 400], 'not-executed', 2],
    ['a 400 after a 503', [503, 400], 'unknown', 2],
    ['a 400 after a broken connection', [broken, 400], 'unknown', 2],
    ['a 400 after an unreadable response', [new Response('{'), 400], 'unknown', 2],
    ['a 429 after a 503', [503, 429], 'unknown', 3],
    ['a refused connection after a 503', [503, connectionRefused], 'unknown', 3],
    ['a 503 every time', [503], 'unknown', 3],
    ['an undocumented status', [418], 'unknown', 1],
  ];
  test.each(rows)('is computed from all of them: %s', async (_, steps, outcome, attempts) => {
    const { fails, pay, sent } = along(steps);
    expect(await fails(pay())).toMatchObject({ outcome, attempts });
    expect(sent).toHaveLength(attempts);
    expect(new Set(sent.map(({ headers }) => headers.get('x-idempotency-key'))).size).toBe(1);
  });

  test('is not-executed for a request that only reads', async () => {
    const { platform, fails } = along([503]);
    expect(await fails(platform.webhooks.list())).toMatchObject({ outcome: 'not-executed', attempts: 3 });
  });

  test('stays unknown if the platform rejects reconcile’s request', async () => {
    const { platform, fails } = along([400]);
    const call = platform.payments.reconcile(pix, { idempotencyKey: 'order-1' });
    expect(await fails(call)).toMatchObject({ outcome: 'unknown' });
  });

  test('is the payment from the attempt that succeeded', async () => {
    const { pay, sent } = along([503, connectionRefused, 200]);
    const payment = await pay({ idempotencyKey: 'order-1' });
    expect(payment).toMatchObject({ id: paid.id });
    expect(responseOf(payment)).toMatchObject({ attempts: 3, idempotencyKey: 'order-1', status: 200 });
    expect(sent).toHaveLength(3);
  });

  test.each([200, 201, 299])('is a success if the last response is a %i', async (status) => {
    await expect(along([status]).pay()).resolves.toMatchObject({ id: paid.id });
  });

  test.each([300, 304])('is unknown if the last response is a %i', async (status) => {
    const { fails, pay } = along([new Response(null, { status })]);
    expect(await fails(pay())).toMatchObject({
      message: expect.stringContaining(`the platform does not use the status ${status}.`),
      status,
      outcome: 'unknown',
      attempts: 1,
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'is unknown, and named as a redirect, if the last response is a %i',
    async (status) => {
      const { fails, pay } = along([new Response(null, { status })]);
      expect(await fails(pay())).toMatchObject({
        message: expect.stringContaining(
          `the response is a redirect (${status}), which the SDK does not follow`,
        ),
        outcome: 'unknown',
      });
    },
  );
});

describe('a call’s retry', () => {
  test('requires an idempotency key, and counts towards maxRetries', async () => {
    const { platform, pay, fails, sent } = along([503]);
    expect(await fails(pay({ idempotencyKey: null as never }))).toMatchObject({ attempts: 1 });
    expect(await fails(pay({ maxRetries: 0 }))).toMatchObject({ attempts: 1 });
    expect(await fails(pay({ maxRetries: 1 }))).toMatchObject({ attempts: 2 });
    expect(await fails(platform.submerchants.withdrawals.create({ amount: 5_000 }))).toMatchObject({
      attempts: 1,
    });
    expect(sent).toHaveLength(5);
  });

  test('is reported to onRetry with its reason and the wait before it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.02);
    const { pay, events, fails } = along([503, connectionRefused]);
    await fails(pay({ idempotencyKey: 'order-1' }));
    expect(events.map(({ name, attempt }) => [name, attempt])).toEqual([
      ['onRequest', 1],
      ['onResponse', 1],
      ['onRetry', 1],
      ['onRequest', 2],
      ['onRetry', 2],
      ['onRequest', 3],
    ]);
    const [first, second] = events.filter(({ name }) => name === 'onRetry');
    expect(first).toMatchObject({
      reason: 'the platform failed (503)',
      delay: 10,
      idempotencyKey: 'order-1',
    });
    expect(second).toMatchObject({ delay: 20 });
    expect(second?.reason).toContain('platform.example was not reached');
    expect(events[1]?.duration).toBeGreaterThanOrEqual(0);
    expect(events[1]?.duration).toBeLessThan(5_000);
  });

  test('is not made if Retry-After is after the deadline, and the error has retryAfter', async () => {
    const busy = () => Response.json({}, { status: 429, headers: { 'retry-after': '3600' } });
    const { pay, fails, sent } = along([busy]);
    expect(await fails(pay())).toMatchObject({ name: 'RateLimitError', retryAfter: 3600, attempts: 1 });
    expect(sent).toHaveLength(1);
    const date = () =>
      Response.json(
        {},
        {
          status: 503,
          headers: { 'retry-after': 'Sun, 22 Nov 2026 13:00:00 GMT', date: 'Sun, 22 Nov 2026 12:00:00 GMT' },
        },
      );
    expect(await fails(along([date]).pay())).toMatchObject({ retryAfter: 3600, attempts: 1 });
    expect((await fails(along([503]).pay())).retryAfter).toBeUndefined();
  });

  test('is made after truncated JSON, but not after JSON that is nested too deeply', async () => {
    const deep = new Response(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`);
    expect(await along([deep]).fails(along([deep]).pay())).toMatchObject({
      name: 'UnreadableResponseError',
      outcome: 'unknown',
      attempts: 1,
      status: 200,
    });
    const cut = along([new Response('{"a":')]);
    const error = await cut.fails(cut.pay());
    expect(error).toMatchObject({ name: 'UnreadableResponseError', attempts: 3, status: 200 });
    expect(error.message).toContain('the response (200) cannot be used, because ');
  });

  test('depends on the response’s status, even if the connection breaks in the middle of the error’s body', async () => {
    const torn = (status: number) => () => {
      const broken = new ReadableStream({
        start(controller) {
          controller.error(new Error('gone'));
        },
      });
      return Object.defineProperty(new Response(broken), 'status', { value: status });
    };
    for (const [status, name, attempts] of [
      [400, 'BadRequestError', 1],
      [503, 'ServerError', 3],
      [300, 'ApiError', 1],
      [100, 'UnreadableResponseError', 3],
      [200, 'UnreadableResponseError', 3],
      [299, 'UnreadableResponseError', 3],
    ] as const) {
      const { pay, fails } = along([torn(status)]);
      const error = await fails(pay());
      expect(error).toMatchObject({ name, attempts, status });
      if (status === 100) expect(error.message).toContain('no final HTTP status');
    }
  });

  test('is not made for an upload whose stream was already read, and the error says so', async () => {
    const { platform, fails, sent } = along([429]);
    const selfie = new Blob([jpeg]).stream();
    const error = await fails(platform.onboarding.submitPf({ ...pf, selfie }));
    expect(error).toMatchObject({ name: 'RateLimitError', attempts: 1 });
    expect(error.message).toMatch(/its stream was already read/);
    expect(sent).toHaveLength(1);
    const again = await fails(platform.onboarding.submitPf({ ...pf, selfie: jpeg }));
    expect(again).toMatchObject({ attempts: 3 });
    expect(again.message).not.toMatch(/its stream was/);
    const never = along([400]);
    const rejection = await never.fails(
      never.platform.onboarding.submitPf({ ...pf, selfie: new Blob([jpeg]).stream() }),
    );
    expect(rejection).toMatchObject({ name: 'BadRequestError', attempts: 1 });
    expect(rejection.message).not.toMatch(/its stream was/);
  });
});

describe('an access token', () => {
  const auth = { auth: 'oauth' };
  const calls = (sent: ReturnType<typeof along>['sent']) =>
    sent.filter(({ path }) => path !== '/oauth/token');
  const onPath =
    (respond: (index: number) => Response) =>
    (count = { calls: 0 }) =>
    (path: string) =>
      path === '/oauth/token' ? token(3600 + count.calls) : respond(count.calls++);

  test('is renewed once after a 401, even with maxRetries 0, and onRetry is called', async () => {
    const network = onPath((index) =>
      Response.json(index === 0 ? {} : paid, { status: index === 0 ? 401 : 200 }),
    );
    const { pay, sent, events } = along([network()], auth);
    expect(responseOf(await pay({ maxRetries: 0 })).attempts).toBe(2);
    expect(calls(sent).map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer token-3600',
      'Bearer token-3601',
    ]);
    expect(events.filter(({ name }) => name === 'onRetry')).toMatchObject([{ attempt: 1, delay: 0 }]);
    expect(events.find(({ name }) => name === 'onRetry')?.reason).toContain('401');
  });

  test('is renewed at most once per call, even if a 429 comes between two 401s', async () => {
    for (const statuses of [
      [401, 401, 200],
      [401, 429, 401, 200],
    ]) {
      const network = onPath((index) => Response.json({}, { status: statuses[index] ?? 200 }));
      const { pay, sent, fails } = along([network()], auth);
      expect(await fails(pay())).toMatchObject({
        name: 'AuthenticationError',
        outcome: 'not-executed',
        attempts: statuses.length - 1,
      });
      expect(calls(sent)).toHaveLength(statuses.length - 1);
    }
  });

  test('is renewed after a 401, even if the body of the 401 is incomplete', async () => {
    const torn = new ReadableStream({
      start(controller) {
        controller.error(new Error('gone'));
      },
    });
    const network = onPath((index) =>
      index === 0 ? new Response(torn, { status: 401 }) : Response.json(paid),
    );
    const { pay } = along([network()], auth);
    expect(responseOf(await pay()).attempts).toBe(2);
  });

  test('is not requested again if the caller aborts after the 401', async () => {
    const controller = new AbortController();
    const { pay, fails, sent } = along([onPath(() => Response.json({}, { status: 401 }))()], {
      ...auth,
      hooks: { onRetry: () => controller.abort() },
    });
    expect(await fails(pay({ signal: controller.signal }))).toMatchObject({
      name: 'AbortedError',
      attempts: 1,
    });
    expect(sent.map(({ path }) => path)).toEqual(['/oauth/token', '/v1/payments']);
  });

  test('is not renewed after a 401 if the upload’s stream was already read, because a retry is impossible', async () => {
    const { platform, fails, sent } = along([onPath(() => Response.json({}, { status: 401 }))()], auth);
    const selfie = new Blob([jpeg]).stream();
    const error = await fails(platform.onboarding.submitPf({ ...pf, selfie }));
    expect(error).toMatchObject({ name: 'AuthenticationError', attempts: 1 });
    expect(error.message).toMatch(/its stream was already read/);
    expect(calls(sent)).toHaveLength(1);
  });

  test('that cannot be requested makes the outcome not-executed if no attempt was sent before', async () => {
    const nothing = along([500], auth);
    expect(await nothing.fails(nothing.pay({ idempotencyKey: 'order-1' }))).toMatchObject({
      outcome: 'not-executed',
      attempts: 0,
      idempotencyKey: 'order-1',
    });
    const statuses = [503, 401];
    let tokens = 0;
    let requests = 0;
    const later = along(
      [
        (path) =>
          path === '/oauth/token'
            ? tokens++ === 0
              ? token()
              : Response.json({}, { status: 400 })
            : Response.json({}, { status: statuses[requests++] ?? 200 }),
      ],
      auth,
    );
    expect(await later.fails(later.pay({ idempotencyKey: 'order-1' }))).toMatchObject({
      outcome: 'unknown',
      attempts: 2,
      idempotencyKey: 'order-1',
    });
  });

  test('is not requested after a 401 if the credentials are in headers', async () => {
    const { pay, fails, sent } = along([401]);
    expect(await fails(pay())).toMatchObject({ name: 'AuthenticationError', attempts: 1 });
    expect(sent[0]?.headers.get('client-secret')).toBe(credentials.clientSecret);
    expect(sent).toHaveLength(1);
  });

  test('that does not arrive before the deadline makes the outcome not-executed', async () => {
    let ended = false;
    const silent = (_: string, init?: RequestInit) =>
      new Promise<Response>(() => {
        init?.signal?.addEventListener('abort', () => {
          ended = true;
        });
      });
    const { pay, fails, events } = along([silent], auth);
    // On a busy machine, the token request can begin late.
    expect(await fails(pay({ timeout: 500 }))).toMatchObject({
      name: 'TimeoutError',
      outcome: 'not-executed',
      attempts: 0,
    });
    expect(events.map(({ operation }) => operation)).toEqual(['oauth.token']);
    await eventually(() => expect(ended).toBe(true));
  });
});

describe('the client’s own rate limit', () => {
  const limited = { rateLimits: { submerchants: 2 } };
  const update = ({ platform }: ReturnType<typeof along>, timeout?: number) =>
    platform.submerchants.update(id, { phone: '1' }, { timeout });

  test('rejects a call above the limit before it is sent, and states the seconds to wait', async () => {
    const road = along([200], { ...limited, rateLimit: 'error' });
    await update(road);
    await update(road);
    const error = await road.fails(update(road));
    expect(error).toMatchObject({ name: 'RateLimitError', outcome: 'not-executed', attempts: 0 });
    expect(error.retryAfter).toBeGreaterThan(50);
    expect(error.retryAfter).toBeLessThanOrEqual(60);
    expect(error.message).toMatch(/2 requests a minute \(submerchants\).* in (59|60) s/);
    expect(error.message).not.toContain('deadline');
    expect(road.sent).toHaveLength(2);
    await expect(road.pay()).resolves.toEqual(paid);
  });

  test('rejects a call whose wait would last beyond its deadline, and names the reason', async () => {
    const road = along([200], { ...limited, rateLimit: 'wait' });
    await update(road);
    await update(road);
    const error = await road.fails(update(road, 1_000));
    expect(error).toMatchObject({ name: 'RateLimitError', attempts: 0 });
    expect(error.message).toContain('after the deadline of this call');
  });

  test('makes a call throw its first attempt’s error if the limit prevents a retry', async () => {
    const road = along([200, 503], { ...limited, rateLimit: 'error' });
    await update(road);
    expect(await road.fails(update(road))).toMatchObject({ name: 'ServerError', attempts: 1 });
  });

  test('stops waiting if the caller aborts', async () => {
    const road = along([200], { ...limited, rateLimit: 'wait' });
    await update(road);
    await update(road);
    const controller = new AbortController();
    const call = road.platform.submerchants.update(
      id,
      { phone: '1' },
      { timeout: 120_000, signal: controller.signal },
    );
    setImmediate(() => controller.abort());
    expect(await road.fails(call)).toMatchObject({
      name: 'AbortedError',
      outcome: 'not-executed',
      attempts: 0,
    });
    expect(road.sent).toHaveLength(2);
  });
});

describe('an abort or the deadline', () => {
  const reason = new Error('changed my mind');

  test('before the call prevents the token request', async () => {
    const { pay, fails, sent } = along([200], { auth: 'oauth' });
    await fails(pay({ signal: AbortSignal.abort(reason) }));
    expect(sent).toEqual([]);
  });

  test('before the request, even in a hook, makes the outcome not-executed', async () => {
    const { pay, fails, sent } = along([200]);
    expect(await fails(pay({ signal: AbortSignal.abort(reason) }))).toMatchObject({
      name: 'AbortedError',
      outcome: 'not-executed',
      attempts: 0,
      cause: reason,
    });
    const controller = new AbortController();
    const hooked = along([200], { hooks: { onRequest: () => controller.abort(reason) } });
    expect(await hooked.fails(hooked.pay({ signal: controller.signal }))).toMatchObject({
      name: 'AbortedError',
      outcome: 'not-executed',
      attempts: 0,
      cause: reason,
    });
    expect([...sent, ...hooked.sent]).toEqual([]);
  });

  test('between two attempts makes the outcome unknown', async () => {
    const controller = new AbortController();
    const { pay, fails, sent } = along([503], { hooks: { onRetry: () => controller.abort(reason) } });
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const error = await fails(pay({ signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortedError', outcome: 'unknown', attempts: 1, cause: reason });
    expect(sent).toHaveLength(1);
  });

  test('during the wait for the response makes the outcome unknown', async () => {
    const controller = new AbortController();
    const { pay, fails } = along([
      () => {
        setImmediate(() => controller.abort(reason));
        return new Promise<Response>(() => {});
      },
    ]);
    expect(await fails(pay({ signal: controller.signal }))).toMatchObject({
      name: 'AbortedError',
      outcome: 'unknown',
      attempts: 1,
      cause: reason,
    });
    const silent = along([() => new Promise<Response>(() => {})]);
    const late = await silent.fails(silent.pay({ timeout: 500 }));
    expect(late).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 1 });
  });

  test('does not shorten a backoff that ends before the deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // Half of the first backoff of 500 ms.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    let onRetry = () => {};
    const isWaiting = new Promise<void>((resolve) => {
      onRetry = resolve;
    });
    const { pay, sent } = along([503, 200], { hooks: { onRetry: () => onRetry() } });
    const call = pay({ timeout: 251, signal: new AbortController().signal });
    await isWaiting;
    await vi.advanceTimersByTimeAsync(249);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual(paid);
    expect(sent).toHaveLength(2);
  });
});

test('a final response with the status 199 is not a success', async () => {
  const interim = () => Object.defineProperty(Response.json(paid), 'status', { value: 199 });
  const { pay, fails } = along([interim]);
  const error = await fails(pay());
  expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts: 3 });
  expect(error.message).toContain('no final HTTP status');
});

test('a retry after a stale keep-alive connection does not count towards maxRetries', async () => {
  const server = opens(
    await rawServer(({ socket, index }) => {
      if (index === 1) socket.resetAndDestroy();
      else socket.write(formatResponse(JSON.stringify(paid), { status: index === 0 ? 200 : 503 }));
    }),
  );
  const platform = opens(clientOn('node', server.url, { maxRetries: 1 }));
  await platform.payments.create(pix);
  expect(await catchError(platform.payments.create(pix))).toMatchObject({ name: 'ServerError', attempts: 3 });
  expect(server.requests).toHaveLength(4);
});

test('an internal error after a request was sent makes the outcome unknown', async () => {
  const { pay, fails } = along([503]);
  vi.spyOn(Math, 'random').mockImplementation(() => {
    throw new RangeError('no');
  });
  const error = await fails(pay({ idempotencyKey: 'order-1' }));
  expect(error).toMatchObject({
    name: 'UnreadableResponseError',
    outcome: 'unknown',
    attempts: 1,
    idempotencyKey: 'order-1',
    cause: { name: 'RangeError' },
  });
  expect(error.message).toContain('the response could not be understood (RangeError)');
});
