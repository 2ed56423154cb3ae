import type { TokenStore } from '../../auth/token-store.js';
import { redactStoreError } from '../../redact/cause.js';
import type { RateLimitStore } from '../../transport/retry/rate-limit-store.js';
import { isBytes } from '../../validation/builtins.js';
import { type ClaimDetails, type ClaimResult, type DedupeStore, rankId } from '../dedupe-store.js';
import { type RedisClient, type RedisStoreOptions, readReply, redisConnection } from './client.js';

/**
 * A list contains the times of the last requests in microseconds, newest last, on the Redis server's clock.
 * If that clock was set back, future times are replaced by the current time, so that no request counts for
 * longer than a window.
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
 * Creates a rate limit store in Redis 5 or newer, with your own ioredis, node-redis or Upstash client. Each request
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

/** If the lock has expired, another process may hold it. */
const unlockScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/**
 * Creates a token store in Redis, with your own ioredis, node-redis or Upstash client. The tokens are stored
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
      if (typeof value === 'string' || isBytes(value)) return String(value);
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
        readReply(await send(lock, 'EVAL', unlockScript, '1', lock, holder), { 1: true, 0: false });
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));

/**
 * A claim is stored as `claimed:` and its holder. A completed delivery is stored as `done:`, the digest of
 * its body, and its holder. The same holder can also claim twice because a client resends a command whose
 * reply was lost with the connection.
 */
const claimScript = `
local found = redis.call('GET', KEYS[1])
if not found or found == 'claimed:' .. ARGV[1] then
  redis.call('SET', KEYS[1], 'claimed:' .. ARGV[1], 'PX', ARGV[3])
  return 'claimed'
end
if string.sub(found, 1, 5) ~= 'done:' then return 'busy' end
if string.sub(found, 6, 5 + #ARGV[2]) == ARGV[2] then return 'done' end
return 'changed'`;

const completeScript = `
local found = redis.call('GET', KEYS[1])
local done = 'done:' .. ARGV[2] .. ' ' .. ARGV[1]
if found and found ~= 'claimed:' .. ARGV[1] and found ~= done then return 0 end
redis.call('SET', KEYS[1], done, 'PX', ARGV[3])
return 1`;

const releaseClaimScript = `
if redis.call('GET', KEYS[1]) == 'claimed:' .. ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

const advanceScript = `
if tonumber(redis.call('GET', KEYS[1]) or ARGV[1]) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Remembers deliveries in Redis 5 or newer, with your own ioredis, node-redis or Upstash client. Each step is one
 * command on one key, in one round trip. Configure Redis to keep its data (`appendonly yes`) and not to evict
 * keys (`maxmemory-policy noeviction`). If Redis forgets a delivery and the platform retries it, it is
 * handled again.
 *
 * @param options `prefix` of the keys. Default `payment-platform:`.
 * @throws ConfigurationError for anything but such a client, and for an unknown option.
 */
export function redisDedupe(client: RedisClient, options: RedisStoreOptions = {}): DedupeStore {
  const { send, keyOf } = redisConnection('redisDedupe', client, options);
  const stored = (id: string) => keyOf(`delivery:${id}`);
  const run = async (script: string, key: string, ...args: string[]) => {
    try {
      return await send(key, 'EVAL', script, '1', key, ...args);
    } catch (error) {
      throw redactStoreError(error);
    }
  };
  const claim = async (id: string, lease: number, { holder, digest }: ClaimDetails) =>
    readReply(await run(claimScript, stored(id), holder, digest, String(lease)), claimReplies);
  return {
    claim,
    renew: async (id, lease, details) => (await claim(id, lease, details)) === 'claimed',
    complete: async (id, keepFor, { holder, digest }) =>
      readReply(await run(completeScript, stored(id), holder, digest, String(keepFor)), yesOrNo),
    release: async (id, { holder }) => readReply(await run(releaseClaimScript, stored(id), holder), yesOrNo),
    advance: async (id, rank, keepFor) =>
      readReply(await run(advanceScript, keyOf(rankId(id)), String(rank), String(keepFor)), yesOrNo),
  };
}

const yesOrNo = { 1: true, 0: false };

const claimReplies = {
  claimed: 'claimed',
  busy: 'busy',
  done: 'done',
  changed: 'changed',
} as const satisfies { [Result in ClaimResult]: Result };
