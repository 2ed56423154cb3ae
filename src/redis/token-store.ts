import type { TokenStore } from '../auth/token-store.js';
import { type RedisClient, type RedisStoreOptions, redisConnection } from './client.js';

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
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value, ttl) => send(keyOf(key), 'SET', keyOf(key), value, 'PX', milliseconds(ttl)),
    lock: async (key, ttl) => {
      const lock = `${keyOf(key)}:lock`;
      const holder = globalThis.crypto.randomUUID();
      const taken = await send(lock, 'SET', lock, holder, 'PX', milliseconds(ttl), 'NX');
      return taken === 'OK' ? () => send(lock, 'EVAL', releaseScript, '1', lock, holder) : undefined;
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));
