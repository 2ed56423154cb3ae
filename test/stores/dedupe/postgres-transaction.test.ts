import { randomUUID } from 'node:crypto';
import {
  createReceiver,
  type DedupeStore,
  type EventHandler,
  postgresDedupe,
  postgresDedupeSql,
  type ReceiverOptions,
  sign,
  type WebhookEvent,
} from 'payment-platform/webhooks';
import type { PoolClient, PoolConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { postgresPool, postgresSchema, postgresUrl, runInTransaction } from '../../support/postgres.js';
import { closedAfterEach } from '../../support/resources.js';
import { wireTo } from '../../support/wire.js';

const opens = closedAfterEach();
const secret = 'whsec_0123456789abcdef';
const details = { holder: 'a holder', digest: 'digest of the body' };

describe.skipIf(postgresUrl === '')('a delivery’s transaction (set POSTGRES_URL to run these)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.deliveries`;
  let id: string;
  beforeAll(async () => {
    await createSchema();
    const { pool, close } = postgresPool();
    await pool.query(postgresDedupeSql(table));
    await pool.query(`CREATE TABLE ${schema}.effects (delivery text, effect text)`);
    await close();
  });
  afterAll(removeSchema);
  beforeEach(() => {
    id = randomUUID();
  });

  function shop(
    handler: EventHandler<WebhookEvent, PoolClient>,
    config?: PoolConfig,
    options?: Partial<ReceiverOptions<PoolClient>>,
  ) {
    const { pool } = opens(postgresPool(config));
    const direct = opens(postgresPool({ max: 1 })).pool;
    const onError = vi.fn();
    const receiver = createReceiver<PoolClient>({
      secret,
      dedupe: postgresDedupe(pool, { table, transaction: true }),
      on: { 'transaction.paid': handler },
      onError,
      ...options,
    });
    const deliver = async () => {
      const body = JSON.stringify({ event: 'transaction.paid', id });
      return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    };
    const effects = async () => {
      const { rows } = await direct.query(`SELECT effect FROM ${schema}.effects WHERE delivery = $1`, [id]);
      return rows.map(({ effect }) => effect);
    };
    return { pool, onError, deliver, effects };
  }

  const insert = `INSERT INTO ${schema}.effects VALUES ($1, $2)`;
  const write = (client: PoolClient, effect: string) => client.query(insert, [id, effect]);

  test.each<[string, (client: PoolClient) => unknown]>([
    ['something outside the database', () => undefined],
    ['a statement', (client) => client.query('SELECT pg_sleep(2)').catch(() => undefined)],
  ])('is rolled back if its handler waits for %s and never ends', async (_, wait) => {
    let isHung = true;
    const { pool, deliver, effects, onError } = shop(
      async (_event, { transaction }) => {
        await write(transaction, isHung ? 'hung' : 'handled');
        if (!isHung) return;
        void wait(transaction);
        await new Promise(() => {});
      },
      { max: 2 },
      { handlerTimeout: 100 },
    );
    for (let time = 0; time < 3; time++) {
      expect(await deliver()).toBe('timed-out');
      await eventually(() => expect(pool.totalCount - pool.idleCount).toBe(0));
    }
    await eventually(() =>
      expect(onError.mock.calls.map(([{ message }]) => message)).toContainEqual(
        expect.stringContaining('after its signal aborted, so its transaction was rolled back'),
      ),
    );
    isHung = false;
    // A delivery that times out on a slow machine is still handled, and the next one is a duplicate.
    await eventually(async () => expect(await deliver()).toMatch(/^(handled|duplicate)$/));
    expect(await effects()).toEqual(['handled']);
  });

  test('that a library’s function opened is not rolled back before the handler ends', async () => {
    const { pool, onError, effects } = shop(() => undefined);
    let hasStarted = false;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const receiver = createReceiver<PoolClient>({
      secret,
      handlerTimeout: 50,
      dedupe: postgresDedupe(pool, { table, transaction: (work) => runInTransaction(pool, work) }),
      on: {
        'transaction.paid': async (_event, { transaction, signal }) => {
          hasStarted = true;
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
          // The receiver would end the transaction now, after another handlerTimeout.
          await transaction.query('SELECT pg_sleep(0.2)');
          await write(transaction, 'late');
          end();
        },
      },
      onError,
    });
    const body = JSON.stringify({ event: 'transaction.paid', id });
    const deliver = async () => (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    let outcome: unknown;
    // On a slow machine, a delivery's time can be over before its handler starts.
    await eventually(async () => {
      if (!hasStarted) outcome = await deliver();
      expect(hasStarted).toBe(true);
    });
    expect(outcome).toBe('timed-out');
    await ended;
    await eventually(async () => expect(await effects()).toEqual(['late']));
    expect(onError.mock.calls.filter(([{ message }]) => message.includes('rolled back'))).toEqual([]);
    expect(await deliver()).toBe('duplicate');
  });

  describe.each<[string, (client: PoolClient) => Promise<unknown>, string[]]>([
    [
      'a helper’s own BEGIN and ROLLBACK',
      async (client) => {
        await client.query('BEGIN');
        await write(client, 'points');
        await client.query('ROLLBACK');
      },
      [],
    ],
    ['ROLLBACK', (client) => client.query('ROLLBACK'), []],
    [
      'ROLLBACK before a write',
      async (client) => {
        await client.query('ROLLBACK');
        await write(client, 'stray');
      },
      ['stray'],
    ],
    ['ROLLBACK AND CHAIN', (client) => client.query('ROLLBACK AND CHAIN'), []],
    [
      'ROLLBACK, BEGIN and a write',
      async (client) => {
        await client.query('ROLLBACK');
        await client.query('BEGIN');
        await write(client, 'points');
      },
      [],
    ],
    ['ABORT', (client) => client.query('ABORT'), []],
    ['COMMIT', (client) => client.query('COMMIT'), ['order']],
    ['COMMIT AND CHAIN', (client) => client.query('COMMIT AND CHAIN'), ['order']],
    ['RESET ALL, which deletes the SDK’s mark of the transaction', (client) => client.query('RESET ALL'), []],
    ['PREPARE TRANSACTION', (client) => client.query(`PREPARE TRANSACTION 'x'`).catch(() => undefined), []],
  ])('that the handler ends with %s', (_, end, remains) => {
    test('causes a 500 and a call to onError, and the next delivery is handled (row 70)', async () => {
      let isBroken = true;
      const { deliver, effects, onError, pool } = shop(async (_event, { transaction }) => {
        await write(transaction, 'order');
        if (isBroken) await end(transaction);
      });
      expect(await deliver()).toBe('failed');
      expect(onError).toHaveBeenCalledOnce();
      expect(onError.mock.calls[0]).toMatchObject([
        { message: expect.stringMatching(/ended before|aborted/) },
        { during: 'dedupe' },
      ]);
      expect(await effects()).toEqual(remains);
      isBroken = false;
      expect(await deliver()).toBe('handled');
      expect(await effects()).toEqual([...remains, 'order']);
      expect(await deliver()).toBe('duplicate');
      expect(pool.idleCount).toBe(pool.totalCount);
    });
  });

  test('allows the handler to set the isolation level and to use savepoints', async () => {
    const { deliver, effects, onError } = shop(async (_event, { transaction }) => {
      await transaction.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
      await transaction.query('SAVEPOINT points');
      await write(transaction, 'points');
      await transaction.query('ROLLBACK TO SAVEPOINT points');
      await write(transaction, 'order');
      await transaction.query('SAVEPOINT open');
    });
    expect(await deliver()).toBe('handled');
    expect(await effects()).toEqual(['order']);
    expect(onError).not.toHaveBeenCalled();
  });

  test('is committed even if the handler writes nothing', async () => {
    const { deliver } = shop(() => undefined);
    expect(await deliver()).toBe('handled');
    expect(await deliver()).toBe('duplicate');
  });

  test.each([
    ['and returns', false],
    ['in `finally` after an error', true],
  ])('fails if its handler releases the client %s, and the next delivery is handled', async (_, throws) => {
    let isBroken = true;
    const { deliver, effects, onError, pool } = shop(
      async (_event, { transaction }) => {
        try {
          await write(transaction, 'order');
          if (isBroken && throws) throw new Error('No order matches.');
        } finally {
          if (isBroken) transaction.release();
        }
      },
      { max: 1 },
    );
    expect(await deliver()).toBe('failed');
    expect(String(onError.mock.calls[0]?.[0])).toContain('must not release it');
    isBroken = false;
    expect(await deliver()).toBe('handled');
    expect(await effects()).toEqual(['order']);
    expect(pool.totalCount).toBe(1);
  });

  test.each<[string, (client: PoolClient) => void]>([
    ['a promise', (client) => void write(client, 'order')],
    ['a query with a callback', (client) => client.query(insert, [id, 'order'], () => undefined)],
  ])('contains a statement that its handler started and did not await: %s', async (_, start) => {
    const { deliver, effects } = shop((_event, { transaction }) => start(transaction));
    expect(await deliver()).toBe('handled');
    expect(await effects()).toEqual(['order']);
  });

  test('contains no statement that its handler starts after the delivery failed (row 70)', async () => {
    const late = vi.fn();
    const { deliver, effects, pool } = shop((_event, { transaction }) => {
      pool.once('remove', () => write(transaction, 'late').catch(late));
      throw new Error('broken');
    });
    expect(await deliver()).toBe('failed');
    await eventually(() => expect(late).toHaveBeenCalledOnce());
    expect(await effects()).toEqual([]);
  });

  test('is committed if the handler wraps a query’s callback in a Promise and awaits it', async () => {
    const { deliver, effects } = shop(async (_event, { transaction }) => {
      await new Promise<void>((resolve, reject) =>
        transaction.query(insert, [id, 'order'], (error) => (error ? reject(error) : resolve())),
      );
      expect(() => transaction.query(null as never, () => undefined)).toThrow(TypeError);
    });
    expect(await deliver()).toBe('handled');
    expect(await effects()).toEqual(['order']);
  });

  describe('on a connection that stops responding', () => {
    /** Creates a pool with one connection, over a wire that can be silenced. */
    async function poolOverWire() {
      const url = new URL(postgresUrl);
      const wire = opens(await wireTo(Number(url.port || 5432)));
      url.port = String(wire.port);
      const { pool } = opens(postgresPool({ connectionString: url.href, max: 1 }));
      const removed = vi.fn();
      pool.on('remove', removed);
      return { wire, pool, removed };
    }

    /** Runs work over a silent wire, and returns the result after every time limit has passed. */
    async function afterItsLimits<Result>(
      work: () => Promise<Result>,
      wire: { readonly isSilent: boolean },
    ): Promise<Result | undefined> {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        let ended: { result?: Result } | undefined;
        work().then(
          (result) => {
            ended = { result };
          },
          () => {
            ended = {};
          },
        );
        await vi.waitUntil(() => wire.isSilent, { interval: 5, timeout: 5_000 });
        while (ended === undefined) await vi.advanceTimersByTimeAsync(5_001);
        return ended.result;
      } finally {
        vi.useRealTimers();
      }
    }

    test.each<[method: string, words: string, ask: (store: DedupeStore<PoolClient>) => unknown]>([
      ['claim', 'AS place', (store) => store.claim(id, 1_000, details)],
      ['renew', 'AS place', (store) => store.renew?.(id, 1_000, details)],
      ['complete', 'digest', (store) => store.complete(id, 1_000, details)],
      ['release', 'DELETE', (store) => store.release(id, details)],
      ['advance', 'rank', (store) => store.advance?.(id, 1, 1_000)],
    ])(
      'is not the only protection: the store’s method %s also destroys that connection (row 70)',
      async (_, words, ask) => {
        const { wire, pool, removed } = await poolOverWire();
        const store = postgresDedupe<PoolClient>(pool, { table, transaction: true });
        wire.silenceAfter(words);
        expect(await afterItsLimits(async () => ask(store), wire)).toBeUndefined();
        await eventually(() => expect(removed).toHaveBeenCalledOnce());
        wire.silenceAfter(undefined);
        await ask(store);
        expect(pool.totalCount).toBe(1);
      },
    );

    test.each<[string, string, (client: PoolClient) => Promise<unknown>]>([
      ['BEGIN', 'BEGIN', async () => undefined],
      ['the update of the rank', 'rank', async () => undefined],
      ['the completion of the delivery', 'written', async () => undefined],
      ['COMMIT', 'COMMIT', async () => undefined],
      [
        'a statement of a handler that then throws',
        'pg_sleep(0)',
        async (client) => {
          client.query('SELECT pg_sleep(0)').catch(() => undefined);
          throw new Error('broken');
        },
      ],
    ])(
      'destroys that connection if it stops after %s, and frees its place in the pool (row 70)',
      async (_, words, work) => {
        const { wire, pool, removed } = await poolOverWire();
        const { begin } = postgresDedupe<PoolClient>(pool, { table, transaction: true });
        const onError = vi.fn();
        let isBroken = true;
        const receiver = createReceiver<PoolClient>({
          secret,
          // The pool serves only transactions, and nothing else waits for the network.
          dedupe: {
            claim: () => 'claimed',
            complete: () => true,
            release: () => undefined,
            advance: () => true,
            ...(begin && { begin }),
          },
          order: 'forward-only',
          on: {
            'transaction.paid': async (_event, { transaction }) => {
              await write(transaction, 'order');
              if (isBroken) await work(transaction);
            },
          },
          onError,
        });
        const deliver = async () => {
          const body = JSON.stringify({ event: 'transaction.paid', id });
          return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
        };
        wire.silenceAfter(words);
        expect(['failed', 'unavailable']).toContain(await afterItsLimits(deliver, wire));
        await eventually(() => expect(pool.totalCount).toBe(0));
        expect(removed).toHaveBeenCalledOnce();
        expect(onError).toHaveBeenCalled();
        wire.silenceAfter(undefined);
        isBroken = false;
        id = randomUUID();
        expect(await deliver()).toBe('handled');
        expect(pool.totalCount).toBe(pool.idleCount);
      },
    );
  });
});
