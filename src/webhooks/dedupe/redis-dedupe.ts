import { type RedisClient, type RedisStoreOptions, redisConnection } from '../../redis/client.js';
import type { ClaimAnswer, DedupeStore } from './dedupe-store.js';

/**
 * A claim is `claimed:` and its holder, a delivery that is done `done:` and the digest of its body. A claim of
 * the same holder is one that a client sends again, because its connection was lost before the answer.
 */
const claimScript = `
local found = redis.call('GET', KEYS[1])
if not found or found == 'claimed:' .. ARGV[1] then
  redis.call('SET', KEYS[1], 'claimed:' .. ARGV[1], 'PX', ARGV[3])
  return 'claimed'
end
if string.sub(found, 1, 5) ~= 'done:' then return 'busy' end
if found == 'done:' .. ARGV[2] then return 'done' end
return 'changed'`;

const ifHeld = "if redis.call('GET', KEYS[1]) == 'claimed:' .. ARGV[1] then return";
const releaseScript = `${ifHeld} redis.call('DEL', KEYS[1]) end return 0`;
const renewScript = `${ifHeld} redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;

const advanceScript = `
if tonumber(redis.call('GET', KEYS[1]) or ARGV[1]) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Remembers deliveries in Redis 5 or newer, with your own client of ioredis or node-redis: each step is one
 * command, on one key, in one round trip. Redis should keep its data (`appendonly yes`) and not evict keys
 * (`maxmemory-policy noeviction`): a forgotten delivery that comes again is handled again.
 *
 * @param options `prefix` of the keys. Default `payment-platform:`.
 * @throws ConfigurationError for anything but such a client, and for an unknown option.
 */
export function redisDedupe(client: RedisClient, options: RedisStoreOptions = {}): DedupeStore {
  const { send, keyOf } = redisConnection('redisDedupe', client, options);
  const stored = (id: string) => keyOf(`delivery:${id}`);
  const run = (script: string, key: string, ...args: string[]) =>
    send(key, 'EVAL', script, '1', key, ...args);
  return {
    claim: async (id, lease, { holder, digest }) => {
      // As text: clients can be set to give Buffers.
      return String(await run(claimScript, stored(id), holder, digest, String(lease))) as ClaimAnswer;
    },
    complete: (id, keepFor, { digest }) =>
      send(stored(id), 'SET', stored(id), `done:${digest}`, 'PX', String(keepFor)),
    release: (id, { holder }) => run(releaseScript, stored(id), holder),
    renew: (id, lease, { holder }) => run(renewScript, stored(id), holder, String(lease)),
    advance: async (id, rank, keepFor) =>
      String(await run(advanceScript, keyOf(`order:${id}`), String(rank), String(keepFor))) === '1',
  };
}
