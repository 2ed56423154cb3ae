import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  createReceiver,
  postgresDedupe,
  postgresDedupeSql,
  type RunInTransaction,
  sign,
} from 'payment-platform/webhooks';
import { Pool, type PoolClient } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { postgresSchema, postgresUrl, runInTransaction } from '../../support/postgres.js';
import { type Orm, orms, type Query } from './orms.js';

const secret = 'whsec_0123456789abcdef';

describe.skipIf(postgresUrl === '').each(Object.entries(orms))(
  'a receiver whose handlers run in a transaction of %s (needs POSTGRES_URL)',
  (name, connect) => {
    const { schema, createSchema, removeSchema } = postgresSchema();
    const table = `${schema}.deliveries`;
    const pool = new Pool({ connectionString: postgresUrl });
    let orm: Orm;
    beforeAll(async () => {
      await createSchema();
      await pool.query(`${postgresDedupeSql(table)}CREATE TABLE ${schema}.effects (delivery text)`);
      orm = await connect(postgresUrl);
    });
    afterAll(() => Promise.all([orm.close(), pool.end()]).then(removeSchema));

    /** Creates a receiver whose handler writes an effect and then runs the test's own code. */
    function receive(
      id: string,
      handle: (query: Query) => unknown = () => undefined,
      run: RunInTransaction<Query> = (work) =>
        orm.transaction((client, query) => work(toQuery(client, query))),
    ) {
      const onError = vi.fn();
      const receiver = createReceiver<Query>({
        secret,
        order: 'forward-only',
        dedupe: postgresDedupe(pool, { table, transaction: run }),
        on: {
          'transaction.paid': async (_event, { transaction }) => {
            await transaction(`INSERT INTO ${schema}.effects VALUES ('${id}')`);
            await handle(transaction);
          },
        },
        onUnhandled: () => undefined,
        onError,
      });
      const deliver = async (status = 'paid') => {
        const body = JSON.stringify({ event: `transaction.${status}`, id, status });
        return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
      };
      const effects = async () =>
        (await pool.query(`SELECT FROM ${schema}.effects WHERE delivery = $1`, [id])).rows.length;
      return { deliver, effects, onError };
    }

    /** Returns the library's transaction as a function that runs a statement, which tests can also call. */
    const toQuery = (client: object, query: Query): Query =>
      new Proxy(
        Object.assign((text: string) => query(text), {}),
        {
          get: (_target, name) => {
            const value: unknown = Reflect.get(client, name);
            return typeof value === 'function' ? value.bind(client) : value;
          },
        },
      );

    test('handles a delivery only once if it arrives twice', async () => {
      const { deliver, effects, onError } = receive(randomUUID());
      expect(await deliver()).toBe('handled');
      expect(await deliver()).toBe('duplicate');
      expect(await effects()).toBe(1);
      expect(onError).not.toHaveBeenCalled();
    });

    test('runs the handler in its transaction’s async context, which includes the delivery’s', async () => {
      const opened = new AsyncLocalStorage<string>();
      const requests = new AsyncLocalStorage<string>();
      const id = randomUUID();
      const seen: unknown[] = [];
      const { deliver } = receive(
        id,
        async () => {
          seen.push(opened.getStore(), requests.getStore());
          await Promise.resolve();
          seen.push(opened.getStore());
        },
        (work) =>
          orm.transaction((client, query) => opened.run(`of ${id}`, () => work(toQuery(client, query)))),
      );
      expect(await requests.run('request 7', () => deliver())).toBe('handled');
      expect(seen).toEqual([`of ${id}`, 'request 7', `of ${id}`]);
    });

    test('does not acknowledge a delivery whose connection the server ends, and keeps the process alive', async () => {
      const { deliver, effects, onError } = receive(randomUUID(), async (query) => {
        const result = await query('SELECT pg_backend_pid() AS pid');
        const pid = /"pid":(\d+)/.exec(JSON.stringify(result))?.[1];
        // No statement follows, because postgres.js can throw outside of every promise for one.
        await pool.query('SELECT pg_terminate_backend($1)', [Number(pid)]);
      });
      expect(['failed', 'unavailable']).toContain(await deliver());
      expect(onError).toHaveBeenCalled();
      expect(await effects()).toBe(0);
    });

    test('rolls back the writes of a handler that throws, and handles the next delivery', async () => {
      let isBroken = true;
      const { deliver, effects } = receive(randomUUID(), () => {
        if (isBroken) throw new Error('no stock');
      });
      expect(await deliver()).toBe('failed');
      expect(await effects()).toBe(0);
      isBroken = false;
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });

    test('commits no write of a handler that throws, even if the option transaction ignores the error of its work', async () => {
      let isBroken = true;
      const handle = () => {
        if (isBroken) throw new Error('no stock');
      };
      const { deliver, effects } = receive(randomUUID(), handle, (work) =>
        orm.transaction(async (client, query) => {
          await work(toQuery(client, query)).catch(() => undefined);
        }),
      );
      expect(await deliver()).toBe('failed');
      expect(await effects()).toBe(0);
      isBroken = false;
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });

    test('skips an older status after a newer one, even if the newer one’s handler failed', async () => {
      const { deliver } = receive(randomUUID(), () => {
        throw new Error('no stock');
      });
      expect(await deliver()).toBe('failed');
      expect(await deliver('in_analysis')).toBe('outdated');
    });

    test('does not acknowledge a delivery if the handler ignores a statement’s error, and reports the reason', async () => {
      const { deliver, effects, onError } = receive(randomUUID(), async (query) => {
        await Promise.resolve(query('SELECT 1 / 0')).catch(() => undefined);
      });
      expect(await deliver()).toBe('failed');
      expect(onError.mock.calls[0]?.[0]).toMatchObject({
        message: expect.stringContaining(
          'A statement of the handler failed, and the handler ignored its error',
        ),
      });
      expect(await effects()).toBe(0);
    });

    test('acknowledges a delivery only with its writes, even if an unawaited statement fails (row 70)', async () => {
      // PostgreSQL then responds to COMMIT with ROLLBACK, which most libraries mistake for success.
      const { deliver, effects, onError } = receive(randomUUID(), (query) => {
        const late = async () => {
          await query('SELECT 1');
          await query('SELECT 1 / 0');
        };
        late().catch(() => undefined);
      });
      // Prisma sends the second statement only after its commit, and rejects it.
      const isTooLate = name === 'Prisma';
      expect(await deliver()).toBe(isTooLate ? 'handled' : 'failed');
      expect(await effects()).toBe(isTooLate ? 1 : 0);
      expect(onError).toHaveBeenCalledTimes(isTooLate ? 0 : 1);
    });

    test('does not acknowledge a delivery that is handled inside an outer transaction', async () => {
      const id = randomUUID();
      const outcomes: unknown[] = [];
      await orm
        .transaction(async (client, query) => {
          const { deliver } = receive(id, undefined, (work) => work(toQuery(client, query)));
          outcomes.push(await deliver());
          throw new Error('the transaction around it fails');
        })
        .catch(() => undefined);
      expect(outcomes).toEqual(['failed']);
    });

    test('does not acknowledge a delivery if its handler sends COMMIT itself', async () => {
      const { deliver } = receive(randomUUID(), (query) => query('COMMIT'));
      expect(await deliver()).toBe('failed');
    });

    test('does not acknowledge a delivery if a deferred constraint fails at COMMIT', async () => {
      const deferred = `${schema}.deferred_${randomUUID().replaceAll('-', '')}`;
      await pool.query(`CREATE TABLE ${deferred} (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`);
      const { deliver, effects } = receive(randomUUID(), (query) =>
        query(`INSERT INTO ${deferred} VALUES (1), (1)`),
      );
      expect(await deliver()).toBe('failed');
      expect(await effects()).toBe(0);
    });

    test('handles an event once even if it is delivered ten times at once', async () => {
      const { deliver, effects } = receive(randomUUID());
      const outcomes = await Promise.all(Array.from({ length: 10 }, deliver));
      expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1);
      expect(await effects()).toBe(1);
    });

    test('does not acknowledge a delivery if the library retries the transaction’s work after a failure', async () => {
      const again: RunInTransaction<Query> = async (work) => {
        const run = () => orm.transaction((client, query) => work(toQuery(client, query)));
        // A library retries like this after a serialization failure at COMMIT.
        await orm
          .transaction(async (client, query) => {
            await work(toQuery(client, query));
            throw new Error('40001');
          })
          .catch(run);
      };
      const { deliver, effects, onError } = receive(randomUUID(), undefined, again);
      expect(await deliver()).toBe('failed');
      expect(await effects()).toBe(0);
      const [error] = onError.mock.calls.at(0) ?? [];
      expect(String(error)).toContain('ran the work of a transaction twice');
    });
  },
);

describe.skipIf(postgresUrl === '')('postgresDedupe (needs POSTGRES_URL)', () => {
  test('stores claims, completions and status ranks through postgres.js', async () => {
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const sql = postgres(postgresUrl, { onnotice: () => undefined });
    try {
      const table = `${schema}.deliveries`;
      await sql.unsafe(postgresDedupeSql(table));
      const dedupe = postgresDedupe(sql, { table });
      const details = { holder: 'a', digest: 'd' };
      expect(await dedupe.claim('1', 1000, details)).toBe('claimed');
      expect(await dedupe.claim('1', 1000, { ...details, holder: 'b' })).toBe('busy');
      expect(await dedupe.complete('1', 1000, details)).toBe(true);
      expect(await dedupe.claim('1', 1000, details)).toBe('done');
      expect(await dedupe.advance?.('1', 2, 1000)).toBe(true);
      expect(await dedupe.advance?.('1', 1, 1000)).toBe(false);
    } finally {
      await sql.end();
      await removeSchema();
    }
  });

  test('runs no handler if the function transaction opens its transaction in another schema', async () => {
    const [here, there] = [postgresSchema(), postgresSchema()];
    await Promise.all([here.createSchema(), there.createSchema()]);
    const connect = (schema: string) =>
      new Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
    const [pool, other] = [connect(here.schema), connect(there.schema)];
    try {
      for (const each of [pool, other]) await each.query(postgresDedupeSql('deliveries'));
      const onError = vi.fn();
      const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(other, work);
      const receiver = createReceiver({
        secret,
        dedupe: postgresDedupe(pool, { table: 'deliveries', transaction }),
        on: { 'transaction.paid': () => expect.unreachable() },
        onError,
      });
      const body = JSON.stringify({ event: 'transaction.paid', id: randomUUID() });
      const result = await receiver.receive({ body, headers: sign({ body, secret }) });
      expect(result).toMatchObject({ outcome: 'unavailable', status: 503 });
      expect(onError.mock.calls[0]?.[0].message).toMatch(/another database or schema/);
    } finally {
      await Promise.all([pool.end(), other.end()]);
      await Promise.all([here.removeSchema(), there.removeSchema()]);
    }
  });

  test.each<[string, (pool: Pool) => RunInTransaction<unknown>]>([
    ['passes the pool instead of a transaction', (pool) => (work) => work(pool)],
    [
      'does not wait for its work',
      (pool) => async (work) => {
        const client = await pool.connect();
        await client.query('BEGIN');
        void work(client);
        await client.query('COMMIT');
        client.release();
      },
    ],
  ])('runs no handler if the function transaction %s', async (_, createTransaction) => {
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const pool = new Pool({ connectionString: postgresUrl });
    try {
      const table = `${schema}.deliveries`;
      await pool.query(postgresDedupeSql(table));
      const onError = vi.fn();
      const receiver = createReceiver({
        secret,
        dedupe: postgresDedupe(pool, { table, transaction: createTransaction(pool) }),
        on: { 'transaction.paid': () => expect.unreachable() },
        onError,
      });
      const body = JSON.stringify({ event: 'transaction.paid', id: randomUUID() });
      const result = await receiver.receive({ body, headers: sign({ body, secret }) });
      expect(result).toMatchObject({ outcome: 'unavailable', status: 503 });
      expect(onError.mock.calls[0]?.[0].message).toContain('Pass (work) => db.transaction(work)');
    } finally {
      await pool.end();
      await removeSchema();
    }
  });

  test('rejects an option transaction that cannot open a transaction', async () => {
    const sql = postgres(postgresUrl);
    const pool = new Pool({ connectionString: postgresUrl });
    const claim = ['an id', { holder: 'a', digest: 'd' }] as const;
    try {
      expect(() => postgresDedupe(sql as never, { transaction: true })).toThrow('(work) => sql.begin(work)');
      expect(() => postgresDedupe(pool, { transaction: 'yes' as never })).toThrow(
        '(work) => db.transaction(work)',
      );
      const store = postgresDedupe(pool, { transaction: async () => undefined });
      await expect(store.begin?.(...claim)).rejects.toThrow(
        'opened no transaction, or ended it before the handler',
      );
      const failing = postgresDedupe(pool, {
        transaction: () => Promise.reject(new Error('too many clients')),
      });
      await expect(failing.begin?.(...claim)).rejects.toThrow();
    } finally {
      await Promise.all([sql.end(), pool.end()]);
    }
  });
});
