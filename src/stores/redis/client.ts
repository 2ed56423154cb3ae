import { StoreError } from '../../errors/store.js';
import { acceptOptions, ConfigurationError } from '../../errors/usage.js';
import { type OptionReaders, validIf } from '../../validation/options.js';

/**
 * An ioredis client, a connected node-redis client, a cluster client of either, a node-redis Sentinel, or an
 * `@upstash/redis` client. Each type lists only the members that the stores use.
 */
export type RedisClient =
  | {
      /** Sends a command, as ioredis does. */
      call(command: string, ...args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as node-redis does. The command's name is the first of `args`. */
      sendCommand(args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command to the server that holds the key, as a node-redis cluster does. */
      sendCommand(firstKey: string | undefined, isReadonly: boolean | undefined, args: string[]): unknown;
      /** The servers of the cluster. */
      readonly masters: readonly unknown[];
    }
  | {
      /** Sends a command to the current master, as `createSentinel` of node-redis does. */
      sendCommand(isReadonly: boolean | undefined, args: string[]): Promise<unknown>;
      /** Returns the sentinel that the client follows. */
      getSentinelNode(): unknown;
    }
  | {
      /** Runs a script over HTTP, as `@upstash/redis` does. */
      eval(script: string, keys: string[], args: string[]): Promise<unknown>;
    };

/** The options of the Redis stores. */
export interface RedisStoreOptions {
  /** The prefix of all keys. Default `payment-platform:`. */
  prefix?: string | undefined;
}

/** `key` is the key that the command is about, so that a cluster finds the server. */
export type SendCommand = (key: string, ...command: [string, ...string[]]) => Promise<unknown>;

const optionReaders: OptionReaders<RedisStoreOptions> = {
  prefix: validIf((value) => typeof value === 'string', 'must be a string'),
};

export function redisConnection(
  store: string,
  client: RedisClient,
  options: RedisStoreOptions,
): { readonly send: SendCommand; readonly keyOf: (key: string) => string } {
  const { prefix = 'payment-platform:' } = acceptOptions(store, options, optionReaders);
  return { send: findSender(store, client), keyOf: (key) => `${prefix}${key}` };
}

/**
 * Replies are compared as strings, because clients can be set to return Buffers, or to return integers as
 * strings or bigints. The key `null` stands for a null reply.
 */
export function readReply<Meaning>(reply: unknown, meanings: Readonly<Record<string, Meaning>>): Meaning {
  const text = String(reply);
  if (Object.hasOwn(meanings, text)) return meanings[text] as Meaning;
  throw new TypeError(
    `Redis returned a response that its command does not have. Expected ${Object.keys(meanings).join(', ')}.`,
  );
}

/** Without this check, a Sentinel would fail with a TypeError that does not explain the problem. */
function connected<Client extends object>(client: Client): Client {
  if ('isOpen' in client && client.isOpen === false)
    throw new StoreError('The Redis client is not connected. Call await client.connect() first.');
  return client;
}

function findSender(store: string, client: RedisClient): SendCommand {
  // `call` is checked first, because ioredis also has a sendCommand, with other parameters.
  if (typeof client === 'object' && client !== null && !('release' in client)) {
    if ('call' in client && typeof client.call === 'function') return (_key, ...args) => client.call(...args);
    if ('sendCommand' in client && typeof client.sendCommand === 'function') {
      if ('masters' in client) return async (key, ...args) => connected(client).sendCommand(key, false, args);
      if ('getSentinelNode' in client)
        return async (_key, ...args) => connected(client).sendCommand(false, args);
      return async (_key, ...args) => connected(client).sendCommand(args);
    }
    // Only the Upstash client has no `on`, because it uses HTTP. Old node-redis clients also have `eval`, but
    // theirs takes a callback.
    if ('eval' in client && typeof client.eval === 'function' && !('on' in client))
      return overScripts(client);
  }
  throw new ConfigurationError(
    `${store} takes an ioredis, node-redis or Upstash client, such as new Redis(url) or await createClient({ url }).connect(). Pass a Sentinel itself, not a leased client.`,
  );
}

/**
 * Sends each command as a script. The Upstash client parses values that look like JSON, so it would return a
 * token as an object. The script therefore puts `=` in front of the value.
 */
const overScripts =
  (client: { eval(script: string, keys: string[], args: string[]): Promise<unknown> }): SendCommand =>
  async (key, command, ...args) => {
    if (command === 'EVAL') return client.eval(args[0] as string, [key], args.slice(3));
    if (command !== 'GET')
      return client.eval(`return redis.call('${command}', KEYS[1], unpack(ARGV))`, [key], args.slice(1));
    const script = "local found = redis.call('GET', KEYS[1]) return found and ('=' .. found)";
    const found = await client.eval(script, [key], []);
    return typeof found === 'string' ? found.slice(1) : found;
  };
