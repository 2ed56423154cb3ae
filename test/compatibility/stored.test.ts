import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import {
  encryptedTokenStore,
  IdempotencyConflictError,
  memoryTokenStore,
  PaymentPlatform,
  redisTokenStore,
} from 'payment-platform';
import {
  createDurablePayments,
  type PaymentStore,
  postgresPayments,
  sqlitePayments,
} from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import {
  createReceiver,
  type DedupeStore,
  postgresDedupe,
  redisDedupe,
  sign,
} from 'payment-platform/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresPool, postgresSchema, postgresUrl } from '../support/postgres.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../support/redis.js';
import { closedAfterEach } from '../support/resources.js';
import {
  encryptionKey,
  longest,
  notification,
  order,
  type Stored,
  secret,
  type TableName,
} from './orders.js';

const opens = closedAfterEach();
const folder = new URL('./stored/', import.meta.url);
const released: Stored[] = await Promise.all(
  (await readdir(folder)).map(async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8'))),
);

/** A sandbox that goes on from the file of the release: `order-1` and `order-2` are charged in it. */
async function sandboxOf({ state }: Stored) {
  const files = await mkdtemp(join(tmpdir(), 'stored-'));
  const stateFile = join(files, 'state');
  await writeFile(stateFile, state);
  const sandbox = createSandbox({ stateFile });
  opens({
    close: async () => {
      await sandbox.close();
      await rm(files, { recursive: true });
    },
  });
  return sandbox;
}

function sqliteOf(stored: Stored, table: TableName) {
  const { sql, rows } = stored.tables[table];
  const database = new Database(':memory:');
  database.exec(sql);
  for (const row of rows) {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    database
      .prepare(`INSERT INTO payment_platform_payments (${columns.join(', ')}) VALUES (${places})`)
      .run(...Object.values(row));
  }
  opens(database);
  return sqlitePayments(database);
}

const { schema, createSchema, removeSchema } = postgresSchema();
if (postgresUrl !== '') await createSchema();
afterAll(async () => {
  if (postgresUrl !== '') await removeSchema();
});

/** The table of a release, with its rows, in PostgreSQL. */
async function postgresOf(stored: Stored, table: TableName, name: string) {
  const { sql, rows } = stored.tables[table];
  const { pool, close } = postgresPool({ options: `-c search_path=${schema}` });
  opens({ close });
  await pool.query(`DROP TABLE IF EXISTS ${name}`);
  await pool.query(sql);
  await pool.query(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`, [
    JSON.stringify(rows),
  ]);
  return pool;
}

/** What must hold of recorded payments: what was known is known, what was lost is found, nothing is charged twice. */
async function goesOn(stored: Stored, store: PaymentStore<unknown>, more = {}) {
  const sandbox = await sandboxOf(stored);
  const charged = () => sandbox.ledger.charges.map(({ externalReference }) => externalReference).sort();
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const payments = createDurablePayments(platform, { store, giveUpAfter: longest, ...more });
  const before = sandbox.journal.requests.length;
  expect(charged()).toEqual(['order-1', 'order-2']);
  const known = await payments.create(order('order-1'), { key: 'order-1' });
  expect(known.payment).toMatchObject({ status: 'waiting_payment', externalReference: 'order-1' });
  await expect(payments.create(order('another'), { key: 'order-1' })).rejects.toThrow(
    IdempotencyConflictError,
  );
  expect(sandbox.journal.requests).toHaveLength(before);
  for (const key of ['order-2', 'order-3']) await payments.settle(key);
  expect(charged()).toEqual(['order-1', 'order-2', 'order-3']);
  expect((await payments.counts()).length).toBe(0);
}

/** What must hold of a handled notification: it is not handed on again. */
async function isDuplicate(dedupe: DedupeStore<unknown>) {
  let handled = 0;
  const receiver = createReceiver({ secret, dedupe, on: { 'transaction.paid': () => void handled++ } });
  const deliver = (event: object) => {
    const body = JSON.stringify(event);
    return receiver.receive({
      body,
      headers: { 'content-type': 'application/json', ...sign({ body, secret }) },
    });
  };
  expect((await deliver(notification)).outcome).toBe('duplicate');
  expect((await deliver({ ...notification, id: '00000000-0000-4000-8000-000000000002' })).outcome).toBe(
    'handled',
  );
  expect(handled).toBe(1);
}

test('there is something that a release has stored', () => {
  expect(released.length).toBeGreaterThan(0);
});

describe.each(released)('what $version has stored', (stored) => {
  test('recorded payments in SQLite go on', () => goesOn(stored, sqliteOf(stored, 'sqlite')));

  test('encrypted payments in SQLite go on', () =>
    goesOn(stored, sqliteOf(stored, 'sqliteEncrypted'), { encryptionKeys: encryptionKey }));

  test('an encrypted token is read', async () => {
    const inner = memoryTokenStore();
    await inner.set('merchant', stored.sealedToken, 3_600_000);
    const sealed = encryptedTokenStore(inner, Buffer.from(encryptionKey, 'base64'));
    expect(await sealed.get('merchant')).toBe('token-1');
  });

  test('a sandbox goes on from its file: ids, keys and statuses', async () => {
    const sandbox = await sandboxOf(stored);
    const platform = new PaymentPlatform(sandbox.clientOptions());
    const again = await platform.payments.create(order('order-1'), { idempotencyKey: 'order-1' });
    expect(again).toMatchObject({ status: 'waiting_payment', externalReference: 'order-1' });
    expect(sandbox.ledger.charges).toHaveLength(2);
  });

  describe.skipIf(postgresUrl === '')('in PostgreSQL (set POSTGRES_URL to run these)', () => {
    test('recorded payments go on', async () => {
      const pool = await postgresOf(stored, 'postgres', 'payment_platform_payments');
      await goesOn(stored, postgresPayments(pool));
    });

    test('a handled notification is a duplicate', async () => {
      const pool = await postgresOf(stored, 'deliveries', 'payment_platform_deliveries');
      await pool.query("UPDATE payment_platform_deliveries SET expires_at = now() + interval '1 hour'");
      await isDuplicate(postgresDedupe(pool));
    });
  });

  describe.skipIf(redisUrl === '').each(libraryNames)(
    'in Redis, over %s (set REDIS_URL to run these)',
    (library) => {
      const { prefix, removeKeys } = redisPrefix();
      afterAll(removeKeys);

      test('a handled notification is a duplicate, and a token is read', async () => {
        const { client, send, close } = await redisLibraries[library]();
        opens({ close });
        for (const [key, value] of Object.entries(stored.redis))
          await send('SET', prefix + key, value, 'PX', '3600000');
        await isDuplicate(redisDedupe(client as never, { prefix }));
        const tokens = redisTokenStore(client as never, { prefix: `${prefix}token:` });
        expect(await tokens.get('merchant')).toBe('{"value":"token-1"}');
      });
    },
  );
});
