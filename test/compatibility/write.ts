import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import Database from 'libsql';
import {
  encryptedTokenStore,
  memoryTokenStore,
  PaymentPlatform,
  redisTokenStore,
  version,
} from 'payment-platform';
import {
  createDurablePayments,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { createSandbox, type Sandbox } from 'payment-platform/sandbox';
import {
  createReceiver,
  type DedupeStore,
  postgresDedupe,
  postgresDedupeSql,
  redisDedupe,
  sign,
} from 'payment-platform/webhooks';
import { postgresPool, postgresSchema, postgresUrl } from '../support/postgres.js';
import { redisPrefix, redisUrl } from '../support/redis.js';
import { encryptionKey, longest, notification, order, type Stored, secret } from './orders.js';

/**
 * Writes what this version stores into stored/<version>.json, once a release: `npm run stored`,
 * with REDIS_URL and POSTGRES_URL. Later versions are held to read it.
 */
if (postgresUrl === '' || redisUrl === '') throw new Error('It needs REDIS_URL and POSTGRES_URL.');

/** One payment that is settled, and one whose answer was lost. */
async function pay(sandbox: Sandbox, store: Parameters<typeof createDurablePayments>[1]['store'], more = {}) {
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });
  const payments = createDurablePayments(platform, { store, giveUpAfter: longest, ...more });
  await payments.create(order('order-1'), { key: 'order-1' });
  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
  await payments.create(order('order-2'), { key: 'order-2' }).catch(() => undefined);
  await payments.enqueue(order('order-3'), { key: 'order-3' });
}

async function sqlite(more = {}) {
  const database = new Database(':memory:');
  const sql = sqlitePaymentsSql();
  database.exec(sql);
  const sandbox = createSandbox();
  await pay(sandbox, sqlitePayments(database), more);
  await sandbox.close();
  return { sql, rows: database.prepare('SELECT * FROM payment_platform_payments').all() as object[] };
}

async function handled(dedupe: DedupeStore<unknown>) {
  const receiver = createReceiver({
    secret,
    dedupe,
    keepFor: 30 * 86_400_000,
    on: { 'transaction.paid': () => undefined },
  });
  const body = JSON.stringify(notification);
  await receiver.receive({
    body,
    headers: { 'content-type': 'application/json', ...sign({ body, secret }) },
  });
}

const folder = await mkdtemp(join(tmpdir(), 'stored-'));
const { schema, createSchema, removeSchema } = postgresSchema();
await createSchema();
const { pool, close } = postgresPool({ options: `-c search_path=${schema}` });
const postgresSql = postgresPaymentsSql();
const deliveriesSql = postgresDedupeSql();
await pool.query(postgresSql);
await pool.query(deliveriesSql);
const rowsOf = async (table: string) =>
  (await pool.query(`SELECT row_to_json(t) AS row FROM ${table} t`)).rows.map(({ row }) => row as object);

const stateFile = join(folder, 'state');
const sandbox = createSandbox({ stateFile, seed: 1, now: '2026-11-23T12:00:00Z' });
await pay(sandbox, postgresPayments(pool));
await sandbox.close();

await handled(postgresDedupe(pool));
const { prefix, removeKeys } = redisPrefix();
const redis = new Redis(redisUrl);
await handled(redisDedupe(redis, { prefix }));
await redisTokenStore(redis, { prefix: `${prefix}token:` }).set('merchant', '{"value":"token-1"}', 3_600_000);
const keys = await redis.keys(`${prefix}*`);
const values = await Promise.all(keys.map(async (key) => [key.slice(prefix.length), await redis.get(key)]));

const inner = memoryTokenStore();
await encryptedTokenStore(inner, Buffer.from(encryptionKey, 'base64')).set('merchant', 'token-1', 3_600_000);

const stored: Stored = {
  version,
  tables: {
    sqlite: await sqlite(),
    sqliteEncrypted: await sqlite({ encryptionKeys: encryptionKey }),
    postgres: { sql: postgresSql, rows: await rowsOf('payment_platform_payments') },
    deliveries: { sql: deliveriesSql, rows: await rowsOf('payment_platform_deliveries') },
  },
  redis: Object.fromEntries(values),
  sealedToken: (await inner.get('merchant')) ?? '',
  state: await readFile(stateFile, 'utf8'),
};
await writeFile(new URL(`./stored/${version}.json`, import.meta.url), `${JSON.stringify(stored, null, 2)}\n`);
await removeKeys();
redis.disconnect();
await close();
await removeSchema();
await rm(folder, { recursive: true });
