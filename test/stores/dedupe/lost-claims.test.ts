import { randomUUID } from 'node:crypto';
import {
  createReceiver,
  type DedupeStore,
  postgresDedupe,
  postgresDedupeSql,
  redisDedupe,
  sign,
} from 'payment-platform/webhooks';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../../support/redis.js';
import { closedAfterEach } from '../../support/resources.js';
import { wireTo } from '../../support/wire.js';
import { deferred } from '../../webhooks/receiver/deliveries.js';

const opens = closedAfterEach();
const secret = 'whsec_0123456789abcdef';
/**
 * In milliseconds. The claim is renewed at each third, so a machine that pauses for a second loses no claim.
 */
const lease = 2_400;

/** A store, with control over its claims on the server. */
interface Forgetful {
  readonly store: DedupeStore<unknown>;
  /** Deletes a claim, as if the server had been emptied. */
  forget(id: string): Promise<unknown>;
  /** Resolves to whether the server knows a claim. */
  knows(id: string): Promise<boolean>;
}

function keepsItsClaims(open: () => Promise<Forgetful>) {
  let id: string;
  beforeEach(() => {
    id = randomUUID();
  });

  async function shop() {
    const server = await open();
    const work = deferred();
    const onError = vi.fn();
    const signals: AbortSignal[] = [];
    const receiver = createReceiver<unknown>({
      secret,
      lease,
      dedupe: server.store,
      identity: () => id,
      on: {
        'transaction.paid': (_, { signal }) => {
          signals.push(signal);
          return signals.length === 1 ? work.promise : undefined;
        },
      },
      onError,
    });
    const deliver = async () => {
      const body = JSON.stringify({ event: 'transaction.paid', id });
      return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    };
    const first = deliver();
    await eventually(() => expect(signals).toHaveLength(1));
    return { ...server, name: JSON.stringify(id), work, onError, signals, deliver, first };
  }

  test('a claim that the store lost is renewed, and the handler runs only once (row 71)', async () => {
    const { forget, knows, name, work, onError, signals, deliver, first } = await shop();
    for (let time = 0; time < 2; time++) {
      await forget(name);
      await eventually(async () => expect(await knows(name)).toBe(true));
      expect(await deliver()).toBe('busy');
    }
    // The claim is deleted again just before the mark.
    await forget(name);
    work.resolve();
    expect(await first).toBe('handled');
    expect(await deliver()).toBe('duplicate');
    expect(signals).toHaveLength(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test('a claim that another process has taken is reported, and stays with that process (row 71)', async () => {
    const { store, forget, name, work, onError, signals, deliver, first } = await shop();
    const stranger = { holder: randomUUID(), digest: 'd' };
    await forget(name);
    expect(await store.claim(name, 60_000, stranger)).toBe('claimed');
    await eventually(() => expect(signals[0]?.aborted).toBe(true));
    expect(onError).toHaveBeenCalledOnce();
    work.resolve();
    expect(await first).toBe('overtaken');
    expect(onError).toHaveBeenCalledOnce();
    expect(await deliver()).toBe('busy');
    expect(await store.complete(name, 60_000, stranger)).toBe(true);
  });
}

describe.skipIf(redisUrl === '')('redisDedupe (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  describe.each(libraryNames)('with the client %s', (library) => {
    keepsItsClaims(async () => {
      const { client, send } = opens(await redisLibraries[library]());
      const key = (id: string) => `${prefix}delivery:${id}`;
      return {
        store: redisDedupe(client, { prefix }),
        forget: (id) => send('DEL', key(id)),
        knows: async (id) => (await send('EXISTS', key(id))) === 1,
      };
    });
  });
});

describe.skipIf(postgresUrl === '')('postgresDedupe (set POSTGRES_URL to run these)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.deliveries`;
  beforeAll(async () => {
    await createSchema();
    const { pool, close } = postgresPool();
    await pool.query(`${postgresDedupeSql(table)} CREATE TABLE ${schema}.effects (delivery text)`);
    await close();
  });
  afterAll(removeSchema);

  const open = (transaction: boolean) => async (): Promise<Forgetful> => {
    const { pool } = opens(postgresPool());
    return {
      store: transaction ? postgresDedupe(pool, { table, transaction }) : postgresDedupe(pool, { table }),
      forget: (id) => pool.query(`DELETE FROM ${table} WHERE id = $1`, [id]),
      knows: async (id) => {
        const { rows } = await pool.query(`SELECT FROM ${table} WHERE id = $1`, [id]);
        return rows.length === 1;
      },
    };
  };
  keepsItsClaims(open(false));
  describe('with transactions', () => keepsItsClaims(open(true)));

  test('commits a handler’s writes exactly once, even if the connection is cut just before or after COMMIT (row 70)', async () => {
    const server = new URL(postgresUrl);
    const wire = opens(await wireTo(Number(server.port || 5432)));
    server.host = `127.0.0.1:${wire.port}`;
    const { pool } = opens(postgresPool({ connectionString: server.href }));
    const receiver = createReceiver<PoolClient>({
      secret,
      dedupe: postgresDedupe(pool, { table, transaction: true }),
      on: {
        'transaction.paid': ({ id }, { transaction }) =>
          transaction.query(`INSERT INTO ${schema}.effects VALUES ($1)`, [id]),
      },
      onError: () => {},
    });
    for (const round of ['before', 'on its way', 'after']) {
      const id = `${round} ${randomUUID()}`;
      const body = JSON.stringify({ event: 'transaction.paid', id });
      const deliver = async () => (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
      wire.cutNextCommits(1);
      expect(await deliver()).toBe('failed');
      await eventually(async () => expect(['handled', 'duplicate']).toContain(await deliver()));
      expect(await deliver()).toBe('duplicate');
      const { rows } = await pool.query(`SELECT FROM ${schema}.effects WHERE delivery = $1`, [id]);
      expect([round, rows.length]).toEqual([round, 1]);
    }
    expect(wire.commitsCut).toBe(3);
  });
});
