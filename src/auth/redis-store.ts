import { ConfigurationError } from '../errors/usage.js';
import { inWords } from '../input/issue.js';
import { type Readers, readIf, readOptions } from '../input/options.js';
import type { TokenStore } from './token-store.js';

/** A client of ioredis, or a connected client of node-redis. Described by the members that are used. */
export type RedisClient =
  | {
      /** Sends a command, as ioredis does. */
      call(command: string, ...args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as node-redis does: its name is the first of `args`. */
      sendCommand(args: string[]): Promise<unknown>;
    };

/** Options of `redisTokenStore`. */
interface RedisStoreOptions {
  /** Default `payment-platform:`. */
  prefix?: string | undefined;
}

const readers: Readers<RedisStoreOptions> = {
  prefix: readIf((given) => typeof given === 'string', 'must be a string'),
};

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
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`redisTokenStore: ${inWords(issues)}.`);
  const { prefix = 'payment-platform:' } = value;
  const send = commandSender(client);
  const redisKey = (key: string) => `${prefix}${key}`;
  return {
    get: async (key) => {
      const value = await send('GET', redisKey(key));
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value, ttl) => send('SET', redisKey(key), value, 'PX', milliseconds(ttl)),
    lock: async (key, ttl) => {
      const lock = `${redisKey(key)}:lock`;
      const holder = globalThis.crypto.randomUUID();
      const taken = await send('SET', lock, holder, 'PX', milliseconds(ttl), 'NX');
      return taken === 'OK' ? () => send('EVAL', releaseScript, '1', lock, holder) : undefined;
    },
  };
}

const milliseconds = (ttl: number) => String(Math.max(1, Math.ceil(ttl)));

function commandSender(client: RedisClient): (...args: [string, ...string[]]) => Promise<unknown> {
  // `call` first: ioredis also has a sendCommand, with other parameters.
  if (typeof client === 'object' && client !== null) {
    if ('call' in client && typeof client.call === 'function') return (...args) => client.call(...args);
    if ('sendCommand' in client && typeof client.sendCommand === 'function')
      return (...args) => client.sendCommand(args);
  }
  throw new ConfigurationError(
    'redisTokenStore takes a client of ioredis or of node-redis: new Redis(url), or await createClient({ url }).connect().',
  );
}
