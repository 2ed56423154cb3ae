import { ConfigurationError } from '../errors/usage.js';
import type { TokenStore } from './token-store.js';

/** A client of ioredis, or of node-redis (connected), by what is used of it. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> };

/** Deletes a lock only where it is still ours: it may have expired, and be somebody else's now. */
const release =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/**
 * A store in Redis, over a client that you already have: ioredis or node-redis. The tokens stand there
 * in the clear unless you wrap the store in `encryptedTokenStore`.
 *
 * @param options `prefix` of the keys, default `payment-platform:`.
 * @throws ConfigurationError for anything that is no such client.
 */
export function redisTokenStore(client: RedisClient, options: { prefix?: string } = {}): TokenStore {
  const { prefix = 'payment-platform:' } = options;
  const send = commandOf(client);
  const name = (key: string) => `${prefix}${key}`;
  return {
    get: async (key) => {
      const value = await send('GET', name(key));
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value, ttl) => send('SET', name(key), value, 'PX', milliseconds(ttl)),
    lock: async (key, ttl) => {
      const lock = `${name(key)}:lock`;
      const holder = globalThis.crypto.randomUUID();
      const taken = await send('SET', lock, holder, 'PX', milliseconds(ttl), 'NX');
      return taken === 'OK' ? () => send('EVAL', release, '1', lock, holder) : undefined;
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));

function commandOf(client: RedisClient): (...args: [string, ...string[]]) => Promise<unknown> {
  // ioredis has a sendCommand too, of another kind: its `call` is looked for first.
  if (typeof client === 'object' && client !== null) {
    if ('call' in client && typeof client.call === 'function') return (...args) => client.call(...args);
    if ('sendCommand' in client && typeof client.sendCommand === 'function')
      return (...args) => client.sendCommand(args);
  }
  throw new ConfigurationError(
    'redisTokenStore takes a client of ioredis or of node-redis: new Redis(url), or await createClient({ url }).connect().',
  );
}
