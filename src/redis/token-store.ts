import type { TokenStore } from '../auth/token-store.js';
import { meaningOf, type RedisClient, type RedisStoreOptions, redisConnection } from './client.js';

/** Deletes a lock only if this holder still has it: it may have expired and been taken by another. */
const releaseScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/**
 * A token store in Redis, with your own client of ioredis or node-redis. The tokens are stored unencrypted
 * unless you wrap the store in `encryptedTokenStore`.
 *
 * @param options `prefix` of the keys. Default `payment-platform:`.
 * @throws ConfigurationError for anything but such a client, and for an unknown option.
 */
export function redisTokenStore(client: RedisClient, options: RedisStoreOptions = {}): TokenStore {
  const { send, keyOf } = redisConnection('redisTokenStore', client, options);
  return {
    get: async (key) => {
      const value = await send(keyOf(key), 'GET', keyOf(key));
      if (value === null) return undefined;
      // Clients can be set to give Buffers.
      if (typeof value === 'string' || value instanceof Uint8Array) return String(value);
      throw new TypeError('Redis returned neither a string nor nil for GET.');
    },
    set: async (key, value, ttl) =>
      meaningOf(await send(keyOf(key), 'SET', keyOf(key), value, 'PX', milliseconds(ttl)), { OK: true }),
    lock: async (key, ttl) => {
      const lock = `${keyOf(key)}:lock`;
      const holder = globalThis.crypto.randomUUID();
      const taken = await send(lock, 'SET', lock, holder, 'PX', milliseconds(ttl), 'NX');
      if (!meaningOf(taken, { OK: true, null: false })) return undefined;
      return async () =>
        meaningOf(await send(lock, 'EVAL', releaseScript, '1', lock, holder), { 1: true, 0: false });
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));
