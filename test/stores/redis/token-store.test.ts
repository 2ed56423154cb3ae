import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { redisTokenStore } from 'payment-platform';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { json } from '../../support/form-server.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../../support/redis.js';
import { keepsTokenContract } from '../../support/redis-contracts.js';
import { closedAfterEach } from '../../support/resources.js';
import { tokenServer } from '../../support/token-server.js';

const opens = closedAfterEach();
const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

describe.skipIf(redisUrl === '')('redisTokenStore (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  describe.each(libraryNames)('with the client %s', (library) => {
    keepsTokenContract(async () => opens(await redisLibraries[library]()), prefix);

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
