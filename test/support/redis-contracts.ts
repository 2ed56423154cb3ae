import { randomUUID } from 'node:crypto';
import { encryptedTokenStore, redisRateLimitStore, redisTokenStore } from 'payment-platform';
import { expect, test } from 'vitest';
import type { RedisConnection } from './redis.js';

/**
 * Checks `redisTokenStore` over a kind of client.
 *
 * @param connect opens a client for each store
 */
export function keepsTokenContract(connect: () => Promise<RedisConnection>, prefix: string) {
  const open = async () => {
    const connection = await connect();
    return { ...connection, store: redisTokenStore(connection.client, { prefix }) };
  };

  test('returns a value until it expires', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    expect(await store.get(key)).toBeUndefined();
    await store.set(key, 'value', 60_000.4);
    expect(await store.get(key)).toBe('value');
    const left = await send('PTTL', `${prefix}${key}`);
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_001);
  });

  test('grants a lock to one holder, and only the holder can release it', async () => {
    const { store } = await open();
    const key = randomUUID();
    const release = await store.lock(key, 60_000);
    expect(release).toBeTypeOf('function');
    expect(await store.lock(key, 60_000)).toBeUndefined();
    await release?.();
    const again = await store.lock(key, 60_000);
    expect(again).toBeTypeOf('function');
    await release?.();
    expect(await store.lock(key, 60_000)).toBeUndefined();
    await again?.();
  });

  test('stores only the encrypted token if encryptedTokenStore wraps it', async () => {
    const { store } = await open();
    const key = randomUUID();
    const sealed = encryptedTokenStore(store, new Uint8Array(32).fill(1));
    await sealed.set(key, '{"value":"token-canary"}', 60_000);
    expect(await store.get(key)).not.toContain('token-canary');
    expect(await sealed.get(key)).toBe('{"value":"token-canary"}');
  });
}

/** Moves the counted requests into the past by the given number of seconds. */
const pass = async (send: RedisConnection['send'], key: string, seconds: number) => {
  const times = (await send('LRANGE', key, '0', '-1')) as string[];
  for (const [index, at] of times.entries())
    await send('LSET', key, String(index), String(Number(at) - seconds * 1_000_000));
};

/**
 * Checks `redisRateLimitStore` over a kind of client.
 *
 * @param connect opens a client for each store
 */
export function keepsRateLimitContract(connect: () => Promise<RedisConnection>, prefix: string) {
  const open = async () => {
    const connection = await connect();
    return { ...connection, store: redisRateLimitStore(connection.client, { prefix }) };
  };

  test('uses a sliding window, and returns the wait exactly to the millisecond', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    expect(await store.reserve(key, 2, 60_000)).toBe(0);
    await pass(send, `${prefix}${key}`, 20);
    expect(await store.reserve(key, 2, 60_000)).toBe(0);
    const wait = await store.reserve(key, 2, 60_000);
    expect(wait).toBeGreaterThan(38_000);
    expect(wait).toBeLessThanOrEqual(40_000);
    await pass(send, `${prefix}${key}`, 39);
    const rest = await store.reserve(key, 2, 60_000);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(1_000);
    expect(Number.isInteger(rest)).toBe(true);
    await pass(send, `${prefix}${key}`, 1);
    expect(await store.reserve(key, 2, 60_000)).toBe(0);
    expect(await store.reserve(key, 2, 60_000)).toBeGreaterThan(19_000);
  });

  test('lets a Redis key expire with its window, and stores no more requests than the limit', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    const counted = `${prefix}${key}`;
    for (let count = 0; count < 5; count++) {
      await store.reserve(key, 3, 60_000.4);
      if (count === 2) await pass(send, counted, 61);
    }
    expect(await send('LLEN', counted)).toBe(3);
    const left = await send('PTTL', counted);
    expect(left).toBeGreaterThan(60_001);
    expect(left).toBeLessThanOrEqual(61_001);
    await store.reserve(randomUUID(), 1, 1);
    await send('PEXPIRE', counted, '0');
    expect(await store.reserve(key, 3, 60_000)).toBe(0);
  });

  test('grants exactly as many of 600 simultaneous requests as the limit allows, over three connections', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const key = randomUUID();
    const waits = await Promise.all(
      stores.flatMap(({ store }) => Array.from({ length: 200 }, () => store.reserve(key, 10, 60_000))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(60_000);
    expect(await stores[0]?.store.reserve(randomUUID(), 10, 60_000)).toBe(0);
  });

  test('counts correctly even if processes have different limits', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    for (let count = 0; count < 10; count++) expect(await store.reserve(key, 10, 60_000)).toBe(0);
    expect(await store.reserve(key, 5, 60_000)).toBeGreaterThan(0);
    await pass(send, `${prefix}${key}`, 61);
    for (let count = 0; count < 5; count++) expect(await store.reserve(key, 5, 60_000)).toBe(0);
    expect(await store.reserve(key, 5, 60_000)).toBeGreaterThan(0);
    for (let count = 0; count < 5; count++) expect(await store.reserve(key, 10, 60_000)).toBe(0);
    expect(await store.reserve(key, 10, 60_000)).toBeGreaterThan(0);
  });

  test('returns a wait of at most one window after Redis’s clock was set back by an hour', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    for (let count = 0; count < 3; count++) await store.reserve(key, 3, 60_000);
    await pass(send, `${prefix}${key}`, -3_600);
    const wait = await store.reserve(key, 3, 60_000);
    expect(wait).toBeGreaterThan(59_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    await pass(send, `${prefix}${key}`, 60);
    expect(await store.reserve(key, 3, 60_000)).toBe(0);
  });

  test('rejects with Redis’s error if its Redis key contains a value of a different type', async () => {
    const { send, store } = await open();
    const key = randomUUID();
    await send('SET', `${prefix}${key}`, 'text');
    await expect(store.reserve(key, 3, 60_000)).rejects.toThrow(/WRONGTYPE/);
  });
}
