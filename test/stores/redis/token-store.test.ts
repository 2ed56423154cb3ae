import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { encryptedTokenStore, redisTokenStore } from 'payment-platform';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { json } from '../../support/form-server.js';
import {
  libraryNames,
  type RedisLibrary,
  redisLibraries,
  redisPrefix,
  redisUrl,
} from '../../support/redis.js';
import { closedAfterEach } from '../../support/resources.js';
import { tokenServer } from '../../support/token-server.js';

const opens = closedAfterEach();
const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

describe.skipIf(redisUrl === '')('redisTokenStore (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);
  const storeOn = async (library: RedisLibrary) => {
    const connection = opens(await redisLibraries[library]());
    return { ...connection, store: redisTokenStore(connection.client, { prefix }) };
  };

  describe.each(libraryNames)('with the client %s', (library) => {
    test('returns a value until it expires', async () => {
      const { send, store } = await storeOn(library);
      const key = randomUUID();
      expect(await store.get(key)).toBeUndefined();
      await store.set(key, 'value', 60_000.4);
      expect(await store.get(key)).toBe('value');
      const left = await send('PTTL', `${prefix}${key}`);
      expect(left).toBeGreaterThan(50_000);
      expect(left).toBeLessThanOrEqual(60_001);
    });

    test('grants a lock to one holder, and only the holder can release it', async () => {
      const { store } = await storeOn(library);
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
      const { store } = await storeOn(library);
      const key = randomUUID();
      const sealed = encryptedTokenStore(store, new Uint8Array(32).fill(1));
      await sealed.set(key, '{"value":"token-canary"}', 60_000);
      expect(await store.get(key)).not.toContain('token-canary');
      expect(await sealed.get(key)).toBe('{"value":"token-canary"}');
    });

    // A process waits half a second for a store. On a busy machine that can be too short, so the test has
    // retries.
    test('lets two processes share one token request', { retry: 2 }, async () => {
      const server = opens(await tokenServer({ call: (response) => json(response, 200, { data: [] }) }));
      const fleet = `${prefix}${randomUUID()}:`;
      const script = await bundledScript(new URL('../../support/share-token.ts', import.meta.url));
      const start = () =>
        run(process.execPath, [script, server.url, redisUrl, library, fleet], {
          cwd: root,
          timeout: 60_000,
        });
      await Promise.all([start(), start()]);
      expect(server.tokens).toHaveLength(1);
      expect(server.calls).toHaveLength(20);
      await start();
      expect(server.tokens).toHaveLength(1);
      expect(server.calls).toHaveLength(30);
    });
  });
});

test('redisTokenStore rejects a value that is not a client, and names a correct argument', () => {
  for (const wrong of [undefined, null, {}, 'redis://localhost', { get() {} }])
    expect(() => redisTokenStore(wrong as never)).toThrow(/takes an ioredis, node-redis or Upstash client/);
});

describe('redisTokenStore with unexpected Redis results', () => {
  const over = (reply: unknown) => redisTokenStore({ call: async () => reply });

  test('throws an error for every unknown result (row 70)', async () => {
    for (const reply of ['QUEUED', undefined, 0, {}, []]) {
      if (reply !== 'QUEUED') await expect(over(reply).get('key')).rejects.toThrow(TypeError);
      await expect(over(reply).set('key', 'value', 1)).rejects.toThrow(TypeError);
      await expect(over(reply).lock('key', 1)).rejects.toThrow(TypeError);
    }
    await expect(over(null).set('key', 'value', 1)).rejects.toThrow(TypeError);
  });

  test('accepts results that are Buffers', async () => {
    expect(await over(Buffer.from('value')).get('key')).toBe('value');
    expect(await over(null).get('key')).toBeUndefined();
    await over(Buffer.from('OK')).set('key', 'value', 1);
    expect(await over(Buffer.from('OK')).lock('key', 1)).toBeTypeOf('function');
    expect(await over(null).lock('key', 1)).toBeUndefined();
  });
});
