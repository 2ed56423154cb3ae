import { randomUUID } from 'node:crypto';
import { redisRateLimitStore, redisTokenStore } from 'payment-platform';
import { createReceiver, redisDedupe, sign } from 'payment-platform/webhooks';
import { createClient, createSentinel } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isInstalled, Servers } from '../../support/servers.js';

const secret = 'whsec_0123456789abcdef';

test('redisDedupe rejects a node-redis client that is not connected, and says how to connect', async () => {
  const unconnected = [
    createSentinel({ name: 'shop', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] }),
    createClient({ url: 'redis://127.0.0.1:1' }),
  ];
  for (const client of unconnected) {
    const claim = redisDedupe(client).claim('id', 1_000, { holder: 'a', digest: 'b' });
    await expect(claim).rejects.toThrow(
      'The Redis client is not connected. Call await client.connect() first.',
    );
  }
});

describe.skipIf(!isInstalled('redis-server'))('a node-redis Sentinel (needs redis-server)', () => {
  let servers: Servers;
  let port = 0;
  beforeAll(async () => {
    servers = new Servers();
    port = await servers.sentinel((await servers.redis()).port);
  });
  afterAll(() => servers?.close());

  async function sentinel() {
    const sentinelRootNodes = [{ host: '127.0.0.1', port }];
    const client = await createSentinel({ name: 'shop', sentinelRootNodes }).connect();
    onTestFinished(() => client.close());
    return client;
  }

  test('lets redisDedupe recognise the second delivery of a notification as a duplicate', async () => {
    const errors: unknown[] = [];
    const receiver = createReceiver({
      secret,
      dedupe: redisDedupe(await sentinel()),
      on: { 'transaction.paid': () => undefined },
      onError: (error) => errors.push(error),
    });
    const body = JSON.stringify({ event: 'transaction.paid', id: randomUUID(), status: 'paid' });
    const outcomes = [];
    for (let index = 0; index < 2; index++)
      outcomes.push((await receiver.receive({ body, headers: sign({ body, secret }) })).outcome);
    expect(outcomes).toEqual(['handled', 'duplicate']);
    expect(errors).toEqual([]);
  });

  test('lets the Redis stores keep access tokens and rate limits', async () => {
    const client = await sentinel();
    const tokens = redisTokenStore(client);
    const key = randomUUID();
    await tokens.set(key, 'a token', 60_000);
    expect(await tokens.get(key)).toBe('a token');
    expect(await tokens.lock?.(key, 1_000)).toBeTypeOf('function');
    expect(await tokens.lock?.(key, 1_000)).toBeUndefined();
    const limits = redisRateLimitStore(client);
    const group = randomUUID();
    expect(await limits.reserve(group, 1, 60_000)).toBe(0);
    expect(await limits.reserve(group, 1, 60_000)).toBeGreaterThan(0);
  });

  test('must be passed to the Redis stores itself, because they reject its leased clients', async () => {
    const client = await sentinel();
    const lease = await client.acquire();
    onTestFinished(() => void lease.release());
    for (const store of [redisDedupe, redisTokenStore, redisRateLimitStore])
      expect(() => store(lease as never)).toThrow('Pass a Sentinel itself, not a leased client.');
  });
});
