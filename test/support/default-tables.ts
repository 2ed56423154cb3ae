import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { postgresDedupe, postgresDedupeSql } from 'payment-platform/webhooks';
import { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { sandboxForTest } from '../../sandbox/test/support.js';
import { order } from './durable.js';
import { emptyDatabase } from './postgres.js';

/** The recorded payment. */
export const key = 'order-1042';
/** The claim of the handled delivery. */
export const claim = { holder: 'a', digest: 'b' };

/** Creates both tables in a new database, with a recorded payment and a handled delivery. */
export async function defaultTables() {
  const url = await emptyDatabase();
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  await pool.query(postgresPaymentsSql() + postgresDedupeSql());
  const platform = new PaymentPlatform(sandboxForTest().clientOptions());
  const payments = createDurablePayments(platform, { store: postgresPayments(pool) });
  await payments.enqueue(order, { key });
  await postgresDedupe(pool).claim('delivery', 60_000, claim);
  return { url, pool, payments, platform };
}
