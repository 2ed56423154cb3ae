import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import {
  encryptedTokenStore,
  libsqlRateLimitStore,
  libsqlSharedSql,
  libsqlTokenStore,
  PaymentPlatform,
} from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'libsql-'));
const url = `file:${join(folder, 'shared.db')}`;
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens another connection to the file, as another process does. */
function open(options: { intMode?: 'bigint' | 'string' } = {}): Client {
  const client = createClient({ url, timeout: 10_000, ...options });
  onTestFinished(() => client.close());
  return client;
}

beforeAll(async () => {
  const client = createClient({ url });
  await client.executeMultiple(`PRAGMA journal_mode = WAL; ${libsqlSharedSql()} ${libsqlSharedSql()}`);
  client.close();
});

const minute = 60_000;

/** Moves a key's expiry into the past, as if that much time had passed. */
const expire = (client: Client, key: string) =>
  client.execute({ sql: 'UPDATE payment_platform_shared SET expires_at = 0 WHERE key = ?', args: [key] });

describe('libsqlTokenStore', () => {
  test('returns a value until it expires, over every connection', async () => {
    const [client, key] = [open(), randomUUID()];
    const [store, other] = [libsqlTokenStore(client), libsqlTokenStore(open())];
    expect(await store.get(key)).toBeUndefined();
    await store.set(key, 'first', minute);
    await store.set(key, 'value', 60_000.4);
    expect(await other.get(key)).toBe('value');
    const row = await client.execute({
      sql: "SELECT expires_at - unixepoch('subsec') * 1000 AS rest FROM payment_platform_shared WHERE key = ?",
      args: [key],
    });
    expect(Number(row.rows[0]?.rest)).toBeGreaterThan(50_000);
    expect(Number(row.rows[0]?.rest)).toBeLessThanOrEqual(60_001);
    await expire(client, key);
    expect(await other.get(key)).toBeUndefined();
  });

  test('grants a lock to one holder, and only the holder can release it', async () => {
    const [store, other] = [libsqlTokenStore(open()), libsqlTokenStore(open())];
    const key = randomUUID();
    const release = await store.lock(key, minute);
    expect(release).toBeTypeOf('function');
    expect(await other.lock(key, minute)).toBeUndefined();
    await release?.();
    const again = await other.lock(key, minute);
    expect(again).toBeTypeOf('function');
    await release?.();
    expect(await store.lock(key, minute)).toBeUndefined();
    await again?.();
  });

  test('grants an expired lock to another holder', async () => {
    const [client, key] = [open(), randomUUID()];
    const store = libsqlTokenStore(client);
    const release = await store.lock(key, minute);
    await expire(client, `${key}:lock`);
    expect(await store.lock(key, minute)).toBeTypeOf('function');
    await release?.();
    expect(await store.lock(key, minute)).toBeUndefined();
  });

  test('deletes expired rows whenever a token is stored', async () => {
    const [client, key] = [open(), randomUUID()];
    const store = libsqlTokenStore(client);
    await store.set(key, 'old', minute);
    await expire(client, key);
    await store.set(randomUUID(), 'new', minute);
    const sql = 'SELECT * FROM payment_platform_shared WHERE key = ?';
    expect((await client.execute({ sql, args: [key] })).rows).toEqual([]);
  });

  test('stores only the encrypted token if encryptedTokenStore wraps it', async () => {
    const [store, key] = [libsqlTokenStore(open()), randomUUID()];
    const sealed = encryptedTokenStore(store, new Uint8Array(32).fill(1));
    await sealed.set(key, '{"value":"token-canary"}', minute);
    expect(await store.get(key)).not.toContain('token-canary');
    expect(await sealed.get(key)).toBe('{"value":"token-canary"}');
  });

  test('lets three clients of one merchant share one token request', async () => {
    const sandbox = createSandbox();
    const platforms = [1, 2, 3].map(
      () =>
        new PaymentPlatform({
          ...sandbox.clientOptions(),
          auth: 'oauth',
          oauth: { store: libsqlTokenStore(open()) },
        }),
    );
    await Promise.all(platforms.map((platform) => platform.webhooks.list()));
    await platforms[0]?.webhooks.list();
    const paths = sandbox.journal.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === '/oauth/token')).toHaveLength(1);
    expect(paths).toHaveLength(5);
  });
});

describe('libsqlRateLimitStore', () => {
  /** Moves the counted requests into the past by the given number of seconds. */
  const pass = (client: Client, key: string, seconds: number) =>
    client.execute({
      sql: `UPDATE payment_platform_shared SET value = json_set(value, '$.times',
        json((SELECT json_group_array(time.value - ?) FROM json_each(payment_platform_shared.value, '$.times') AS time))) WHERE key = ?`,
      args: [seconds * 1_000, key],
    });

  test('uses a sliding window, and returns the wait exactly to the millisecond', async () => {
    const [client, key] = [open(), randomUUID()];
    const store = libsqlRateLimitStore(client);
    expect(await store.reserve(key, 2, minute)).toBe(0);
    await pass(client, key, 20);
    expect(await store.reserve(key, 2, minute)).toBe(0);
    const wait = await store.reserve(key, 2, minute);
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(40_000);
    await pass(client, key, 39);
    const rest = await store.reserve(key, 2, minute);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(1_000);
    await pass(client, key, 1);
    expect(await store.reserve(key, 2, minute)).toBe(0);
    expect(await store.reserve(key, 2, minute)).toBeGreaterThan(10_000);
  });

  test('grants exactly as many of 600 simultaneous requests as the limit allows, over three connections', async () => {
    const stores = [open(), open(), open()].map((client) => libsqlRateLimitStore(client));
    const key = randomUUID();
    const waits = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 200 }, () => store.reserve(key, 10, minute))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(minute);
    expect(await stores[0]?.reserve(randomUUID(), 10, minute)).toBe(0);
  });

  test('counts correctly even if processes have different limits', async () => {
    const [client, key] = [open(), randomUUID()];
    const store = libsqlRateLimitStore(client);
    for (let count = 0; count < 10; count++) expect(await store.reserve(key, 10, minute)).toBe(0);
    expect(await store.reserve(key, 5, minute)).toBeGreaterThan(0);
    expect(await store.reserve(key, 10, minute)).toBeGreaterThan(0);
    await pass(client, key, 61);
    for (let count = 0; count < 5; count++) expect(await store.reserve(key, 5, minute)).toBe(0);
    expect(await store.reserve(key, 5, minute)).toBeGreaterThan(0);
    for (let count = 0; count < 5; count++) expect(await store.reserve(key, 10, minute)).toBe(0);
    expect(await store.reserve(key, 10, minute)).toBeGreaterThan(0);
  });

  test('returns a wait of at most one window after the database’s clock was set back by an hour', async () => {
    const [client, key] = [open(), randomUUID()];
    const store = libsqlRateLimitStore(client);
    for (let count = 0; count < 3; count++) await store.reserve(key, 3, minute);
    await pass(client, key, -3_600);
    const wait = await store.reserve(key, 3, minute);
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(minute);
    await pass(client, key, 60);
    expect(await store.reserve(key, 3, minute)).toBe(0);
  });

  test.each(['bigint', 'string'] as const)(
    'works with a client that returns integers as %s',
    async (intMode) => {
      const [store, key] = [libsqlRateLimitStore(open({ intMode })), randomUUID()];
      expect(await store.reserve(key, 1, minute)).toBe(0);
      expect(await store.reserve(key, 1, minute)).toBeGreaterThan(50_000);
    },
  );
});

test('the libSQL stores of tokens and rate limits use the table that the option names', async () => {
  const client = open();
  await client.executeMultiple(libsqlSharedSql('limits'));
  const [store, key] = [libsqlRateLimitStore(client, { table: 'limits' }), randomUUID()];
  expect(await store.reserve(key, 1, minute)).toBe(0);
  expect((await client.execute({ sql: 'SELECT key FROM limits', args: [] })).rows).toEqual([{ key }]);
});

test('an error about a missing table names the function whose SQL creates it', async () => {
  const client = createClient({ url: ':memory:' });
  const message = 'Table payment_platform_shared does not exist. Run the SQL of libsqlSharedSql() once.';
  await expect(libsqlTokenStore(client).get('key')).rejects.toThrow(message);
  await expect(libsqlRateLimitStore(client).reserve('key', 1, minute)).rejects.toThrow(message);
});

test('the libSQL stores reject wrong arguments, and name a correct one', () => {
  for (const wrong of [undefined, null, {}, 'libsql://shop.turso.io'])
    for (const [name, store] of Object.entries({ libsqlTokenStore, libsqlRateLimitStore }))
      expect(() => store(wrong as never)).toThrow(
        `${name} takes a client of @libsql/client: createClient({ url }).`,
      );
  const client = { execute: async () => ({ rows: [] }), batch: async () => [] };
  expect(() => libsqlTokenStore(client, { tabel: 'a' } as never)).toThrow(
    /libsqlTokenStore: tabel is an unknown option/,
  );
  expect(() => libsqlRateLimitStore(client, { table: 'a.b' })).toThrow(
    /table must be a plain name of at most 52 characters/,
  );
  for (const table of ['time', 'json_each', 'Counted', 'excluded'])
    expect(() => libsqlRateLimitStore(client, { table })).toThrow(/not one that the SQL uses/);
  expect(() => libsqlSharedSql('a"b')).toThrow(
    "libsqlSharedSql takes a plain table name of at most 52 characters: libsqlSharedSql('table').",
  );
});
