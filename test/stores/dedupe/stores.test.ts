import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { redisRateLimitStore, redisTokenStore } from 'payment-platform';
import {
  createReceiver,
  type D1Database,
  type DedupeNamespace,
  DedupeObject,
  type DedupeStore,
  d1Dedupe,
  durableObjectDedupe,
  type LibsqlClient,
  libsqlDedupe,
  memoryDedupe,
  postgresDedupe,
  postgresDedupeSql,
  redisDedupe,
  sign,
  sqliteDedupe,
  sqliteDedupeSql,
} from 'payment-platform/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../../support/redis.js';
import { redisProxy } from '../../support/redis-proxy.js';
import { closedAfterEach } from '../../support/resources.js';
import { upstashClient } from '../../support/upstash.js';

const opens = closedAfterEach();
const secret = 'whsec_0123456789abcdef';
const minute = 60_000;
/** A delay in milliseconds that tests can wait when no event has to happen first. */
const soon = 60;
/** A delay in milliseconds that is long enough for progress even on a slow machine. */
const later = 1_500;

const worker = (digest = 'digest of the body') => ({ holder: randomUUID(), digest });

/** Resolves when a lease that starts now has expired by the store's clock. */
async function leaseToPass(store: DedupeStore<unknown>, lease = soon) {
  const witness = randomUUID();
  expect(await store.claim(witness, lease, worker())).toBe('claimed');
  await claimed(store, witness);
}

/** Claims an id as soon as its claim expires, and returns the new holder. */
async function claimed(store: DedupeStore<unknown>, id: string, lease = minute) {
  const next = worker();
  await vi.waitFor(async () => expect(await store.claim(id, lease, next)).toBe('claimed'), {
    timeout: 120_000,
    interval: 5,
  });
  return next;
}

function keepsTheContract(open: () => Promise<DedupeStore<unknown>>) {
  let store: DedupeStore<unknown>;
  let id: string;
  beforeEach(async () => {
    store = await open();
    id = randomUUID();
  });

  test('a dedupe store’s claim returns "claimed" once, then "busy", then "done", and "changed" for a different body', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, other)).toBe('busy');
    await store.complete(id, minute, one);
    expect(await store.claim(id, minute, other)).toBe('done');
    expect(await store.claim(id, minute, one)).toBe('done');
    expect(await store.claim(id, minute, worker('digest of another body'))).toBe('changed');
    expect(await store.claim(randomUUID(), minute, other)).toBe('claimed');
  });

  test('a dedupe store grants a claim again to the same holder', async () => {
    const one = worker();
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, worker())).toBe('busy');
  });

  test('a dedupe store ends a claim after its lease, and forgets a completed delivery after keepFor', async () => {
    const one = worker();
    expect(await store.claim(id, soon, one)).toBe('claimed');
    const next = await claimed(store, id);
    expect(await store.claim(id, minute, one)).toBe('busy');
    await store.complete(id, soon, next);
    await claimed(store, id);
  });

  test('a dedupe store lets only the holder release a claim, and never releases a completed delivery', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await store.release(id, other);
    expect(await store.claim(id, minute, other)).toBe('busy');
    await store.release(id, one);
    expect(await store.claim(id, minute, other)).toBe('claimed');
    await store.release(id, one);
    expect(await store.claim(id, minute, one)).toBe('busy');
    await store.complete(id, minute, other);
    await store.release(id, other);
    expect(await store.claim(id, minute, one)).toBe('done');
    await store.release(randomUUID(), one);
  });

  test('a dedupe store lets only the holder extend a claim', async () => {
    const [one, stranger] = [worker(), worker()];
    const foreign = randomUUID();
    expect(await store.claim(id, later, one)).toBe('claimed');
    expect(await store.claim(foreign, later, one)).toBe('claimed');
    await store.renew?.(id, minute, one);
    await store.renew?.(foreign, minute, stranger);
    await leaseToPass(store, later);
    expect(await store.claim(id, minute, stranger)).toBe('busy');
    expect(await store.claim(foreign, minute, stranger)).toBe('claimed');
  });

  test('a dedupe store keeps a delivery completed even if its claim is renewed afterwards', async () => {
    const one = worker();
    await store.claim(id, minute, one);
    await store.complete(id, minute, one);
    await store.renew?.(id, 1, one);
    await leaseToPass(store);
    expect(await store.claim(id, minute, worker())).toBe('done');
    await store.renew?.(randomUUID(), minute, one);
  });

  test('a dedupe store extends a claim if the same holder claims again', async () => {
    const one = worker();
    expect(await store.claim(id, later, one)).toBe('claimed');
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await leaseToPass(store, later);
    expect(await store.claim(id, minute, worker())).toBe('busy');
  });

  test('a dedupe store renews or completes a claim that it lost, unless someone else holds it (row 71)', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.renew?.(id, minute, one)).toBe(true);
    expect(await store.claim(id, minute, other)).toBe('busy');
    const forgotten = randomUUID();
    expect(await store.complete(forgotten, minute, one)).toBe(true);
    expect(await store.claim(forgotten, minute, other)).toBe('done');
    const expired = randomUUID();
    await store.claim(expired, soon, other);
    await leaseToPass(store);
    expect(await store.renew?.(expired, minute, one)).toBe(true);
    expect(await store.claim(expired, minute, other)).toBe('busy');
  });

  test('a dedupe store neither renews nor completes a claim for a worker if another one holds it (row 71)', async () => {
    const one = worker();
    expect(await store.claim(id, soon, one)).toBe('claimed');
    const other = await claimed(store, id);
    expect(await store.renew?.(id, minute, one)).toBe(false);
    expect(await store.complete(id, minute, one)).toBe(false);
    await store.release(id, one);
    expect(await store.claim(id, minute, worker())).toBe('busy');
    expect(await store.complete(id, minute, other)).toBe(true);
    // The previous holder has also run the effect, and must learn that another holder completed the delivery.
    expect(await store.complete(id, minute, one)).toBe(false);
    expect(await store.renew?.(id, minute, one)).toBe(false);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  test('a dedupe store accepts a second completion by the same holder', async () => {
    const one = worker();
    await store.claim(id, minute, one);
    expect(await store.complete(id, minute, one)).toBe(true);
    expect(await store.complete(id, minute, one)).toBe(true);
    await store.release(id, one);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  test('a dedupe store never lowers a payment’s status rank before the rank expires', async () => {
    const advance = (rank: number, keepFor = minute) => store.advance?.(id, rank, keepFor);
    expect(await advance(0)).toBe(true);
    expect(await advance(3)).toBe(true);
    expect(await advance(1)).toBe(false);
    expect(await advance(3)).toBe(true);
    expect(await advance(4, later)).toBe(true);
    expect(await advance(3)).toBe(false);
    expect(await store.advance?.(randomUUID(), 1, minute)).toBe(true);
    await eventually(async () => expect(await advance(1)).toBe(true));
    expect(await advance(0)).toBe(false);
  });

  test('a dedupe store does not confuse a payment’s status rank with a delivery of the same id', async () => {
    expect(await store.advance?.(id, 3, minute)).toBe(true);
    const one = worker();
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await store.complete(id, minute, one);
    expect(await store.advance?.(id, 2, minute)).toBe(false);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  const fifty = Array.from({ length: 50 }, (_, index) => index);

  test('a dedupe store grants one of fifty simultaneous claims, even if a claim has expired', async () => {
    const all = () => Promise.all(fifty.map(() => store.claim(id, minute, worker())));
    const oneOfFifty = ['claimed', ...Array.from({ length: 49 }, () => 'busy')].sort();
    expect((await all()).sort()).toEqual(oneOfFifty);
    const expired = randomUUID();
    await store.claim(expired, 1, worker());
    await leaseToPass(store);
    id = expired;
    expect((await all()).sort()).toEqual(oneOfFifty);
  });

  test('a dedupe store keeps the highest of fifty status ranks that are written simultaneously', async () => {
    await Promise.all(
      fifty.toSorted(() => Math.random() - 0.5).map((rank) => store.advance?.(id, rank, minute)),
    );
    expect(await store.advance?.(id, 48, minute)).toBe(false);
    expect(await store.advance?.(id, 49, minute)).toBe(true);
  });

  test('a dedupe store does not confuse similar ids, or ids that look like its own keys', async () => {
    const names = [
      'a\0b',
      'a\0c',
      'a',
      `'; DROP TABLE payment_platform_deliveries; --`,
      `"quoted"`,
      '\\u0000',
      '\ud83d\ude00',
      '\ud83d',
      '\ud83e',
      'x'.repeat(200),
      `${'x'.repeat(200)}y`,
      'ç'.repeat(5_000),
      'order:a',
      '$1',
      '{tag}',
      'claimed:',
      '*',
    ];
    const handled: string[] = [];
    const receiver = createReceiver({
      secret,
      dedupe: store,
      order: 'forward-only',
      identity: ({ externalReference }) => `${id}${externalReference}`,
      on: {
        'transaction.paid': (event) => void handled.push(String(event.externalReference)),
        'transaction.waiting_payment': () => expect.unreachable(),
      },
      onError: (error) => expect.unreachable(String(error)),
    });
    const deliver = async (event: string, name: string, more = '') => {
      const body = JSON.stringify({ event, id: `${id}${name}`, externalReference: `${name}${more}` });
      return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    };
    for (const name of names)
      expect([name, await deliver('transaction.paid', name)]).toEqual([name, 'handled']);
    expect(handled).toEqual(names);
    for (const name of names) expect(await deliver('transaction.paid', name)).toBe('duplicate');
    for (const name of names)
      expect(await deliver('transaction.waiting_payment', name, 'before')).toBe('outdated');
  });

  test('a receiver releases its claim if the response of the store to that claim was lost', async () => {
    let isLost = true;
    const onError = vi.fn();
    const release = vi.fn(store.release.bind(store));
    const receiver = createReceiver({
      secret,
      dedupe: {
        claim: async (...claim) => {
          const outcome = await store.claim(...claim);
          if (!isLost) return outcome;
          isLost = false;
          throw new Error('connection lost');
        },
        complete: store.complete.bind(store),
        release,
      },
      on: { 'transaction.paid': () => undefined },
      onError,
    });
    const body = JSON.stringify({ event: 'transaction.paid', id });
    const deliver = async () => (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    expect(await deliver()).toBe('unavailable');
    expect(onError).toHaveBeenCalledOnce();
    await eventually(() => expect(release).toHaveResolved());
    expect(await deliver()).toBe('handled');
  });
}

describe('memoryDedupe', () => {
  keepsTheContract(async () => memoryDedupe());

  test('forgets the oldest completed deliveries, but none that is still being handled', async () => {
    const store = memoryDedupe({ maxEntries: 3 });
    const one = worker();
    for (const id of ['1', '2', '3']) expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim('4', minute, one)).toBe('busy');
    await store.complete('2', minute, one);
    expect(await store.claim('4', minute, one)).toBe('claimed');
    expect(await store.claim('1', minute, worker())).toBe('busy');
    expect(await store.claim('2', minute, worker())).toBe('busy');
    await store.complete('1', minute, one);
    expect(await store.claim('2', minute, worker())).toBe('claimed');
  });
});

/** Creates a SQLite file with the table, and returns a function that opens the file. */
function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'dedupe-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deliveries.db');
  const open = () => {
    const database = new Database(path);
    opens({ close: () => database.close() });
    return database;
  };
  const table = open();
  table.exec('PRAGMA journal_mode = WAL');
  table.exec(sqliteDedupeSql());
  table.close();
  return open;
}

describe('sqliteDedupe', () => {
  const open = sqliteFile();
  keepsTheContract(async () => sqliteDedupe(open()));

  test('remembers deliveries after a restart', async () => {
    const [id, one] = [randomUUID(), worker()];
    const before = sqliteDedupe(open());
    expect(await before.claim(id, minute, one)).toBe('claimed');
    expect(await before.complete(id, minute, one)).toBe(true);
    expect(await sqliteDedupe(open()).claim(id, minute, worker())).toBe('done');
  });

  test('handles each of 5,000 notifications once over four connections, although each one arrives twice', async () => {
    const handled = new Map<unknown, number>();
    const receivers = Array.from({ length: 4 }, () =>
      createReceiver({
        secret,
        dedupe: sqliteDedupe(open()),
        on: { 'transaction.paid': ({ id }) => void handled.set(id, (handled.get(id) ?? 0) + 1) },
        onError: (error) => expect.unreachable(String(error)),
      }),
    );
    const deliveries = Array.from({ length: 10_000 }, (_, index) => index % 5_000);
    const statuses = await Promise.all(
      deliveries.map(async (order, index) => {
        const body = JSON.stringify({ event: 'transaction.paid', id: `many-${order}`, status: 'paid' });
        const delivery = { body, headers: sign({ body, secret }) };
        return (await receivers[index % 4]?.receive(delivery))?.status;
      }),
    );
    // A duplicate that arrives during the first handling gets a 503, so the platform resends it.
    expect(new Set(statuses)).toEqual(new Set(statuses.includes(503) ? [200, 503] : [200]));
    expect(handled.size).toBe(5_000);
    expect(new Set(handled.values())).toEqual(new Set([1]));
  });

  test('waits while a database transaction is open on its connection', async () => {
    const database = open();
    const store = sqliteDedupe(database);
    database.exec('BEGIN');
    const claimed = store.claim(randomUUID(), minute, worker());
    database.exec('ROLLBACK');
    expect(await claimed).toBe('claimed');
  });

  test('if its table is missing, the error names the function that returns its SQL', async () => {
    const store = sqliteDedupe(open(), { table: 'other' });
    await expect(store.claim('a', minute, worker())).rejects.toThrow(
      'Table other does not exist. Run the SQL of sqliteDedupeSql() once.',
    );
  });

  test.each([
    [
      'sqliteDedupe with a path',
      () => sqliteDedupe('deliveries.db' as never),
      /sqliteDedupe takes an open database/,
    ],
    [
      'durableObjectDedupe without a namespace',
      () => durableObjectDedupe({} as never),
      /durableObjectDedupe takes a Durable Object namespace, such as env\.DELIVERIES/,
    ],
    [
      'd1Dedupe without a database',
      () => d1Dedupe(undefined as never),
      /d1Dedupe takes a D1 database, such as env\.DB/,
    ],
    [
      'libsqlDedupe with a URL',
      () => libsqlDedupe('libsql://shop.turso.io' as never),
      /libsqlDedupe takes a client of @libsql\/client/,
    ],
    [
      'sqliteDedupe with a database that does not say whether a transaction is open',
      () => sqliteDedupe({ prepare: () => ({ all: () => [] }), exec: () => {} }),
      /says whether a transaction is open/,
    ],
    [
      'sqliteDedupe with a quote in the table name',
      () => sqliteDedupe(open(), { table: 'a"b' }),
      /table must be a plain name of at most 52 characters/,
    ],
    ['sqliteDedupeSql with a schema', () => sqliteDedupeSql('a.b'), /takes a plain table name/],
    [
      'sqliteDedupeSql with options',
      () => sqliteDedupeSql({ table: 'a' } as never),
      /sqliteDedupeSql takes the table's name as a string: sqliteDedupeSql\('table'\)\./,
    ],
    [
      'postgresDedupeSql with options',
      () => postgresDedupeSql({ table: 'a' } as never),
      /as a string: postgresDedupeSql\('schema\.table'\)\./,
    ],
  ])('and the other stores reject a wrong argument when they are created: %s', (_what, make, says) => {
    expect(make).toThrow(says);
  });
});

/** Imitates D1 and the libSQL client over one SQLite connection. */
const d1Over = (database: InstanceType<typeof Database>): D1Database => ({
  prepare: (text) => ({
    bind: (...values) => ({
      all: async () => ({ results: database.prepare(text).all(...(values as never[])) as unknown[] }),
    }),
  }),
});
const libsqlOver = (database: InstanceType<typeof Database>): LibsqlClient => ({
  execute: async ({ sql, args }) => ({ rows: database.prepare(sql).all(...(args as never[])) as unknown[] }),
});

describe('d1Dedupe, over the methods of D1', () => {
  const open = sqliteFile();
  keepsTheContract(async () => d1Dedupe(d1Over(open())));
});

describe('libsqlDedupe, over the methods of its client', () => {
  const open = sqliteFile();
  keepsTheContract(async () => libsqlDedupe(libsqlOver(open())));
});

/** Imitates Durable Objects over in-memory SQLite databases, one database per name. */
function objectsOverSqlite(): DedupeNamespace & { readonly names: ReadonlySet<string> } {
  const objects = new Map<string, DedupeObject>();
  const open = () => {
    const { database } = opens(memoryDatabase());
    const exec = (text: string, ...values: never[]) => {
      if (text.includes('CREATE')) database.exec(text);
      const rows = text.includes('CREATE') ? [] : database.prepare(text).all(...values);
      return { toArray: () => rows as unknown[] };
    };
    return new DedupeObject({ storage: { sql: { exec } } });
  };
  return {
    names: new Set(),
    idFromName: (name) => name,
    get(name: string) {
      const object = objects.get(name) ?? open();
      objects.set(name, object);
      (this.names as Set<string>).add(name);
      return { fetch: (url, init) => object.fetch(new Request(url, init)) };
    },
  };
}

const memoryDatabase = () => {
  const database = new Database(':memory:');
  return { database, close: () => void database.close() };
};

describe('durableObjectDedupe', () => {
  keepsTheContract(async () => durableObjectDedupe(objectsOverSqlite()));

  test('spreads deliveries over 64 Durable Objects', async () => {
    const namespace = objectsOverSqlite();
    const store = durableObjectDedupe(namespace);
    await Promise.all(Array.from({ length: 1_000 }, () => store.claim(randomUUID(), minute, worker())));
    expect(namespace.names.size).toBe(64);
  });

  test('rejects with the status of a Durable Object’s response if that response is an error', async () => {
    const store = durableObjectDedupe({
      idFromName: (name) => name,
      get: () => ({ fetch: async () => new Response('', { status: 503 }) }),
    });
    await expect(store.claim('a', minute, worker())).rejects.toThrow('responded with 503');
  });
});

describe.skipIf(redisUrl === '')(
  'the Redis stores with an Upstash client (set REDIS_URL to run these)',
  () => {
    const { prefix, removeKeys } = redisPrefix();
    afterAll(removeKeys);
    keepsTheContract(async () => redisDedupe(opens(await upstashClient()).client, { prefix }));

    test('return a token as a string even if it looks like JSON, and grant only one lock', async () => {
      const { client } = opens(await upstashClient());
      const store = redisTokenStore(client, { prefix });
      const token = '{"value":"1234567890","expires":1}';
      await store.set('token', token, minute);
      expect(await store.get('token')).toBe(token);
      expect(await store.get('no such token')).toBeUndefined();
      const release = await store.lock?.('token', minute);
      expect(await store.lock?.('token', minute)).toBeUndefined();
      await release?.();
      expect(await store.lock?.('token', minute)).toBeTypeOf('function');
    });

    test('limit the number of requests', async () => {
      const { client } = opens(await upstashClient());
      const store = redisRateLimitStore(client, { prefix });
      expect(await store.reserve('limit', 2, minute)).toBe(0);
      expect(await store.reserve('limit', 2, minute)).toBe(0);
      expect(await store.reserve('limit', 2, minute)).toBeGreaterThan(0);
    });
  },
);

test('redisDedupe rejects a client of node-redis 3, whose eval takes a callback', () => {
  const client = { eval: () => true, on: () => {}, send_command: () => true };
  expect(() => redisDedupe(client as never)).toThrow(/takes an ioredis, node-redis or Upstash client/);
});

describe.skipIf(redisUrl === '')('redisDedupe (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  describe.each(libraryNames)('with the client %s', (library) => {
    const open = async (url?: string) => opens(await redisLibraries[library](url));
    keepsTheContract(async () => redisDedupe((await open()).client, { prefix }));

    test('stores every Redis key with an expiry time', async () => {
      const { client, send } = await open();
      const own = `${prefix}${randomUUID()}:`;
      const store = redisDedupe(client, { prefix: own });
      const one = worker();
      await store.claim('claimed', minute, one);
      await store.claim('renewed', minute, one);
      await store.renew?.('renewed', minute, one);
      await store.complete('done', minute, one);
      await store.advance?.('moved', 1, minute);
      await store.advance?.('moved', 2, minute);
      const keys = (await send('KEYS', `${own}*`)) as string[];
      expect(keys).toHaveLength(4);
      for (const key of keys) expect(await send('PTTL', key)).toBeGreaterThan(minute / 2);
    });
  });

  test('causes a 503 while Redis is unreachable, and the delivery is handled when Redis is back', async () => {
    const proxy = opens(await redisProxy());
    const { client, send } = opens(await redisLibraries.ioredis(proxy.url));
    await send('PING');
    const onError = vi.fn();
    const receiver = createReceiver({
      secret,
      dedupe: redisDedupe(client, { prefix }),
      on: { 'transaction.paid': () => undefined },
      onError,
    });
    const deliver = async (id: string) => {
      const body = JSON.stringify({ event: 'transaction.paid', id });
      return receiver.receive({ body, headers: sign({ body, secret }) });
    };
    proxy.silence();
    const id = randomUUID();
    expect(await deliver(id)).toMatchObject({ status: 503, outcome: 'unavailable' });
    expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
    proxy.mend();
    await eventually(async () => expect((await deliver(id)).status).toBe(200));
    expect((await deliver(id)).outcome).toBe('duplicate');
  });
});

describe('redisDedupe', () => {
  const over = (reply: unknown) => redisDedupe({ call: async () => reply });
  const steps: Readonly<Record<string, (store: DedupeStore) => unknown>> = {
    claim: (store) => store.claim('id', 1, worker()),
    renew: (store) => store.renew?.('id', 1, worker()),
    complete: (store) => store.complete('id', 1, worker()),
    release: (store) => store.release('id', worker()),
    advance: (store) => store.advance?.('id', 1, 1),
  };

  test.each(Object.keys(steps))('throws an error for every unknown result of %s (row 70)', async (step) => {
    for (const reply of ['QUEUED', null, undefined, '', 2, -1, {}, [], 'OK', true, 'toString'])
      await expect(async () => steps[step]?.(over(reply))).rejects.toThrow(
        /^Redis returned a response that its command/,
      );
  });

  test('accepts a string as a Buffer, and an integer as a string, a bigint or a Buffer', async () => {
    expect(await steps.claim?.(over(Buffer.from('done')))).toBe('done');
    expect(await steps.renew?.(over(Buffer.from('claimed')))).toBe(true);
    for (const one of [1, 1n, '1', Buffer.from('1')]) expect(await steps.complete?.(over(one))).toBe(true);
    for (const none of [0, 0n, '0', Buffer.from('0')]) expect(await steps.advance?.(over(none))).toBe(false);
  });

  test.each([
    'redis://localhost:6379',
    undefined,
    null,
    6379,
    { url: 'redis://localhost' },
    Promise.resolve(),
  ])('rejects %j, and names a correct argument', (input) => {
    expect(() => redisDedupe(input as never)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringMatching(
          /^redisDedupe takes an ioredis, node-redis or Upstash client, such as new Redis\(url\)/,
        ),
      }),
    );
  });
});

describe.skipIf(postgresUrl === '')('postgresDedupe (set POSTGRES_URL to run these)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.Deliveries`;
  beforeAll(async () => {
    await createSchema();
    const { pool, close } = postgresPool();
    await pool.query(postgresDedupeSql(table));
    await close();
  });
  afterAll(removeSchema);

  keepsTheContract(async () => postgresDedupe(opens(postgresPool()).pool, { table }));
  describe('with transactions', () => {
    keepsTheContract(async () => postgresDedupe(opens(postgresPool()).pool, { table, transaction: true }));
  });
});
