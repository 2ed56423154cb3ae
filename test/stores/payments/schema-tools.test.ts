import { readFileSync } from 'node:fs';
import { createDurablePayments, postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { paymentStoreChecks, signedNotification } from 'payment-platform/testing';
import { createReceiver, postgresDedupe, postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claim, defaultTables, key } from '../../support/default-tables.js';
import { order, rejection } from '../../support/durable.js';
import { postgresUrl } from '../../support/postgres.js';

const secret = 'whsec_0123456789abcdef';

describe.skipIf(postgresUrl === '')('the default tables in PostgreSQL (needs POSTGRES_URL)', () => {
  test('take over the former tables with their rows, and the SQL can run again', async () => {
    const { pool, payments } = await defaultTables();
    await pool.query(`ALTER TABLE payment_platform.payments RENAME TO payment_platform_payments;
ALTER TABLE payment_platform.payment_platform_payments SET SCHEMA public;
ALTER TABLE payment_platform.deliveries RENAME TO payment_platform_deliveries;
ALTER TABLE payment_platform.payment_platform_deliveries SET SCHEMA public`);
    expect((await rejection(payments.find(key))).message).toMatch(
      /^Table payment_platform\.payments does not exist\. Run the SQL of postgresPaymentsSql\(\) once\./,
    );
    for (let turn = 0; turn < 2; turn++) await pool.query(postgresPaymentsSql() + postgresDedupeSql());
    expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
    expect(await postgresDedupe(pool).claim('delivery', 60_000, { ...claim, holder: 'c' })).toBe('busy');
    const { rows } = await pool.query(
      "SELECT tablename FROM pg_tables WHERE tablename LIKE 'payment_platform%'",
    );
    expect(rows).toEqual([]);
  });

  test('are not created while the search_path hides a former table, which then moves with its rows', async () => {
    const { url, pool, payments } = await defaultTables();
    await pool.query(`CREATE SCHEMA "Shop 7";
ALTER TABLE payment_platform.payments RENAME TO payment_platform_payments;
ALTER TABLE payment_platform.payment_platform_payments SET SCHEMA "Shop 7";
ALTER TABLE payment_platform.deliveries RENAME TO payment_platform_deliveries;
ALTER TABLE payment_platform.payment_platform_deliveries SET SCHEMA "Shop 7";
DROP SCHEMA payment_platform`);
    for (const [sql, table] of [
      [postgresPaymentsSql(), 'payment_platform_payments'],
      [postgresDedupeSql(), 'payment_platform_deliveries'],
    ] as const)
      expect((await rejection(pool.query(sql))).message).toMatch(
        `The table ${table} of an older version is in schema "Shop 7", which is not in the search_path. Nothing was changed. Run SET search_path TO that schema`,
      );
    expect((await pool.query("SELECT to_regnamespace('payment_platform') AS schema")).rows).toEqual([
      { schema: null },
    ]);
    const owner = new Pool({ connectionString: url, options: '-c search_path="Shop\\ 7"' });
    onTestFinished(() => owner.end());
    await owner.query(postgresPaymentsSql() + postgresDedupeSql());
    await pool.query(postgresPaymentsSql() + postgresDedupeSql());
    expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
    expect(await postgresDedupe(pool).claim('delivery', 60_000, { ...claim, holder: 'c' })).toBe('busy');
  });

  test('serve a role that has the grants on the page about upgrades', async () => {
    const { url, pool, platform } = await defaultTables();
    const role = `shop_${Date.now()}`;
    const page = readFileSync(new URL('../../../docs/upgrades.md', import.meta.url), 'utf8');
    const [, grants = ''] = /^```sql\n(GRANT.*?)^```/ms.exec(page) ?? [];
    await pool.query(`CREATE ROLE ${role} LOGIN; ${grants.replaceAll('TO shop', `TO ${role}`)}`);
    onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const limited = new Pool({ connectionString: url.replace('postgres@', `${role}@`) });
    onTestFinished(() => limited.end());
    const store = postgresPayments(limited);
    for (const { run } of paymentStoreChecks) {
      await pool.query('TRUNCATE payment_platform.payments');
      await run(store as Parameters<typeof run>[0]);
    }
    await createDurablePayments(platform, { store }).create(order, { key: 'order-2' });
    const receiver = createReceiver({
      secret,
      dedupe: postgresDedupe(limited, { transaction: true }),
      on: { 'transaction.paid': () => undefined },
    });
    const { body, headers } = signedNotification('transaction.paid', { secret });
    expect((await receiver.receive({ body, headers })).outcome).toBe('handled');
    expect((await receiver.receive({ body, headers })).outcome).toBe('duplicate');
  });

  test('without a grant cause an error that names the grants and the table', async () => {
    const { url, pool, platform } = await defaultTables();
    const role = `shop_${Date.now()}`;
    await pool.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA payment_platform TO ${role}`);
    const limited = new Pool({ connectionString: url.replace('postgres@', `${role}@`) });
    onTestFinished(() => limited.end());
    const payments = createDurablePayments(platform, { store: postgresPayments(limited) });
    expect((await rejection(payments.create(order, { key: 'order-2' }))).message).toMatch(
      /lacks a grant\. Grant it USAGE .* on table payment_platform\.payments\. PostgreSQL: permission denied for table payments \(42501\)\./,
    );
  });
});
