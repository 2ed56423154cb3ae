import { redisRateLimitStore, redisTokenStore } from 'payment-platform';
import { redisDedupe } from 'payment-platform/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { keepsDedupeContract, minute } from '../../support/dedupe-contract.js';
import { deliverTwice } from '../../support/deliver-twice.js';
import { redisPrefix, redisUrl } from '../../support/redis.js';
import { closedAfterEach } from '../../support/resources.js';
import { upstashClient } from './upstash.js';

const opens = closedAfterEach();

describe.skipIf(redisUrl === '')(
  'the Redis stores with an Upstash client (set REDIS_URL to run these)',
  () => {
    const { prefix, removeKeys } = redisPrefix();
    afterAll(removeKeys);
    keepsDedupeContract(async () => redisDedupe(opens(await upstashClient()).client, { prefix }));

    test('let four clients handle 5,000 notifications once, although every notification is delivered twice', async () => {
      const clients = await Promise.all(Array.from({ length: 4 }, upstashClient));
      await deliverTwice(clients.map((connection) => redisDedupe(opens(connection).client, { prefix })));
    });

    test('return a token as a string even if it looks like JSON, and grant only one lock', async () => {
      const { client } = opens(await upstashClient());
      const store = redisTokenStore(client, { prefix });
      const token = '{"value":"1234567890","expires":1}';
      await store.set('token', token, minute);
      expect(await store.get('token')).toBe(token);
      expect(await store.get('no such token')).toBeUndefined();
      const release = await store.lock?.('token', minute);
      expect(await store.lock?.('token', minute)).toBeUndefined();
      await release?.();
      expect(await store.lock?.('token', minute)).toBeTypeOf('function');
    });

    test('limit the number of requests', async () => {
      const { client } = opens(await upstashClient());
      const store = redisRateLimitStore(client, { prefix });
      expect(await store.reserve('limit', 2, minute)).toBe(0);
      expect(await store.reserve('limit', 2, minute)).toBe(0);
      expect(await store.reserve('limit', 2, minute)).toBeGreaterThan(0);
    });
  },
);
