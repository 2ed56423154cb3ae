import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Client, createClient } from '@libsql/client';
import Database from 'libsql';
import { libsqlRateLimitStore, libsqlSharedSql, libsqlTokenStore, PaymentPlatform } from 'payment-platform';
import { createDurablePayments, sqlitePayments, sqlitePaymentsSql } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { samples } from 'payment-platform/testing';
import { type DedupeStore, libsqlDedupe, sqliteDedupe, sqliteDedupeSql } from 'payment-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';

const details = { holder: 'a', digest: 'b' };

/** Two writes of a store, with different statements. */
interface Writes {
  whileLocked(): unknown;
  afterwards(): unknown;
}

const dedupeWrites = (store: DedupeStore): Writes => ({
  whileLocked: () => store.complete('while-locked', 60_000, details),
  afterwards: () => store.claim('afterwards', 60_000, details),
});

const overDatabase: Readonly<
  Record<string, (database: InstanceType<typeof Database>) => Writes | Promise<Writes>>
> = {
  sqliteDedupe: (database) => dedupeWrites(sqliteDedupe(database)),
  async sqlitePayments(database) {
    const platform = new PaymentPlatform(createSandbox().clientOptions());
    const payments = createDurablePayments(platform, { store: sqlitePayments(database) });
    return {
      whileLocked: () => payments.settleDue(),
      afterwards: () => payments.enqueue(samples.payments.pix(), { key: 'afterwards' }),
    };
  },
};

const overClient: Readonly<Record<string, (client: Client) => Writes>> = {
  libsqlDedupe: (client) => dedupeWrites(libsqlDedupe(client)),
  libsqlTokenStore(client) {
    const store = libsqlTokenStore(client);
    return {
      whileLocked: () => store.lock('while-locked', 60_000),
      afterwards: () => store.set('afterwards', 'token', 60_000),
    };
  },
  libsqlRateLimitStore(client) {
    const store = libsqlRateLimitStore(client);
    return {
      whileLocked: () => store.reserve('while-locked', 1, 60_000),
      afterwards: () => store.reserve('afterwards', 1, 60_000),
    };
  },
};

/** Creates a SQLite file with all tables, and opens it on a second connection. */
function createFile() {
  const file = join(mkdtempSync(join(tmpdir(), 'locked-')), 'shop.db');
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec(`PRAGMA journal_mode = WAL; ${sqliteDedupeSql()} ${sqlitePaymentsSql()} ${libsqlSharedSql()}`);
  return { file, other };
}

/** Writes once while another connection has the file locked, and once afterwards. */
async function writeTwice(writes: Writes, other: InstanceType<typeof Database>): Promise<void> {
  other.exec('BEGIN IMMEDIATE');
  await expect((async () => writes.whileLocked())()).rejects.toThrow(/locked/);
  other.exec('COMMIT');
  await writes.afterwards();
}

const findAll = (other: InstanceType<typeof Database>) =>
  ['payment_platform_deliveries', 'payment_platform_payments', 'payment_platform_shared'].flatMap((table) =>
    other.prepare(`SELECT * FROM ${table}`).raw().all(),
  );

test.each(Object.entries(overDatabase))(
  '%s commits its next write after a write that found the file locked',
  async (_, open) => {
    const { file, other } = createFile();
    const database = new Database(file);
    onTestFinished(() => void database.close());
    database.exec('PRAGMA busy_timeout = 20');
    await writeTwice(await open(database), other);
    expect(findAll(other)).toEqual([expect.arrayContaining(['afterwards'])]);
  },
);

test.each(Object.entries(overClient))(
  '%s commits its next write after a write that found the local file locked',
  async (_, open) => {
    const { file, other } = createFile();
    const client = createClient({ url: `file:${file}` });
    onTestFinished(() => client.close());
    await writeTwice(open(client), other);
    expect(findAll(other)).toEqual([expect.arrayContaining(['afterwards'])]);
  },
);

test('libsqlDedupe commits every claim that it grants while another thread has the local file locked', async () => {
  const { file, other } = createFile();
  // This connection waits for the lock without returning to the event loop, so another thread has to end it.
  const locker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const database = new (require('libsql'))(workerData);
    database.exec('BEGIN IMMEDIATE');
    parentPort.postMessage('locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    database.exec('COMMIT');`,
    { eval: true, workerData: file },
  );
  await once(locker, 'message');
  const client = createClient({ url: `file:${file}`, timeout: 100 });
  onTestFinished(() => client.close());
  const store = libsqlDedupe(client);
  const ids = Array.from({ length: 25 }, (_, index) => `p-${index}`);
  const claims = await Promise.allSettled(ids.map((id) => store.claim(id, 60_000, details)));
  const granted = ids.filter((_, index) => claims[index]?.status === 'fulfilled');
  expect(granted.length).toBeGreaterThan(0);
  const stored = new Set(other.prepare('SELECT id FROM payment_platform_deliveries').pluck().all());
  expect(granted.filter((id) => !stored.has(id))).toEqual([]);
});

test('a libSQL store reports the locked file, even if the client cannot reconnect', async () => {
  const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  const store = libsqlDedupe({
    protocol: 'file',
    execute: () => Promise.reject(locked),
    batch: () => Promise.reject(locked),
    reconnect() {
      throw new Error('the client is closed');
    },
  });
  await expect((async () => store.claim('p-1', 60_000, details))()).rejects.toThrow('database is locked');
});
