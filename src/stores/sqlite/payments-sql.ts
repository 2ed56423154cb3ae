import {
  anyMerchant,
  erasableStates,
  indexesSql,
  listColumns,
  notExecutedStates,
  paymentsTable,
} from '../payment-columns.js';
import { checkTableName, indexName, isUnqualifiedName, quoted } from '../table-names.js';

/** The statements of `sqlitePayments`. */
export type SqliteStatements = ReturnType<typeof sqliteStatementsFor>;

const columns = listColumns((column) => column);

/** The rows of a merchant. */
const isOwn = `merchant IN ($1, '${anyMerchant}')`;

/**
 * Builds a table's statements. Each returns rows. A statement that changes rows returns the changed rows.
 * Times are in milliseconds.
 */
export function sqliteStatementsFor(table: string) {
  const claim = (due: string) => `UPDATE ${table}
SET state = 'sending', in_doubt = in_doubt OR state NOT IN ${notExecutedStates},
  attempts = attempts + 1, revision = revision + 1, due_at = $2
WHERE rowid IN (SELECT rowid FROM ${table} WHERE version <= $3 AND ${isOwn} AND ${due})
RETURNING ${columns}`;
  return {
    insert: `INSERT INTO ${table} (merchant, key, version, state, revision, reference, digest, payload, attempts,
  in_doubt, created_at, due_at, deadline, refresh_until)
VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, 0, $9, $10, $11, $12)
ON CONFLICT DO NOTHING
RETURNING ${columns}`,
    find: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND key = $2 ORDER BY merchant DESC LIMIT 1`,
    findByPayment: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND payment_id = $2
UNION ALL
SELECT * FROM (SELECT ${columns} FROM ${table} WHERE ${isOwn} AND reference = $3 AND payment_id IS NOT $2
ORDER BY payment_id IS NOT NULL, created_at DESC LIMIT 10)
LIMIT 20`,
    claim: claim('due_at <= $4 ORDER BY due_at LIMIT $5'),
    claimKey: claim(`key = $4 AND (due_at <= $5 OR (due_at IS NOT NULL AND state <> 'sending'))`),
    update: `UPDATE ${table} SET state = $4, payment = $5, payment_id = $6, error = $7, in_doubt = $8, due_at = $9,
  deadline = coalesce($10, deadline), revision = revision + 1
WHERE merchant = $1 AND key = $2 AND revision = $3
RETURNING key`,
    erase: `UPDATE ${table} SET payload = NULL, payment = $4, revision = revision + 1
WHERE merchant = $1 AND key = $2 AND revision = $3 AND state IN ${erasableStates}
RETURNING key`,
    list: `SELECT ${columns} FROM ${table}
WHERE ${isOwn} AND ($2 IS NULL OR state = $2) AND key > $3 AND created_at <= $4 ORDER BY key LIMIT $5`,
    listErasable: `SELECT ${columns} FROM ${table}
WHERE ${isOwn} AND due_at IS NULL AND payload IS NOT NULL AND state IN ${erasableStates} AND created_at <= $2
ORDER BY created_at LIMIT $3`,
    counts: `SELECT CASE WHEN ${isOwn} THEN state ELSE 'foreign' END AS state, count(*) AS count, min(created_at) AS first
FROM ${table} WHERE state <> 'settled' AND (${isOwn} OR due_at <= $2) GROUP BY 1`,
    adopt: `UPDATE ${table} SET merchant = $1, revision = revision + 1,
  in_doubt = in_doubt OR state = 'settled'
WHERE merchant = $2 AND NOT (state = 'sending' AND due_at > $3)
  AND NOT EXISTS (SELECT 1 FROM ${table} AS present WHERE present.merchant = $1 AND present.key = ${table}.key)
RETURNING key`,
  };
}

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
