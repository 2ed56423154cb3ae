import { redactStoreError } from '../../redact/cause.js';
import type { ClaimDetails, ClaimResult, DedupeStore } from '../../webhooks/dedupe-store.js';
import { type RedisClient, type RedisStoreOptions, readReply, redisConnection } from './client.js';

/**
 * Claims a delivery, or extends or restores a claim of the same holder. A claim is stored as `claimed:` and
 * its holder. A completed delivery is stored as `done:`, the digest of its body, and its holder. The same
 * holder can also claim twice because a client resends a command whose reply was lost with the connection.
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

const releaseScript = `
if redis.call('GET', KEYS[1]) == 'claimed:' .. ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

const advanceScript = `
if tonumber(redis.call('GET', KEYS[1]) or ARGV[1]) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Remembers deliveries in Redis 5 or newer, with your own ioredis or node-redis client. Each step is one
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
    release: async (id, { holder }) => readReply(await run(releaseScript, stored(id), holder), yesOrNo),
    advance: async (id, rank, keepFor) =>
      readReply(await run(advanceScript, keyOf(`order:${id}`), String(rank), String(keepFor)), yesOrNo),
  };
}

const yesOrNo = { 1: true, 0: false };

const claimReplies = {
  claimed: 'claimed',
  busy: 'busy',
  done: 'done',
  changed: 'changed',
} as const satisfies { [Result in ClaimResult]: Result };
