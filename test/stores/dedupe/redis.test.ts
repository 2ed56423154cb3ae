import { randomUUID } from 'node:crypto';
import { createReceiver, type DedupeStore, redisDedupe, sign } from 'payment-platform/webhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { keepsDedupeContract, minute, worker } from '../../support/dedupe-contract.js';
import { eventually } from '../../support/eventually.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../../support/redis.js';
import { redisProxy } from '../../support/redis-proxy.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
const secret = 'whsec_0123456789abcdef';

test('redisDedupe rejects a client of node-redis 3, whose eval takes a callback', () => {
  const client = { eval: () => true, on: () => {}, send_command: () => true };
  expect(() => redisDedupe(client as never)).toThrow(/takes an ioredis, node-redis or Upstash client/);
});

describe.skipIf(redisUrl === '')('redisDedupe (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  describe.each(libraryNames)('with the client %s', (library) => {
    const open = async (url?: string) => opens(await redisLibraries[library](url));
    keepsDedupeContract(async () => redisDedupe((await open()).client, { prefix }));

    test('stores every Redis key with an expiry time', async () => {
      const { client, send } = await open();
      const own = `${prefix}${randomUUID()}:`;
      const store = redisDedupe(client, { prefix: own });
      const one = worker();
      await store.claim('claimed', minute, one);
      await store.claim('renewed', minute, one);
      await store.renew?.('renewed', minute, one);
      await store.complete('done', minute, one);
      await store.advance?.('moved', 1, minute);
      await store.advance?.('moved', 2, minute);
      const keys = (await send('KEYS', `${own}*`)) as string[];
      expect(keys).toHaveLength(4);
      for (const key of keys) expect(await send('PTTL', key)).toBeGreaterThan(minute / 2);
    });
  });

  test('causes a 503 while Redis is unreachable, and the delivery is handled when Redis is back', async () => {
    const proxy = opens(await redisProxy());
    const { client, send } = opens(await redisLibraries.ioredis(proxy.url));
    await send('PING');
    const onError = vi.fn();
    const receiver = createReceiver({
      secret,
      dedupe: redisDedupe(client, { prefix }),
      on: { 'transaction.paid': () => undefined },
      onError,
    });
    const deliver = async (id: string) => {
      const body = JSON.stringify({ event: 'transaction.paid', id });
      return receiver.receive({ body, headers: sign({ body, secret }) });
    };
    proxy.silence();
    const id = randomUUID();
    expect(await deliver(id)).toMatchObject({ status: 503, outcome: 'unavailable' });
    expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
    proxy.mend();
    await eventually(async () => expect((await deliver(id)).status).toBe(200));
    expect((await deliver(id)).outcome).toBe('duplicate');
  });
});

describe('redisDedupe', () => {
  const over = (reply: unknown) => redisDedupe({ call: async () => reply });
  const steps: Readonly<Record<string, (store: DedupeStore) => unknown>> = {
    claim: (store) => store.claim('id', 1, worker()),
    renew: (store) => store.renew?.('id', 1, worker()),
    complete: (store) => store.complete('id', 1, worker()),
    release: (store) => store.release('id', worker()),
    advance: (store) => store.advance?.('id', 1, 1),
  };

  test.each(Object.keys(steps))('throws an error for every unknown result of %s (row 70)', async (step) => {
    for (const reply of ['QUEUED', null, undefined, '', 2, -1, {}, [], 'OK', true, 'toString'])
      await expect(async () => steps[step]?.(over(reply))).rejects.toThrow(
        /^Redis returned a response that its command/,
      );
  });

  test('accepts a string as a Buffer, and an integer as a string, a bigint or a Buffer', async () => {
    expect(await steps.claim?.(over(Buffer.from('done')))).toBe('done');
    expect(await steps.renew?.(over(Buffer.from('claimed')))).toBe(true);
    for (const one of [1, 1n, '1', Buffer.from('1')]) expect(await steps.complete?.(over(one))).toBe(true);
    for (const none of [0, 0n, '0', Buffer.from('0')]) expect(await steps.advance?.(over(none))).toBe(false);
  });

  test.each([
    'redis://localhost:6379',
    undefined,
    null,
    6379,
    { url: 'redis://localhost' },
    Promise.resolve(),
  ])('rejects %j, and names a correct argument', (input) => {
    expect(() => redisDedupe(input as never)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringMatching(
          /^redisDedupe takes an ioredis, node-redis or Upstash client, such as new Redis\(url\)/,
        ),
      }),
    );
  });
});
