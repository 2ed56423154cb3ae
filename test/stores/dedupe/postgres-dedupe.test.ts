import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import {
  createReceiver,
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
import { deferred } from '../../webhooks/receiver/deliveries.js';

const opens = closedAfterEach();
const secret = 'whsec_0123456789abcdef';
const minute = 60_000;
const worker = () => ({ holder: randomUUID(), digest: 'digest of the body' });

describe.skipIf(postgresUrl === '')('postgresDedupe (set POSTGRES_URL to run these)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.deliveries`;
  let id: string;
  beforeAll(async () => {
    await createSchema();
    const { pool, close } = postgresPool();
    await pool.query(postgresDedupeSql(table));
    // The table has one row per handler run, and no constraint that would reject a second row.
    await pool.query(`CREATE TABLE ${schema}.effects (delivery text)`);
    await pool.query(
      `CREATE TABLE ${schema}.orders (id text CONSTRAINT one_of_each UNIQUE DEFERRABLE INITIALLY DEFERRED)`,
    );
    await close();
  });
  afterAll(removeSchema);
  beforeEach(() => {
    id = randomUUID();
  });

  const openPool = (config?: PoolConfig) => opens(postgresPool(config)).pool;

  function shop(
    handler: EventHandler<WebhookEvent, PoolClient>,
    { config, ...options }: { config?: PoolConfig } & Partial<ReceiverOptions<PoolClient>> = {},
  ) {
    const pool = openPool(config);
    const onError = vi.fn();
    const receiver = createReceiver<PoolClient>({
      secret,
      dedupe: postgresDedupe(pool, { table, transaction: true }),
      on: { 'transaction.paid': handler },
      onError,
      ...options,
    });
    const deliver = async (event = 'transaction.paid') => {
      const body = JSON.stringify({ event, id });
      const { outcome } = await receiver.receive({ body, headers: sign({ body, secret }) });
      // Every client is back in the pool.
      await eventually(() => expect(pool.idleCount).toBe(pool.totalCount));
      return outcome;
    };
    const effects = async () => {
      const { rows } = await pool.query(`SELECT FROM ${schema}.effects WHERE delivery = $1`, [id]);
      return rows.length;
    };
    return { pool, onError, deliver, effects };
  }

  const write = ({ transaction }: { transaction: PoolClient }) =>
    transaction.query(`INSERT INTO ${schema}.effects VALUES ($1)`, [id]);

  test('commits a handler’s writes and the delivery’s completion in one transaction', async () => {
    const { deliver, effects, onError } = shop(async (_event, delivery) => {
      await write(delivery);
      expect(await effects()).toBe(0);
    });
    expect(await deliver()).toBe('handled');
    expect(await deliver()).toBe('duplicate');
    expect(await effects()).toBe(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test('handles an event once even if it is delivered fifty times at once, over a pool of five connections', async () => {
    const { deliver, effects } = shop((_event, delivery) => write(delivery), { config: { max: 5 } });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => deliver()));
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1);
    expect(['handled', 'busy', 'duplicate']).toEqual(expect.arrayContaining([...new Set(outcomes)]));
    expect(await effects()).toBe(1);
  });

  test('rolls back the writes of a handler that throws, and handles the next delivery', async () => {
    let isBroken = true;
    const { deliver, effects } = shop(async (_event, delivery) => {
      await write(delivery);
      if (isBroken) throw new Error('broken');
    });
    expect(await deliver()).toBe('failed');
    expect(await effects()).toBe(0);
    isBroken = false;
    expect(await deliver()).toBe('handled');
    expect(await effects()).toBe(1);
  });

  test('rolls back if a handler continues after a failed query, and handles the next delivery', async () => {
    let isBroken = true;
    const { deliver, effects, onError } = shop(async (_event, delivery) => {
      await write(delivery);
      if (isBroken) await delivery.transaction.query('SELECT 1 / 0').catch(() => undefined);
    });
    expect(await deliver()).toBe('failed');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      code: '25P02',
      message: expect.stringContaining(
        'A statement of the handler failed, and the handler ignored its error',
      ),
    });
    expect(await effects()).toBe(0);
    isBroken = false;
    expect(await deliver()).toBe('handled');
    expect(await effects()).toBe(1);
  });

  test('rolls back if COMMIT fails, and handles the next delivery', async () => {
    let times = 2;
    const { deliver, effects, onError } = shop(async (_event, delivery) => {
      await write(delivery);
      for (let index = 0; index < times; index++)
        await delivery.transaction.query(`INSERT INTO ${schema}.orders VALUES ($1)`, [id]);
    });
    expect(await deliver()).toBe('failed');
    expect(onError.mock.calls[0]).toMatchObject([
      { code: '23505', message: expect.stringContaining('one_of_each') },
      { during: 'dedupe' },
    ]);
    // The error's detail contains the row: Key (id)=(…) already exists.
    expect(inspect(onError.mock.calls[0]?.[0], { depth: 9, showHidden: true })).not.toContain(id);
    expect(await effects()).toBe(0);
    times = 1;
    expect(await deliver()).toBe('handled');
    expect(await effects()).toBe(1);
  });

  describe('a statement that the handler does not await', () => {
    test('causes a 500 and writes nothing if it fails (row 70)', async () => {
      let isBroken = true;
      const { deliver, effects } = shop(async (_event, delivery) => {
        await write(delivery);
        if (isBroken) void delivery.transaction.query('SELECT 1 / 0').catch(() => undefined);
      });
      expect(await deliver()).toBe('failed');
      expect(await effects()).toBe(0);
      isBroken = false;
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });

    test('causes a 500 if it aborts the transaction just before COMMIT (row 70)', async () => {
      let isBroken = true;
      const { deliver, effects, onError } = shop(async (_event, delivery) => {
        await write(delivery);
        const mark = vi.spyOn(Object.getPrototypeOf(delivery.transaction), 'query');
        mark.mockImplementation(async function (this: PoolClient, ...args: unknown[]) {
          mark.mockRestore();
          const marked = await Reflect.apply(this.query, this, args);
          if (isBroken) await this.query('SELECT 1 / 0').catch(() => undefined);
          return marked;
        });
      });
      expect(await deliver()).toBe('failed');
      expect(onError.mock.calls[0]).toMatchObject([
        { message: expect.stringContaining('ROLLBACK for COMMIT') },
        { during: 'dedupe' },
      ]);
      expect(await effects()).toBe(0);
      isBroken = false;
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });
  });

  test('commits only one transaction if two handlers run for one delivery because its claim was deleted (row 71)', async () => {
    const both = deferred();
    let running = 0;
    const { deliver, effects, pool } = shop(async (_event, delivery) => {
      await write(delivery);
      await pool.query(`DELETE FROM ${table} WHERE id = $1`, [delivery.id]);
      if (++running === 2) both.resolve();
      await both.promise;
    });
    const first = deliver();
    await eventually(() => expect(running).toBe(1));
    await eventually(async () => {
      const { rows } = await pool.query(`SELECT FROM ${table} WHERE id LIKE $1`, [`%${id}%`]);
      expect(rows).toHaveLength(0);
    });
    expect([await deliver(), await first].sort()).toEqual(['handled', 'overtaken']);
    expect(await effects()).toBe(1);
  });

  test('rolls back a handler’s transaction if another process has taken its claim, and reports that (row 71)', async () => {
    const { deliver, effects, onError, pool } = shop(async (_event, delivery) => {
      await write(delivery);
      // This imitates a process that was suspended for longer than the lease.
      await pool.query(`UPDATE ${table} SET holder = 'another process' WHERE id = $1`, [delivery.id]);
    });
    expect(await deliver()).toBe('overtaken');
    expect(onError).toHaveBeenCalledOnce();
    expect(await effects()).toBe(0);
    expect(await deliver()).toBe('busy');
  });

  test('commits a handler’s transaction after its claim has expired, if no other process took the claim', async () => {
    const store = postgresDedupe(openPool(), { table, transaction: true });
    const one = worker();
    expect(await store.claim(id, 1, one)).toBe('claimed');
    const transaction = await store.begin?.(id, one);
    expect(await transaction?.commit(id, minute, one)).toBe(true);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  test('rejects a second claim that waited while another process completed the delivery', async () => {
    const pool = openPool();
    const store = postgresDedupe(pool, { table, transaction: true });
    const one = worker();
    await store.claim(id, 1, one);
    const client = opens({ client: await pool.connect(), close: () => undefined }).client;
    await client.query('BEGIN');
    await client.query(
      `UPDATE ${table} SET holder = NULL, digest = $2, expires_at = now() + '1 hour' WHERE id = $1`,
      [id, one.digest],
    );
    const claim = store.claim(id, minute, worker());
    await eventually(async () => {
      const waiting = await pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${schema}%'`,
      );
      expect(waiting.rows).toHaveLength(1);
    });
    await client.query('COMMIT');
    client.release();
    expect(await claim).toBe('done');
  });

  test('keeps a payment’s status rank even if the handler’s transaction is rolled back', async () => {
    let isBroken = true;
    const { deliver } = shop(
      () => {
        if (isBroken) throw new Error('broken');
      },
      { order: 'forward-only', onUnhandled: () => undefined },
    );
    expect(await deliver()).toBe('failed');
    expect(await deliver('transaction.waiting_payment')).toBe('outdated');
    isBroken = false;
    expect(await deliver()).toBe('handled');
    expect(await deliver('transaction.in_analysis')).toBe('outdated');
  });

  describe('a lost connection in a handler’s transaction', () => {
    const terminate = async (client: PoolClient) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const { pool, close } = postgresPool({ max: 1 });
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await close();
    };

    test('during a query causes a 500 and writes nothing, and the next delivery is handled', async () => {
      let isBroken = true;
      const { deliver, effects, onError } = shop(async (_event, delivery) => {
        await write(delivery);
        if (!isBroken) return;
        isBroken = false;
        await Promise.all([
          delivery.transaction.query('SELECT pg_sleep(60)'),
          terminateLater(delivery.transaction),
        ]);
      });
      /** Terminates the busy client from another connection, which finds the client by its query. */
      const terminateLater = async (_client: PoolClient) => {
        const pool = openPool({ max: 1 });
        await eventually(async () => {
          const { rows } = await pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`,
          );
          expect(rows).toHaveLength(1);
        });
      };
      expect(await deliver()).toBe('failed');
      expect(onError.mock.calls[0]).toMatchObject([{ code: '57P01' }, { during: 'handler' }]);
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });

    test('between two queries causes a 500 and writes nothing, and the next delivery is handled', async () => {
      let isBroken = true;
      const { deliver, effects, onError } = shop(async (_event, delivery) => {
        await write(delivery);
        if (!isBroken) return;
        isBroken = false;
        const lost = new Promise((resolve) => delivery.transaction.on('error', resolve));
        await terminate(delivery.transaction);
        await lost;
      });
      expect(await deliver()).toBe('failed');
      expect(onError.mock.calls[0]).toMatchObject([expect.any(Error), { during: 'dedupe' }]);
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });

    test('does not end the process, even if the handler has no error listener', async () => {
      let isBroken = true;
      const { deliver, effects } = shop(async (_event, delivery) => {
        await write(delivery);
        if (!isBroken) return;
        isBroken = false;
        await terminate(delivery.transaction);
        await eventually(() => expect(delivery.transaction.query('SELECT')).rejects.toThrow());
      });
      expect(await deliver()).toBe('failed');
      expect(await deliver()).toBe('handled');
      expect(await effects()).toBe(1);
    });
  });

  test('causes a 503 if the database server is unreachable', async () => {
    const { deliver, onError } = shop(() => expect.unreachable(), {
      config: { connectionString: 'postgres://postgres@127.0.0.1:1/postgres' },
    });
    expect(await deliver()).toBe('unavailable');
    expect(onError.mock.calls[0]).toMatchObject([{ code: 'ECONNREFUSED' }, { during: 'dedupe' }]);
  });

  test('deletes expired rows once a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const pool = openPool();
      const store = postgresDedupe(pool, { table });
      const left = async () => {
        const { rows } = await pool.query(`SELECT id FROM ${table} WHERE id LIKE $1 ORDER BY id`, [`${id}%`]);
        return rows.map((row) => String(row.id).slice(id.length));
      };
      await store.complete(`${id} old`, 1, worker());
      await store.advance?.(id, 1, 1);
      await store.complete(`${id} young`, minute, worker());
      await store.claim(`${id} held`, minute, worker());
      expect(await left()).toEqual([' held', ' old', ' young']);
      vi.advanceTimersByTime(60_001);
      await store.claim(`${id} next`, minute, worker());
      await eventually(async () => expect(await left()).toEqual([' held', ' next', ' young']));
      const ranks = await pool.query(`SELECT FROM ${table} WHERE id = $1`, [`order:${id}`]);
      expect(ranks.rows).toHaveLength(0);
      await store.complete(`${id} again`, 1, worker());
      await store.claim(`${id} another`, minute, worker());
      expect(await left()).toContain(' again');
    } finally {
      vi.useRealTimers();
    }
  });

  test('has SQL that creates a table with any name, and keeps the rows of an existing table', async () => {
    const pool = openPool();
    const longest = 'd'.repeat(52);
    for (const name of [longest, `${schema}.Deliveries`, `${schema}.${'e'.repeat(52)}`, `${schema}.select`]) {
      const plain = name.split('.').at(-1);
      await pool.query(`DROP TABLE IF EXISTS ${longest}`);
      await pool.query(postgresDedupeSql(name));
      const store = postgresDedupe(pool, { table: name });
      const one = worker();
      expect(await store.claim(id, minute, one)).toBe('claimed');
      await store.complete(id, minute, one);
      await pool.query(postgresDedupeSql(name));
      expect(await store.claim(id, minute, worker())).toBe('done');
      const indexes = await pool.query(
        `SELECT indexdef FROM pg_indexes WHERE tablename = $1 AND schemaname IN ('public', $2) AND indexdef LIKE '%(expires_at)'`,
        [plain, schema],
      );
      expect(indexes.rows).toHaveLength(1);
      await pool.query(`DROP TABLE IF EXISTS ${longest}`);
    }
  });

  test('lets eight connections run its table’s SQL at the same time', async () => {
    const fresh = `${schema}.at_once`;
    const pool = openPool({ max: 8 });
    for (let round = 0; round < 5; round++) {
      await pool.query(`DROP TABLE IF EXISTS ${fresh}`);
      await Promise.all(Array.from({ length: 8 }, () => pool.query(postgresDedupeSql(fresh))));
      const store = postgresDedupe(pool, { table: fresh });
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => store.claim('event', minute, worker())),
      );
      expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
    }
  });

  const isolations = ['read committed', 'repeatable read', 'serializable'];
  const withOptions = (...settings: string[]): PoolConfig => ({
    options: settings.map((setting) => `-c ${setting.replaceAll(' ', '\\ ')}`).join(' '),
  });

  test.each(
    isolations.flatMap((isolation) => [[isolation, 'true'] as const, [isolation, 'a function'] as const]),
  )(
    'handles a delivery once if its handler runs longer than the lease, at the isolation level %s, with %s as transaction',
    async (isolation, kind) => {
      const pool = openPool(withOptions(`default_transaction_isolation=${isolation}`));
      const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(pool, work);
      const { deliver, effects, onError } = shop(
        async (_, delivery) => {
          await delivery.transaction.query('SELECT pg_sleep(0.7)');
          await write(delivery);
        },
        {
          lease: 300,
          dedupe:
            kind === 'true'
              ? postgresDedupe(pool, { table, transaction: true })
              : postgresDedupe(pool, { table, transaction }),
        },
      );
      expect(await deliver()).toBe('handled');
      expect(await deliver()).toBe('duplicate');
      expect(onError).not.toHaveBeenCalled();
      expect(await effects()).toBe(1);
    },
  );

  test.each(isolations)(
    'handles a delivery once if it arrives again while its handler runs in a transaction of a library, at the isolation level %s',
    async (isolation) => {
      const pool = openPool(withOptions(`default_transaction_isolation=${isolation}`));
      const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(pool, work);
      let again: Promise<string> | undefined;
      const { deliver, effects } = shop(
        async (_, delivery) => {
          await write(delivery);
          again ??= deliver();
          await delivery.transaction.query('SELECT pg_sleep(0.5)');
        },
        { lease: 300, dedupe: postgresDedupe(pool, { table, transaction }) },
      );
      expect(await deliver()).toBe('handled');
      expect(['busy', 'duplicate', 'unavailable']).toContain(await again);
      expect(await deliver()).toBe('duplicate');
      expect(await effects()).toBe(1);
    },
  );

  test('runs a handler again that failed in a transaction above read committed', async () => {
    const pool = openPool(withOptions('default_transaction_isolation=serializable'));
    const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(pool, work);
    let runs = 0;
    const { deliver, effects } = shop(
      async (_, delivery) => {
        await write(delivery);
        if (++runs === 1) throw new Error('the first run fails');
      },
      { dedupe: postgresDedupe(pool, { table, transaction }) },
    );
    expect([await deliver(), await deliver(), await effects()]).toEqual(['failed', 'handled', 1]);
  });

  test.each([
    ['TimeZone', 'TimeZone=America/Sao_Paulo'],
    ['DateStyle', 'DateStyle=German'],
    ['number of shown digits', 'extra_float_digits=-10'],
  ])(
    'handles a delivery in a transaction of a library whose session has another %s than the pool',
    async (_, setting) => {
      const library = openPool(withOptions(setting));
      const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(library, work);
      const dedupe = postgresDedupe(openPool(), { table, transaction });
      const { deliver, effects, onError } = shop((_event, delivery) => void write(delivery), { dedupe });
      expect(await deliver()).toBe('handled');
      expect(onError).not.toHaveBeenCalled();
      expect(await effects()).toBe(1);
    },
  );

  test.each(['42501', '42P01', '42703', '42P10', '23514', 'ZX001'])(
    'shows no message that a trigger on its table raises as %s',
    async (code) => {
      const raising = `${schema}.raising_${code.toLowerCase()}`;
      const pool = openPool({ max: 1 });
      await pool.query(postgresDedupeSql(raising));
      await pool.query(
        `CREATE FUNCTION ${raising}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'Ana Souza, 529.982.247-25' USING ERRCODE = '${code}'; END $$`,
      );
      await pool.query(
        `CREATE TRIGGER raises BEFORE INSERT ON ${raising} FOR EACH ROW EXECUTE FUNCTION ${raising}()`,
      );
      const store = postgresDedupe(pool, { table: raising });
      await expect((async () => store.claim(id, 1_000, worker()))()).rejects.toMatchObject({
        name: 'StoreError',
        message: `PostgreSQL: a function or trigger raised an error (${code}).`,
      });
    },
  );

  test.each(['read committed', 'repeatable read'])(
    'answers a repeated delivery at once while a handler of a library hangs, at the isolation level %s',
    async (isolation) => {
      const pool = openPool(withOptions(`default_transaction_isolation=${isolation}`));
      const others = openPool();
      const transaction = (work: (client: PoolClient) => Promise<void>) => runInTransaction(pool, work);
      let end = () => {};
      const hangs = new Promise<void>((resolve) => {
        end = resolve;
      });
      const started = vi.fn();
      const { deliver } = shop(
        () => {
          started();
          return hangs;
        },
        { lease: 60_000, dedupe: postgresDedupe(pool, { table, transaction }) },
      );
      const first = deliver();
      await eventually(() => expect(started).toHaveBeenCalled());
      const store = postgresDedupe(others, { table, transaction });
      const [{ id: claimed } = { id: '' }] = (
        await others.query(`SELECT id FROM ${table} WHERE id LIKE '%' || $1 || '%'`, [id])
      ).rows;
      for (let delivery = 0; delivery < 4; delivery++)
        expect(await store.claim(claimed, minute, worker())).toBe('busy');
      const { rows } = await others.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${table}%' AND pid <> pg_backend_pid()`,
      );
      expect(rows).toHaveLength(0);
      end();
      expect(await first).toBe('handled');
    },
  );

  test('rejects a single client instead of a pool', async () => {
    const pool = openPool();
    const client = await pool.connect();
    try {
      expect(() => postgresDedupe(client as never)).toThrow(/takes new Pool/);
    } finally {
      client.release();
    }
  });
});

describe('postgresDedupe over a pool with unexpected results', () => {
  /** Wraps a pool: PostgreSQL's results, except for the given commands. */
  const poolWith = (wrong: Record<string, unknown>) => {
    const statements: string[] = [];
    const destroyed: unknown[] = [];
    const query = async (text: string) => {
      const command = String(/^\w+/.exec(text)?.[0]);
      statements.push(command);
      const begun = [
        { rows: [], command },
        { rows: [], command: 'SET' },
      ];
      return (wrong[command] ??
        (command === 'BEGIN' ? begun : { rows: [{ result: 'marked' }], command })) as never;
    };
    // A pool can lend the same object again.
    const client = { query, release: (isBroken?: boolean) => void destroyed.push(isBroken) };
    const connect = async () => client;
    return { statements, destroyed, pool: { connect } };
  };
  const deliverOver = async (wrong: Record<string, unknown>) => {
    const { pool, statements, destroyed } = poolWith(wrong);
    const onError = vi.fn();
    const receiver = createReceiver({
      secret,
      dedupe: postgresDedupe(pool, { transaction: true }),
      on: { 'transaction.paid': () => {} },
      onError,
    });
    const body = JSON.stringify({ event: 'transaction.paid', id: randomUUID() });
    const { status } = await receiver.receive({ body, headers: sign({ body, secret }) });
    return { status, statements, destroyed, onError };
  };

  test('handles a delivery if every result of the pool is as expected', async () => {
    const { status, statements, destroyed } = await deliverOver({});
    expect(status).toBe(200);
    expect(statements).toEqual(['INSERT', 'BEGIN', 'WITH', 'COMMIT']);
    expect(destroyed).toEqual([false, false]);
  });

  test.each([
    ['COMMIT', { rows: [], command: 'ROLLBACK' }, 500],
    ['COMMIT', { rows: [], command: undefined }, 500],
    ['COMMIT', { rows: [] }, 500],
    ['COMMIT', undefined, 200],
    ['BEGIN', { rows: [], command: 'BEGIN' }, 503],
    [
      'BEGIN',
      [
        { rows: [], command: 'SET' },
        { rows: [], command: 'SET' },
      ],
      503,
    ],
    ['BEGIN', [{ rows: [], command: 'BEGIN' }, { rows: [] }], 503],
    [
      'BEGIN',
      [
        { rows: [], command: 'BEGIN' },
        { rows: [], command: 'SELECT' },
      ],
      503,
    ],
    ['INSERT', { rows: undefined, command: 'INSERT' }, 503],
    ['INSERT', undefined, 200],
    ['WITH', { rows: [], command: 'SELECT' }, 500],
    ['WITH', { rows: [{}, {}], command: 'SELECT' }, 500],
    ['WITH', { rows: [{ result: 'yes' }], command: 'SELECT' }, 500],
    ['WITH', { rows: undefined, command: 'SELECT' }, 500],
    ['WITH', [], 500],
  ])(
    'returns a $2 to the platform if the statement $0 has the result $1 (row 70)',
    async (command, result, expected) => {
      const { status, destroyed, onError } = await deliverOver({ [command]: result });
      expect(status).toBe(expected);
      if (expected === 200) return;
      expect(onError).toHaveBeenCalledOnce();
      // The transaction's connection comes between the claim's connection and the release's connection.
      expect(destroyed).toEqual(command === 'INSERT' ? [true] : [false, true, false]);
    },
  );
});

test.each([
  ['a URL', 'postgres://postgres@127.0.0.1/postgres'],
  ['undefined', undefined],
  ['null', null],
  ['a number', 5432],
  ['pool options', { connectionString: 'postgres://postgres@127.0.0.1/postgres' }],
  ['a promise of a client', Promise.resolve()],
])('postgresDedupe rejects %s instead of a pool, and names a correct argument', (_, input) => {
  expect(() => postgresDedupe(input as never)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^postgresDedupe takes new Pool\(/),
    }),
  );
});
