import { defaultTable, erasableStates, indexesSql, listColumns } from '../payment-columns.js';
import { checkTableName, isTableName, quoted } from '../table-names.js';

/** The statements of `postgresPayments`. */
export type PaymentStatements = ReturnType<typeof statementsFor>;

/** The SQL for the current time. Unlike `now()`, it advances within a transaction. */
const now = 'clock_timestamp()';

/**
 * Returns the SQL for a time in the future. The SQL parameter contains the milliseconds from now; null
 * returns null.
 */
const later = (parameter: string) => `${now} + ${parameter}::double precision * interval '1 millisecond'`;

const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::double precision`;

const columns = `${listColumns(milliseconds)}, ${milliseconds(now)} AS now`;

/**
 * Builds a table's statements. Each returns rows. A statement that changes rows returns the changed rows.
 * Every parameter has a type, so that no driver guesses it.
 */
export function statementsFor(tableName: string) {
  const table = quoted(tableName);
  const claim = (due: string) => `WITH due AS (
  SELECT key AS due_key FROM ${table} WHERE version <= $2::integer AND ${due} FOR UPDATE SKIP LOCKED
)
UPDATE ${table} SET state = 'sending', in_doubt = in_doubt OR state <> 'recorded', attempts = attempts + 1,
  revision = revision + 1, due_at = ${later('$1')}
FROM due WHERE key = due_key
RETURNING ${columns}`;
  return {
    /** Returns the id of the current transaction, and assigns one if it has none. */
    beginningId: 'SELECT txid_current()::text AS transaction',
    presentId: 'SELECT txid_current_if_assigned()::text AS transaction',
    insert: `INSERT INTO ${table}
  (key, version, state, revision, reference, digest, payload, attempts, in_doubt, created_at, due_at, deadline)
SELECT $1::text, $2::integer, $3::text, 1, $4::text, $5::text, $6::text, $7::integer, false, ${now}, ${later('$8')}, ${later('$9')}
WHERE $10::text IS NULL OR txid_current()::text = $10::text
ON CONFLICT (key) DO NOTHING
RETURNING ${columns}`,
    find: `SELECT ${columns} FROM ${table} WHERE key = $1::text`,
    // Consists of two queries, so that each of them uses an index.
    findByPayment: `SELECT ${columns} FROM ${table} WHERE payment_id = $1::text
UNION ALL
SELECT ${columns} FROM ${table} WHERE key = $2::text AND payment_id IS DISTINCT FROM $1::text
LIMIT 10`,
    claim: claim(`due_at <= ${now} ORDER BY due_at LIMIT $3::integer`),
    claimKey: claim(`key = $3::text AND (due_at <= ${now} OR (due_at IS NOT NULL AND state <> 'sending'))`),
    update: `UPDATE ${table} SET state = $3::text, payment = $4::text, payment_id = $5::text, error = $6::text,
  in_doubt = $7::boolean, due_at = ${later('$8')}, deadline = coalesce(${later('$9')}, deadline), revision = revision + 1
WHERE key = $1::text AND revision = $2::integer
RETURNING key`,
    erase: `UPDATE ${table} SET payload = NULL, payment = $3::text, revision = revision + 1
WHERE key = $1::text AND revision = $2::integer AND state IN ${erasableStates}
RETURNING key`,
    list: `SELECT ${columns} FROM ${table}
WHERE ($1::text IS NULL OR state = $1::text) AND key > $3::text
  AND created_at <= ${now} - $2::double precision * interval '1 millisecond'
ORDER BY key LIMIT $4::integer`,
    listErasable: `SELECT ${columns} FROM ${table}
WHERE due_at IS NULL AND payload IS NOT NULL AND state IN ${erasableStates}
  AND created_at <= ${now} - $1::double precision * interval '1 millisecond'
ORDER BY ${table}.created_at LIMIT $2::integer`,
    counts: `SELECT state, count(*)::integer AS count, ${milliseconds(`(${now} - min(created_at))`)} AS oldest
FROM ${table} WHERE state <> 'settled' GROUP BY state`,
  };
}

/**
 * Returns the SQL that creates the table of `postgresPayments`, for your migrations. Running it again has no
 * effect. JSON is stored as `text`: `jsonb` would change digits, and rejects some characters.
 *
 * @param table the same name as the `table` option
 * @throws TypeError if the name is not a valid `table` or `schema.table`.
 */
export function postgresPaymentsSql(table: string = defaultTable): string {
  checkTableName('postgresPaymentsSql', table, isTableName);
  const name = quoted(table);
  return `SELECT pg_advisory_xact_lock(hashtext('payment-platform')); -- two at once would disturb each other
CREATE TABLE IF NOT EXISTS ${name} (
  key text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  state text NOT NULL,
  revision integer NOT NULL CHECK (revision BETWEEN 1 AND 1000000000),
  reference text NOT NULL,
  digest text NOT NULL,
  payload text,
  payment text,
  payment_id text,
  error text,
  attempts integer NOT NULL CHECK (attempts BETWEEN 0 AND 1000000000),
  in_doubt boolean NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  deadline timestamptz NOT NULL
);
${indexesSql(table)}`;
}
