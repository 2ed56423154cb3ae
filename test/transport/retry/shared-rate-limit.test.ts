import { createHash } from 'node:crypto';
import { PaymentPlatform, type RateLimitFallbackEvent, type RateLimitStore } from 'payment-platform';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, credentials } from '../../support/engines.js';
import { id, pix } from '../../support/payments.js';
import { warmUp } from '../../support/warm-up.js';

// The first call loads modules, which takes real time.
beforeAll(warmUp);

beforeEach(() => {
  // The runtime's own digest runs on another thread, in real time.
  vi.spyOn(globalThis.crypto.subtle, 'digest').mockImplementation(
    async (_name, bytes) =>
      Uint8Array.from(
        createHash('sha256')
          .update(Buffer.from(bytes as Uint8Array))
          .digest(),
      ).buffer,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  return () => vi.useRealTimers();
});

/** Advances virtual time until a promise settles. */
async function settled<Result>(promise: Promise<Result>): Promise<Result> {
  let done = false;
  const end = () => (done = true);
  promise.then(end, end);
  while (!done) {
    await vi.advanceTimersByTimeAsync(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}

type Reserve = (...args: Parameters<RateLimitStore['reserve']>) => unknown;

/** Creates an ideal store: a sliding window for each key. */
function windows(): Reserve {
  const counted = new Map<string, number[]>();
  return async (key, limit, windowMs) => {
    const now = performance.now();
    const recent = (counted.get(key) ?? []).filter((at) => at + windowMs > now);
    counted.set(key, recent);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) return oldest + windowMs - now;
    recent.push(now);
    return 0;
  };
}

/**
 * Creates clients over one store and a platform that responds to everything; records reservations, requests
 * and events.
 */
function ready(reserve: Reserve, options: object = {}) {
  const reservations: Parameters<RateLimitStore['reserve']>[] = [];
  const sent: number[] = [];
  const fallbacks: RateLimitFallbackEvent[] = [];
  const store = {
    reserve: (...args: Parameters<RateLimitStore['reserve']>) => {
      reservations.push(args);
      return reserve(...args);
    },
  };
  const client = (more: object = {}, limits: object = {}) =>
    new PaymentPlatform({
      baseUrl: 'https://platform.example',
      ...credentials,
      rateLimit: 'error',
      hooks: { onRateLimitFallback: (event: RateLimitFallbackEvent) => fallbacks.push(event) },
      fetch: async () => {
        sent.push(Math.round(performance.now()));
        return Response.json({});
      },
      ...options,
      ...more,
      rateLimits: { store: store as RateLimitStore, submerchants: 10, ...limits },
    });
  return { reservations, sent, fallbacks, client };
}

const update = (platform: PaymentPlatform, timeout?: number, signal?: AbortSignal) =>
  platform.submerchants.update(id, { phone: '1' }, { timeout, signal });

/** Makes the given number of calls at once, and returns their errors' names. */
const burst = async (platform: PaymentPlatform, count: number, timeout?: number) => {
  const ends = Array.from({ length: count }, () =>
    update(platform, timeout).then(
      () => [],
      ({ name }: Error) => [name],
    ),
  );
  return (await settled(Promise.all(ends))).flat();
};

const expectRejections = (count: number) => Array<string>(count).fill('RateLimitError');

describe('a shared rate limit store', () => {
  test('counts the limited requests of all clients together, and reserves each request once', async () => {
    const { reservations, sent, fallbacks, client } = ready(windows());
    const [one, other] = [client(), client()];
    expect(await burst(one, 6)).toEqual([]);
    expect(await burst(other, 6)).toEqual(expectRejections(2));
    expect(reservations).toHaveLength(12);
    expect(new Set(reservations.map(([, ...rest]) => rest.join()))).toEqual(new Set(['10,65000']));
    await settled(one.payments.create(pix));
    expect([reservations.length, sent.length, fallbacks]).toEqual([12, 11, []]);
    const error = await catchError<Error & { retryAfter: number }>(settled(update(other)));
    expect(error.message).toContain('shared rate limit of 10 requests a minute (submerchants)');
    expect(error.retryAfter).toBeGreaterThan(60);
    expect(error.retryAfter).toBeLessThanOrEqual(65);
  });

  test('makes a client without the option rateLimit wait for its turn', async () => {
    const { sent, client } = ready(windows(), { rateLimit: undefined });
    expect(await burst(client(), 35, 600_000)).toEqual([]);
    for (const at of sent)
      expect(sent.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(10);
    expect(await burst(client(), 1, 30_000)).toEqual([]);
    expect(await burst(client(), 10, 30_000)).toEqual(expectRejections(6));
  });

  test('gets a different key for each address, client id and group, and no key reveals these values', async () => {
    const { reservations, client } = ready(windows());
    const recordKey = async (
      options: object,
      call = (platform: PaymentPlatform): Promise<object> => update(platform),
      limits = {},
    ) => {
      await settled(call(client(options, limits)));
      return reservations.at(-1)?.[0] ?? '';
    };
    const plain = await recordKey({});
    expect(plain).toMatch(/^rate-limit:submerchants:[0-9a-f]{64}$/);
    const same = [{ clientSecret: 'rotated' }, { baseUrl: 'https://PLATFORM.example:443/' }];
    for (const options of same) expect(await recordKey(options)).toBe(plain);
    const others = [{ clientId: 'merchant-2' }, { baseUrl: 'https://other.example' }];
    const onboard = (platform: PaymentPlatform) => platform.onboarding.submitPj({ email: 'ana@example.com' });
    const keys = [plain, await recordKey({}, onboard, { onboarding: 3 })];
    for (const options of others) keys.push(await recordKey(options));
    expect(new Set(keys).size).toBe(4);
    expect(await recordKey({}, onboard)).toBe(plain);
    const tokenize = (platform: PaymentPlatform) => platform.vault.tokenize({});
    expect(await recordKey({}, tokenize)).toBe(await recordKey({ clientId: 'merchant-2' }, tokenize));
    const nested = 'https://platform.example/api';
    expect(await recordKey({ baseUrl: nested })).toBe(await recordKey({ baseUrl: `${nested}/` }));
  });

  test('cannot allow a client more requests than the client’s own limit', async () => {
    const { sent, client } = ready(async () => 0);
    expect(await burst(client(), 25)).toEqual(expectRejections(15));
    expect(sent).toHaveLength(10);
  });

  test('reserves a request again if the token request takes longer than three seconds', async () => {
    const tokens = [4_000, 0];
    const { reservations, sent, client } = ready(windows(), {
      auth: 'oauth',
      fetch: async (input: string) => {
        if (!input.endsWith('/oauth/token')) {
          sent.push(performance.now());
          return Response.json({});
        }
        await new Promise((resolve) => setTimeout(resolve, tokens.shift()));
        return Response.json({ access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 });
      },
    });
    expect(await burst(client(), 1)).toEqual([]);
    expect([reservations.length, sent.length, tokens]).toEqual([2, 1, [0]]);
  });

  test('that never responds does not delay the abort of a call (row 32)', async () => {
    const { sent, fallbacks, client } = ready(() => new Promise(() => undefined));
    const controller = new AbortController();
    const call = update(client(), 60_000, controller.signal);
    setTimeout(() => controller.abort(), 100);
    const started = performance.now();
    expect(await catchError(settled(call))).toMatchObject({ name: 'AbortedError', outcome: 'not-executed' });
    expect(performance.now() - started).toBeLessThan(200);
    expect(sent).toEqual([]);
    expect(fallbacks).toEqual([]);
  });
});

const thrown = (): never => {
  throw new Error('redis://:secret-of-redis@host is down');
};

const never = () => new Promise<never>(() => undefined);

const badStores: Record<string, [Reserve, RegExp]> = {
  'never responds': [never, /did not respond within 500 ms/],
  rejects: [async () => thrown(), /the store failed/],
  'throws synchronously': [thrown, /the store failed/],
  'returns a thenable that throws': [
    () => Object.defineProperty({}, 'then', { get: thrown }),
    /the store failed/,
  ],
  'returns a thenable that does nothing': [
    () => Object.defineProperty({}, 'then', { value: () => undefined }),
    /did not respond/,
  ],
  ...Object.fromEntries(
    [
      Number.NaN,
      -1,
      Number.POSITIVE_INFINITY,
      65_001,
      Date.now(),
      '0',
      null,
      undefined,
      true,
      0n,
      [],
      { valueOf: () => 0 },
      Symbol('0'),
    ].map((result) => [
      `returns ${typeof result === 'object' ? JSON.stringify(result) : String(result)} (${typeof result})`,
      [() => result, /not a time to wait/],
    ]),
  ),
};

describe.each(Object.entries(badStores))('a rate limit store that %s', (_name, [reserve, reason]) => {
  test('makes no call fail, and is not called again for five seconds (row 67)', async () => {
    const { reservations, sent, fallbacks, client } = ready(reserve);
    const platform = client();
    const started = performance.now();
    expect(await burst(platform, 7)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(700);
    expect(reservations).toHaveLength(7);
    // The client does not call the store for five seconds.
    const paused = performance.now();
    expect(await burst(platform, 5)).toEqual(expectRejections(2));
    expect(performance.now() - paused).toBeLessThan(100);
    expect([reservations.length, sent.length]).toEqual([7, 10]);
    expect(fallbacks).toEqual([
      {
        operation: 'submerchants.update',
        method: 'PATCH',
        path: `/v1/submerchants/${id}`,
        attempt: 1,
        idempotencyKey: undefined,
        group: 'submerchants',
        reason: expect.stringMatching(reason),
      },
    ]);
    expect(JSON.stringify(fallbacks)).not.toContain('secret-of-redis');
    await vi.advanceTimersByTimeAsync(66_000);
    expect(await burst(platform, 1)).toEqual([]);
    expect([reservations.length, fallbacks.length]).toEqual([8, 2]);
  });
});

describe('a rate limit store that works again after a failure', () => {
  test('is used again after five seconds, and the client’s own count still applies (row 67)', async () => {
    let isAway = false;
    const counts = windows();
    const { sent, fallbacks, client } = ready((...args) => (isAway ? thrown() : counts(...args)));
    const [one, other] = [client(), client()];
    expect(await burst(one, 3)).toEqual([]);
    isAway = true;
    expect(await burst(one, 4)).toEqual([]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await burst(other, 5)).toEqual([]);
    // The store has counted 8 of 10 requests, and this client itself has sent 7.
    expect(await burst(one, 5)).toEqual(expectRejections(3));
    expect(sent).toHaveLength(14);
    expect(fallbacks).toHaveLength(1);
  });

  test('that responds late does not count a request twice', async () => {
    const counts = windows();
    const { reservations, sent, client } = ready(async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      return counts(...args);
    });
    const platform = client();
    expect(await burst(platform, 12)).toEqual(expectRejections(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([reservations.length, sent.length]).toEqual([12, 10]);
  });
});

describe('a call with a short timeout and a slow rate limit store', () => {
  test('waits for the store for at most half of its timeout (row 67)', async () => {
    const { reservations, sent, fallbacks, client } = ready(never);
    const platform = client();
    const started = performance.now();
    expect(await burst(platform, 1, 200)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(200);
    await vi.advanceTimersByTimeAsync(500);
    expect(fallbacks).toHaveLength(1);
    expect(await burst(platform, 1, 200)).toEqual([]);
    expect([reservations.length, sent.length]).toEqual([1, 2]);
  });

  test('leaves the store in use for later calls', async () => {
    const counts = windows();
    const { reservations, fallbacks, client } = ready(async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return counts(...args);
    });
    const platform = client();
    expect(await burst(platform, 1, 200)).toEqual([]);
    expect(await burst(platform, 1, 10_000)).toEqual([]);
    expect([reservations.length, fallbacks]).toEqual([2, []]);
  });

  test('ends at its deadline if the store never allows the request (row 67)', async () => {
    const { sent, client } = ready(async () => 1, { rateLimit: 'wait' });
    const started = performance.now();
    const error = await catchError(settled(update(client(), 1_000)));
    expect(error).toMatchObject({ outcome: 'not-executed', attempts: 0 });
    expect(performance.now() - started).toBeLessThan(1_100);
    expect(sent).toEqual([]);
  });
});

test('an onRateLimitFallback hook that throws makes no call fail (row 51)', async () => {
  const { sent, client } = ready(thrown, { hooks: { onRateLimitFallback: thrown } });
  expect(await burst(client(), 2)).toEqual([]);
  expect(sent).toHaveLength(2);
});
