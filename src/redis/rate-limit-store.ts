import type { RateLimitStore } from '../transport/retry/rate-limit-store.js';
import { type RedisClient, type RedisStoreOptions, redisConnection } from './client.js';

/**
 * Counts a request unless the window is full. A list has the times of the last requests in microseconds, the
 * newest at its end: if as many as the limit are younger than the window, there is no room. The clock is that
 * of Redis. If it was set back, times in its future become the present one, so that none counts for longer
 * than a window. A time that leaves the list is older than the window, because the next one was let in.
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
 * A rate limit store in Redis 5 or newer, with your own client of ioredis or node-redis: one command, one key
 * and one round trip for a request, on the clock of Redis. A key expires a second after its window.
 *
 * @param options `prefix` of the keys. Default `payment-platform:`.
 * @throws ConfigurationError for anything but such a client, and for an unknown option.
 */
export function redisRateLimitStore(client: RedisClient, options: RedisStoreOptions = {}): RateLimitStore {
  const { send, keyOf } = redisConnection('redisRateLimitStore', client, options);
  return {
    reserve: async (key, limit, windowMs) => {
      const counted = keyOf(key);
      const answer = await send(
        counted,
        'EVAL',
        reserveScript,
        '1',
        counted,
        String(limit),
        String(Math.ceil(windowMs)),
      );
      // Clients can be set to give integers as text or as bigints. What else there is, is no answer.
      return /^\d+$/.test(String(answer)) ? Number(answer) : Number.NaN;
    },
  };
}
