import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setInterval } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const { REDIS_URL = '', POSTGRES_URL = '' } = process.env;

/** Closes resources after a test, last first. */
export function closesAfter(t: TestContext): (close: () => unknown) => void {
  const closes: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closes.reverse()) await close();
  });
  return (close) => closes.push(close);
}

/** Explains why a test cannot run on this machine. False if it can. */
export const missing = (...names: ('REDIS_URL' | 'POSTGRES_URL')[]): string | false => {
  const unset = names.filter((name) => !process.env[name]);
  return unset.length > 0 && `needs ${unset.join(' and ')}`;
};

/** Returns a tenth of the load, or all of it with FULL=1. */
export const size = (full: number) => (process.env.FULL === '1' ? full : full / 10);

/** Creates a database for one test. */
export async function newDatabase() {
  const name = `at_scale_${randomUUID().replaceAll('-', '')}`;
  const server = new Pool({ connectionString: POSTGRES_URL, max: 1 });
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url.href });
  pool.on('error', () => undefined);
  const remove = async () => {
    await pool.end();
    // The server waits some seconds for connections that end. FORCE ends the others, with an error.
    const drop = `DROP DATABASE ${name}`;
    await server.query(drop).catch(() => server.query(`${drop} WITH (FORCE)`));
    await server.end();
  };
  return { url: url.href, pool, remove };
}

/** Uses database 15 of the Redis server, which must be empty. */
export async function emptyRedis() {
  const url = new URL(REDIS_URL);
  url.pathname = '/15';
  const redis = new Redis(url.href, { maxRetriesPerRequest: null });
  if ((await redis.dbsize()) > 0) {
    redis.disconnect();
    throw new Error('The test needs database 15 of the Redis, and there is something in it.');
  }
  const remove = async () => {
    await redis.flushdb();
    redis.disconnect();
  };
  return { url: url.href, redis, remove };
}

/** Polls until a condition is true. After five minutes, rejects with the current state. */
export async function until(isSo: () => Promise<boolean>, state: () => Promise<unknown>): Promise<void> {
  const last = performance.now() + 300_000;
  for await (const _ of setInterval(100)) {
    if (await isSo()) return;
    if (performance.now() > last) throw new Error(`Not in five minutes: ${JSON.stringify(await state())}`);
  }
}
