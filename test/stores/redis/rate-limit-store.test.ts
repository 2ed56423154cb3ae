import { randomUUID } from 'node:crypto';
import {
  PaymentPlatform,
  type RateLimitFallbackEvent,
  type RateLimitStore,
  redisRateLimitStore,
} from 'payment-platform';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { credentials } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { id } from '../../support/payments.js';
import {
  libraryNames,
  type RedisLibrary,
  redisLibraries,
  redisPrefix,
  redisUrl,
} from '../../support/redis.js';
import { keepsRateLimitContract } from '../../support/redis-contracts.js';
import { redisProxy } from '../../support/redis-proxy.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

describe.skipIf(redisUrl === '')('redisRateLimitStore (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  const storeOn = async (library: RedisLibrary, url = redisUrl) => {
    const connection = opens(await redisLibraries[library](url));
    return { ...connection, store: redisRateLimitStore(connection.client, { prefix }) };
  };

  describe.each(libraryNames)('with the client %s', (library) => {
    keepsRateLimitContract(async () => opens(await redisLibraries[library]()), prefix);

    test('uses one Redis command and one Redis key per request', async () => {
      const { send, store } = await storeOn(library);
      const calls = async () => {
        const info = String(await send('INFO', 'commandstats'));
        return Number(/cmdstat_eval:calls=(\d+)/.exec(info)?.[1] ?? 0);
      };
      const key = randomUUID();
      const before = await calls();
      for (let count = 0; count < 15; count++) await store.reserve(key, 10, 60_000);
      // Other tests can use this Redis at the same time.
      expect(await calls()).toBeGreaterThanOrEqual(before + 15);
      expect(await send('KEYS', `${prefix}*${key}*`)).toEqual([`${prefix}${key}`]);
    });

    /** Creates a client over a Redis that can be cut off. Time is real, except the pause after a failure. */
    const limited = async () => {
      const proxy = opens(await redisProxy());
      const { store, send } = await storeOn(library, proxy.url);
      const reservations: Promise<number>[] = [];
      const fallbacks: RateLimitFallbackEvent[] = [];
      const counting: RateLimitStore = {
        reserve: (...args) => {
          const reservation = store.reserve(...args);
          reservations.push(reservation);
          reservation.catch(() => undefined);
          return reservation;
        },
      };
      const clientId = randomUUID();
      const another = (own = counting) =>
        new PaymentPlatform({
          baseUrl: 'https://platform.example',
          ...credentials,
          clientId,
          rateLimit: 'error',
          rateLimits: { store: own, submerchants: 10 },
          hooks: { onRateLimitFallback: (event) => fallbacks.push(event) },
          fetch: async () => Response.json({}),
        });
      const burst = async (platform: PaymentPlatform, count: number) => {
        const calls = Array.from({ length: count }, () => platform.submerchants.update(id, { phone: '1' }));
        const ends = await Promise.allSettled(calls);
        return ends.filter(({ status }) => status === 'fulfilled').length;
      };
      return { proxy, send, reservations, fallbacks, another, burst };
    };

    test.each([
      ['cut', 'cut'],
      ['silent', 'silence'],
    ] as const)(
      'makes no call fail if the connection to Redis is %s, and is used again when Redis is back (row 67)',
      async (_, how) => {
        const { proxy, send, reservations, fallbacks, another, burst } = await limited();
        const platform = another();
        expect(await burst(platform, 4)).toBe(4);
        proxy[how]();
        expect(await burst(platform, 3)).toBe(3);
        expect(fallbacks).toHaveLength(1);
        // While Redis is away, the client does not wait for the store.
        const before = reservations.length;
        expect(await burst(platform, 8)).toBe(3);
        expect(reservations).toHaveLength(before);
        // The store lacks the requests that this client counted alone, but the client still counts them.
        const direct = await storeOn(library);
        const others = await burst(another(direct.store), 20);
        expect(others).toBeGreaterThanOrEqual(3);
        expect(others).toBeLessThanOrEqual(6);
        proxy.mend();
        await eventually(() => send('PING'));
        const now = performance.now();
        vi.spyOn(performance, 'now').mockImplementation(() => now + 66_000);
        await burst(platform, 1);
        expect(reservations).toHaveLength(before + 1);
        expect(await reservations.at(-1)).toBeGreaterThan(50_000);
        expect(fallbacks).toHaveLength(1);
      },
    );
  });

  test('works with an ioredis client that returns integers as strings and adds a prefix to keys', async () => {
    const { Redis } = await import('ioredis');
    const client = new Redis(redisUrl, { stringNumbers: true, keyPrefix: `${prefix}own:` });
    opens({ close: () => client.disconnect() });
    const store = redisRateLimitStore(client, { prefix: 'shop:' });
    const key = randomUUID();
    expect(await store.reserve(key, 1, 60_000)).toBe(0);
    expect(await store.reserve(key, 1, 60_000)).toBeGreaterThan(59_000);
    const { send } = opens(await redisLibraries.ioredis());
    expect(await send('LLEN', `${prefix}own:shop:${key}`)).toBe(1);
  });
});

test.each([null, undefined, '', 'QUEUED', '1.5', [], true, {}, -1, Number.NaN])(
  'redisRateLimitStore returns NaN for the invalid Redis result %j',
  async (reply) => {
    const store = redisRateLimitStore({ call: async () => reply });
    expect(await store.reserve('key', 1, 60_000)).toBeNaN();
  },
);

test('redisRateLimitStore tells a node-redis cluster which Redis key its command uses', async () => {
  const calls: unknown[][] = [];
  const cluster = {
    masters: [],
    sendCommand: async (...args: unknown[]) => {
      calls.push(args);
      return 0;
    },
  };
  expect(await redisRateLimitStore(cluster).reserve('key', 10, 65_000)).toBe(0);
  expect(calls).toEqual([
    [
      'payment-platform:key',
      false,
      ['EVAL', expect.stringContaining('TIME'), '1', 'payment-platform:key', '10', '65000'],
    ],
  ]);
});

test('redisRateLimitStore rejects a value that is not a client, and names a correct argument', () => {
  for (const wrong of [undefined, null, {}, 'redis://localhost', { get() {} }])
    expect(() => redisRateLimitStore(wrong as never)).toThrow(
      /^redisRateLimitStore takes an ioredis, node-redis or Upstash client/,
    );
  const client = { call: async () => 0 };
  expect(() => redisRateLimitStore(client, { prefx: 'x' } as never)).toThrow(
    /redisRateLimitStore: prefx is an unknown option/,
  );
});
