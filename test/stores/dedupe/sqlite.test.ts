import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import Database from 'libsql';
import {
  d1Dedupe,
  durableObjectDedupe,
  libsqlDedupe,
  postgresDedupeSql,
  sqliteDedupe,
  sqliteDedupeSql,
} from 'payment-platform/webhooks';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepsDedupeContract, minute, worker } from '../../support/dedupe-contract.js';
import { deliverTwice } from '../../support/deliver-twice.js';
import { runs } from '../../support/load.js';
import { closedAfterEach } from '../../support/resources.js';

/** The number of notifications that are delivered twice. */
const events = runs(500);

const opens = closedAfterEach();

/** Does not wait for the disk, because no test ends its machine. */
const fast = 'PRAGMA synchronous = OFF';

/** Creates a SQLite file with the table, and returns its path and a function that opens the file. */
function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'dedupe-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deliveries.db');
  const open = () => {
    const database = new Database(path);
    opens({ close: () => database.close() });
    database.exec(fast);
    return database;
  };
  const table = open();
  table.exec('PRAGMA journal_mode = WAL');
  table.exec(sqliteDedupeSql());
  table.close();
  return { path, open };
}

describe('sqliteDedupe', () => {
  const { open } = sqliteFile();
  keepsDedupeContract(async () => sqliteDedupe(open()));

  test('commits its write even if a transaction that begins right after the call is rolled back', async () => {
    const [id, database] = [randomUUID(), open()];
    const claiming = sqliteDedupe(database).claim(id, minute, worker());
    database.exec('BEGIN');
    expect(await claiming).toBe('claimed');
    database.exec('ROLLBACK');
    expect(await sqliteDedupe(open()).claim(id, minute, worker())).toBe('busy');
  });

  test('deletes only expired rows, a minute after it was created', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = new Database(':memory:');
    opens({ close: () => database.close() });
    database.exec(sqliteDedupeSql());
    const store = sqliteDedupe(database);
    const left = () =>
      database
        .prepare('SELECT id FROM payment_platform_deliveries ORDER BY id')
        .all()
        .map((row) => (row as { id: unknown }).id);
    await store.complete('old', minute, worker());
    database.exec('UPDATE payment_platform_deliveries SET expires_at = 1');
    await store.complete('young', minute, worker());
    await store.claim('held', minute, worker());
    expect(left()).toEqual(['held', 'old', 'young']);
    vi.advanceTimersByTime(60_001);
    await store.claim('next', minute, worker());
    await expect.poll(left, { timeout: 5_000 }).toEqual(['held', 'next', 'young']);
  });

  test('remembers deliveries after a restart', async () => {
    const [id, one] = [randomUUID(), worker()];
    const before = sqliteDedupe(open());
    expect(await before.claim(id, minute, one)).toBe('claimed');
    expect(await before.complete(id, minute, one)).toBe(true);
    expect(await sqliteDedupe(open()).claim(id, minute, worker())).toBe('done');
  });

  test('handles each notification once over four connections, although every notification is delivered twice', async () => {
    await deliverTwice(
      Array.from({ length: 4 }, () => sqliteDedupe(open())),
      { events },
    );
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
      "Table other does not exist. Run the SQL of sqliteDedupeSql('other') once.",
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
  ])('rejects a wrong argument when it is created, as the other stores do: %s', (_what, make, says) => {
    expect(make).toThrow(says);
  });
});

describe('libsqlDedupe with the client of @libsql/client', () => {
  const { path } = sqliteFile();
  // The client's busy timeout is in milliseconds. Without one, two connections that write make one of them fail.
  const open = async () => {
    const client = opens(createClient({ url: `file:${path}`, timeout: 60_000 }));
    await client.execute(fast);
    return client;
  };
  keepsDedupeContract(async () => libsqlDedupe(await open()));

  test('handles each notification once over four clients, although every notification is delivered twice', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, open));
    await deliverTwice(
      clients.map((client) => libsqlDedupe(client)),
      { events },
    );
  });
});
