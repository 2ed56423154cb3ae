import { defaultTable, erasableStates, indexesSql, listColumns } from '../payment-columns.js';
import { checkTableName, isUnqualifiedName, quoted } from '../table-names.js';

/** The statements of `sqlitePayments`. */
export type SqliteStatements = ReturnType<typeof sqliteStatementsFor>;

const columns = listColumns((column) => column);

/**
 * Builds a table's statements. Each returns rows. A statement that changes rows returns the changed rows.
 * Times are in milliseconds.
 */
export function sqliteStatementsFor(table: string) {
  const claim = (
    due: string,
  ) => `UPDATE ${table} SET state = 'sending', in_doubt = in_doubt OR state <> 'recorded',
  attempts = attempts + 1, revision = revision + 1, due_at = ?
WHERE key IN (SELECT key FROM ${table} WHERE ${due})
RETURNING ${columns}`;
  return {
    insert: `INSERT INTO ${table}
  (key, version, state, revision, reference, digest, payload, attempts, in_doubt, created_at, due_at, deadline)
VALUES (?, ?, ?, 1, ?, ?, ?, ?, 0, ?, ?, ?)
ON CONFLICT (key) DO NOTHING
RETURNING ${columns}`,
    find: `SELECT ${columns} FROM ${table} WHERE key = ?`,
    findByPayment: `SELECT ${columns} FROM ${table} WHERE payment_id = ?
UNION ALL
SELECT ${columns} FROM ${table} WHERE key = ? AND payment_id IS NOT ?
LIMIT 10`,
    claim: claim('version <= ? AND due_at <= ? ORDER BY due_at LIMIT ?'),
    claimKey: claim(
      `version <= ? AND key = ? AND (due_at <= ? OR (due_at IS NOT NULL AND state <> 'sending'))`,
    ),
    update: `UPDATE ${table} SET state = ?, payment = ?, payment_id = ?, error = ?, in_doubt = ?, due_at = ?,
  deadline = coalesce(?, deadline), revision = revision + 1
WHERE key = ? AND revision = ?
RETURNING key`,
    erase: `UPDATE ${table} SET payload = NULL, payment = ?, revision = revision + 1
WHERE key = ? AND revision = ? AND state IN ${erasableStates}
RETURNING key`,
    list: `SELECT ${columns} FROM ${table} WHERE (? IS NULL OR state = ?) AND key > ? AND created_at <= ? ORDER BY key LIMIT ?`,
    listErasable: `SELECT ${columns} FROM ${table}
WHERE due_at IS NULL AND payload IS NOT NULL AND state IN ${erasableStates} AND created_at <= ?
ORDER BY created_at LIMIT ?`,
    counts: `SELECT state, count(*) AS count, min(created_at) AS first FROM ${table} WHERE state <> 'settled' GROUP BY state`,
  };
}

/**
 * Returns the SQL that creates the table of `sqlitePayments`. Running it again has no effect.
 *
 * @param table the same name as the `table` option
 * @throws TypeError for anything but a table name without a schema.
 */
export function sqlitePaymentsSql(table: string = defaultTable): string {
  checkTableName('sqlitePaymentsSql', table, isUnqualifiedName);
  const name = quoted(table);
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key TEXT PRIMARY KEY,
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
  deadline INTEGER NOT NULL CHECK (deadline < 9000000000000000)
);
${indexesSql(table)}`;
}
