import type { TokenStore } from '../../auth/token-store.js';
import type { RateLimitStore } from '../../transport/retry/rate-limit-store.js';
import { type RedisClient, type RedisStoreOptions, readReply, redisConnection } from './client.js';

/**
 * Counts a request unless the window is full. The window is full if it contains `limit` requests. A list
 * contains the times of the last requests in microseconds, newest last, on the Redis server's clock. If that
 * clock was set back, future times are replaced by the current time, so that no request counts for longer
 * than a window. A time that has left the window is removed from the list when the next request is counted.
 */
const reserveScript = `
local key, limit, window = KEYS[1], tonumber(ARGV[1]), ARGV[2] * 1000
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local present = string.format('%.0f', now)
if tonumber(redis.call('LINDEX', key, -1) or 0) > now then
  for index, at in ipairs(redis.call('LRANGE', key, 0, -1)) do
    if tonumber(at) > now then redis.call('LSET', key, index - 1, present) end
  end
end
local oldest = redis.call('LINDEX', key, -limit)
if oldest and oldest + window > now then return math.ceil((oldest + window - now) / 1000) end
redis.call('RPUSH', key, present)
redis.call('LTRIM', key, -limit, -1)
redis.call('PEXPIRE', key, ARGV[2] + 1000)
return 0`;

/**
 * Creates a rate limit store in Redis 5 or newer, with your own ioredis or node-redis client. Each request
 * takes one command on one key, in one round trip. Times use the clock of Redis. A key expires one second
 * after its window.
 *
 * @param options `prefix` of the keys. Default `payment-platform:`.
 * @throws ConfigurationError for anything but such a client, and for an unknown option.
 */
export function redisRateLimitStore(client: RedisClient, options: RedisStoreOptions = {}): RateLimitStore {
  const { send, keyOf } = redisConnection('redisRateLimitStore', client, options);
  return {
    reserve: async (key, limit, windowMs) => {
      const counted = keyOf(key);
      const reply = await send(
        counted,
        'EVAL',
        reserveScript,
        '1',
        counted,
        String(limit),
        String(Math.ceil(windowMs)),
      );
      // Clients can be set to return integers as strings or bigints. Anything else is not a valid reply.
      return /^\d+$/.test(String(reply)) ? Number(reply) : Number.NaN;
    },
  };
}

/** Deletes a lock only if this holder still has it. If the lock has expired, another process may hold it. */
const releaseScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/**
 * Creates a token store in Redis, with your own ioredis or node-redis client. The tokens are stored
 * unencrypted unless you wrap the store in `encryptedTokenStore`.
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
      // Clients can be set to return Buffers.
      if (typeof value === 'string' || value instanceof Uint8Array) return String(value);
      throw new TypeError('Redis returned neither a string nor nil for GET.');
    },
    set: async (key, value, ttl) =>
      readReply(await send(keyOf(key), 'SET', keyOf(key), value, 'PX', milliseconds(ttl)), { OK: true }),
    lock: async (key, ttl) => {
      const lock = `${keyOf(key)}:lock`;
      const holder = globalThis.crypto.randomUUID();
      const reply = await send(lock, 'SET', lock, holder, 'PX', milliseconds(ttl), 'NX');
      if (!readReply(reply, { OK: true, null: false })) return undefined;
      return async () =>
        readReply(await send(lock, 'EVAL', releaseScript, '1', lock, holder), { 1: true, 0: false });
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));
