// Writes the data that a version of the package leaves behind:
// npx tsx tools/compatibility/write.ts <folder of the package> <version>
// It needs Redis and PostgreSQL (REDIS_URL, POSTGRES_URL), and a build in that folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { postgresPool, postgresSchema, postgresUrl } from '../../test/support/postgres.js';
import { redisLibraries, redisPrefix, redisUrl } from '../../test/support/redis.js';
import {
  body,
  charged,
  handled,
  order,
  recorded,
  type Sdk,
  sandboxOptions,
  secret,
  tokenClient,
} from './scene.js';
import type { Row, Stored, StoredKey, StoredTable } from './stored.js';

const [folder, version] = process.argv.slice(2);
if (folder === undefined || version === undefined || redisUrl === '' || postgresUrl === '')
  throw new Error('Give the folder of the package and its version, with REDIS_URL and POSTGRES_URL set.');
const load = (name: string) => {
  const file = join(folder, 'dist', `${name}.js`);
  return existsSync(file) ? import(pathToFileURL(file).href) : undefined;
};
const [main, webhooks, sandboxes, durable] = await Promise.all(
  ['index', 'webhooks', 'sandbox', 'durable'].map(load),
);
if (main === undefined) throw new Error(`${folder} has no dist/index.js: build it first.`);
const sdk: Sdk = { main, webhooks, sandbox: sandboxes, durable };
const times = ['expires_at', 'created_at', 'due_at', 'deadline'];
const hour = 3_600_000;

const work = mkdtempSync(join(tmpdir(), 'stored-'));
const stateFile = join(work, 'sandbox.state');
const sandbox = sdk.sandbox.createSandbox({ ...sandboxOptions, stateFile });
const platform = new sdk.main.PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Converts the rows' times to milliseconds from now. */
const listRows = (rows: readonly Record<string, unknown>[], now: number): Row[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const isTime = times.includes(name) && value !== null;
        return [name, isTime ? Number(value) - now : (value as string)];
      }),
    ),
  );

/** Handles deliveries, and leaves one claimed, as if its process had died. */
async function receive(dedupe: import('payment-platform/webhooks').DedupeStore) {
  const { createReceiver, sign } = sdk.webhooks;
  const receiver = createReceiver({ secret, dedupe, on: { 'transaction.paid': () => undefined } });
  for (const id of handled) {
    const { outcome } = await receiver.receive({ body: body(id), headers: sign({ body: body(id), secret }) });
    if (outcome !== 'handled') throw new Error(`A delivery was ${outcome}.`);
  }
  await dedupe.claim('claimed', hour, { holder: 'of a dead process', digest: 'of a body' });
  await dedupe.advance?.('ranked', 3, hour);
}

/** Records payments, and leaves one in each state. */
async function record(store: import('payment-platform/durable').PaymentStore<never>, place: string) {
  const payments = sdk.durable?.createDurablePayments(platform, { store });
  if (payments === undefined) return;
  const [settled, enqueued, inDoubt] = recorded.map((name) => `${place}-${name}`) as [string, string, string];
  await payments.create(order(settled), { key: settled });
  await payments.enqueue(order(enqueued), { key: enqueued });
  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset', times: 1 });
  await payments.create(order(inDoubt), { key: inDoubt }).catch(() => undefined);
}

async function inRedis(): Promise<StoredKey[]> {
  const { prefix, removeKeys } = redisPrefix();
  const { client, send, close } = await redisLibraries.ioredis();
  await receive(sdk.webhooks.redisDedupe(client, { prefix }));
  const limits = sdk.main.redisRateLimitStore(client, { prefix });
  for (let count = 0; count < 3; count++) await limits.reserve('limited', 3, hour);
  await tokenClient(sdk, sdk.main.redisTokenStore(client, { prefix })).platform.domains.list();
  // The client's call returns before the token is stored and the lock is released.
  while (!(await client.keys(`${prefix}token:*`)).every((key) => !key.endsWith(':lock'))) await tick();
  const found: StoredKey[] = [];
  for (const key of (await client.keys(`${prefix}*`)).sort()) {
    const isList = (await send('TYPE', key)) === 'list';
    const value = await (isList ? send('LRANGE', key, '0', '-1') : send('GET', key));
    const ttl = Number(await send('PTTL', key));
    found.push({ key: key.slice(prefix.length), value: value as string | string[], ttl });
  }
  await removeKeys();
  close();
  return found;
}

async function inPostgres() {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  const { pool, close } = postgresPool();
  const table = async (name: string, sql: string, fill: () => Promise<void>): Promise<StoredTable> => {
    await pool.query(sql);
    await fill();
    const columns = await pool.query(
      'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
      [schema, name],
    );
    const list = columns.rows.map(({ name: column }: { name: string }) =>
      times.includes(column)
        ? `(extract(epoch FROM "${column}" - now()) * 1000)::double precision AS "${column}"`
        : `"${column}"`,
    );
    const { rows } = await pool.query(`SELECT ${list.join(', ')} FROM ${schema}.${name} ORDER BY 1`);
    return { sql: sql.replaceAll(`"${schema}"."${name}"`, 'TABLE'), rows: listRows(rows, 0) };
  };
  const { postgresDedupe, postgresDedupeSql } = sdk.webhooks;
  const name = (own: string) => `${schema}.${own}`;
  const deliveries = await table('deliveries', postgresDedupeSql(name('deliveries')), () =>
    receive(postgresDedupe(pool, { table: name('deliveries') })),
  );
  const payments =
    durable &&
    (await table('payments', durable.postgresPaymentsSql(name('payments')), () =>
      record(durable.postgresPayments(pool, { table: name('payments') }) as never, 'postgres'),
    ));
  await close();
  await removeSchema();
  return { deliveries, ...(payments && { postgresPayments: payments }) };
}

async function inSqlite() {
  if (durable === undefined) return {};
  const database = new Database(join(work, 'payments.db'));
  const sql = durable.sqlitePaymentsSql('payments');
  database.exec(sql);
  await record(durable.sqlitePayments(database, { table: 'payments' }) as never, 'sqlite');
  const rows = database.prepare('SELECT * FROM payments ORDER BY key').all() as Record<string, unknown>[];
  const stored = { sql: sql.replaceAll('"payments"', 'TABLE'), rows: listRows(rows, Date.now()) };
  database.close();
  return { sqlitePayments: stored };
}

for (const key of charged) await platform.payments.create(order(key), { idempotencyKey: key });
const sealed: Record<string, string> = {};
await tokenClient(sdk, {
  get: async (name) => sealed[name],
  set: async (name, value) => {
    sealed[name] = value;
  },
  lock: async () => async () => undefined,
}).platform.domains.list();
while (Object.keys(sealed).length === 0) await tick();
const stored: Omit<Stored, 'state'> = {
  version,
  writtenAt: Date.now(),
  redis: await inRedis(),
  ...(await inPostgres()),
  ...(await inSqlite()),
  sealed,
};
// A killed process closes nothing, so the file is read before closing.
const state = readFileSync(stateFile, 'utf8');
await sandbox.close();
const target = new URL(`stored/${version}/`, import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('stored.json', target), `${JSON.stringify(stored, null, 2)}\n`);
writeFileSync(new URL('sandbox.state', target), state);
rmSync(work, { recursive: true });
process.stdout.write(
  `stored/${version} has ${stored.redis.length} keys and ${state.split('\n').length - 1} lines of state.\n`,
);
process.exit();
