/**
 * Measures one contender in a separate process. Measures the cost of recording payments, one at a time and
 * many at once.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDurablePayments,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from '../../dist/durable.js';
import { PaymentPlatform } from '../../dist/index.js';
import { credentials, order } from './samples.mjs';

/** Inserts the given number of settled payments before a measurement. */
const rows = (count, numbers) => `INSERT INTO payments
  (key, version, state, revision, reference, digest, payload, payment, payment_id, attempts, in_doubt, created_at, due_at, deadline)
SELECT 'old-' || n, 1, 'settled', 2, 'old-' || n, 'digest', '${JSON.stringify({ payment: order })}', '${JSON.stringify(order)}',
  'payment-' || n, 1, ${numbers === 'sqlite' ? '0, 0, NULL, 0' : "false, now() - interval '1 day', NULL, now()"}
FROM ${numbers === 'sqlite' ? `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT n FROM c)` : `generate_series(1, ${count}) AS n`}`;

/** @type {Record<string, (platform: PaymentPlatform, settled: number) => Promise<{ pay: () => Promise<unknown>, close: () => unknown }>>} */
const contenders = {
  async plain(platform) {
    return {
      pay: () => platform.payments.create(order, { idempotencyKey: randomUUID() }),
      close: () => undefined,
    };
  },

  async sqlite(platform, settled) {
    const { default: Database } = await import('libsql');
    const folder = mkdtempSync(join(tmpdir(), 'durable-'));
    const database = new Database(join(folder, 'payments.db'));
    // Uses one log file instead of one per transaction. Every commit still reaches the disk.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(sqlitePaymentsSql('payments'));
    if (settled > 0) database.exec(rows(settled, 'sqlite'));
    const payments = createDurablePayments(platform, {
      store: sqlitePayments(database, { table: 'payments' }),
    });
    const close = () => {
      database.close();
      rmSync(folder, { recursive: true });
    };
    return { pay: () => payments.create(order, { key: randomUUID() }), close };
  },

  async postgres(platform, settled) {
    const { default: pg } = await import('pg');
    const schema = `bench_${randomUUID().replaceAll('-', '')}`;
    const pool = new pg.Pool({
      connectionString: process.env.POSTGRES_URL,
      max: 20,
      options: `-c search_path=${schema}`,
    });
    await pool.query(`CREATE SCHEMA ${schema}`);
    await pool.query(postgresPaymentsSql('payments'));
    if (settled > 0) await pool.query(rows(settled));
    await pool.query('VACUUM ANALYZE payments');
    const payments = createDurablePayments(platform, {
      store: postgresPayments(pool, { table: 'payments' }),
    });
    const close = async () => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    };
    return { pay: () => payments.create(order, { key: randomUUID() }), close };
  },
};

const [name, port, settled] = process.argv.slice(2);
const platform = new PaymentPlatform({ baseUrl: `http://127.0.0.1:${port}`, ...credentials });
const { pay, close } = await contenders[name](platform, Number(settled));

/** Keeps some payments running until `count` are done. */
async function run(inFlight, count) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await pay();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

await run(20, 2_000);
const cpu = process.cpuUsage();
const started = performance.now();
await run(20, 2_000);
const { user, system } = process.cpuUsage(cpu);
const perSecond = 2_000 / ((performance.now() - started) / 1_000);
const waits = [];
for (let turn = 0; turn < 200; turn++) {
  const before = performance.now();
  await pay();
  waits.push(performance.now() - before);
}
const wait = waits.sort((a, b) => a - b)[100];
await close();
process.send({ micros: (user + system) / 2_000, perSecond, wait }, () => process.exit());
