import { randomUUID } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import type { RedisClient } from 'payment-platform';
import { createClient, createCluster } from 'redis';

/** The URL of the tests' Redis server; empty if the machine has none. */
export const redisUrl = process.env.REDIS_URL ?? '';

type Send = (...command: [string, ...string[]]) => Promise<unknown>;

/** Lists the Redis clients that merchants use, with functions that call and close each client. */
export const redisLibraries = {
  ioredis: async (url = redisUrl) => {
    const client = new Redis(url);
    // A test that cuts the connection expects this error.
    client.on('error', () => undefined);
    const send: Send = (...command) => client.call(...command);
    return { client, send, close: () => client.disconnect() };
  },
  'node-redis': async (url = redisUrl) => {
    const client = createClient({ url });
    client.on('error', () => undefined);
    await client.connect();
    const send: Send = (...command) => client.sendCommand(command);
    return { client, send, close: () => client.destroy() };
  },
};

/**
 * Lists the cluster clients of the same libraries. Each takes the ports of some nodes. `send` takes commands
 * whose first argument is a key.
 */
export const clusterLibraries = {
  ioredis: async (ports: readonly number[]) => {
    const client = new Cluster(ports.map((port) => ({ host: '127.0.0.1', port })));
    const send: Send = (...command) => client.call(...command);
    return { client, send, close: () => client.disconnect() };
  },
  'node-redis': async (ports: readonly number[]) => {
    const rootNodes = ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }));
    const client = createCluster({ rootNodes });
    client.on('error', () => undefined);
    await client.connect();
    const send: Send = (...command) => client.sendCommand(command[1], false, command);
    return { client, send, close: () => client.destroy() };
  },
} satisfies Record<keyof typeof redisLibraries, unknown>;

/** A client, with functions that send a command and close the client. */
export interface RedisConnection {
  readonly client: RedisClient;
  readonly send: Send;
  close(): unknown;
}

export type RedisLibrary = keyof typeof redisLibraries;

export const libraryNames = Object.keys(redisLibraries) as RedisLibrary[];

/** Manages a key prefix for one test file, with a function that removes its keys. */
export function redisPrefix() {
  const prefix = `test-${randomUUID()}:`;
  const removeKeys = async () => {
    const { client, close } = await redisLibraries.ioredis();
    const keys = await client.keys(`${prefix}*`);
    if (keys.length > 0) await client.del(...keys);
    close();
  };
  return { prefix, removeKeys };
}
