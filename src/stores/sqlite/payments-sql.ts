import { indexesSql, paymentsTable } from '../payment-columns.js';
import { checkTableName, indexName, isUnqualifiedName, quoted } from '../table-names.js';

/**
 * Returns the SQL that creates the table of `sqlitePayments`. Running it again has no effect.
 *
 * @param table the same name as the `table` option
 * @throws TypeError for anything but a table name without a schema.
 */
export function sqlitePaymentsSql(table: string = paymentsTable): string {
  checkTableName('sqlitePaymentsSql', table, isUnqualifiedName);
  const name = quoted(table);
  return `CREATE TABLE IF NOT EXISTS ${name} (
  merchant TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  revision INTEGER NOT NULL CHECK (revision BETWEEN 1 AND 1000000000),
  reference TEXT NOT NULL,
  digest TEXT NOT NULL,
  payload TEXT,
  payment TEXT,
  payment_id TEXT,
  error TEXT,
  attempts INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 1000000000),
  in_doubt INTEGER NOT NULL,
  created_at INTEGER NOT NULL CHECK (created_at < 9000000000000000),
  due_at INTEGER CHECK (due_at < 9000000000000000),
  deadline INTEGER NOT NULL CHECK (deadline < 9000000000000000),
  refresh_until INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS ${indexName(table, 'key')} ON ${name} (merchant, key);
${indexesSql(table)}`;
}
