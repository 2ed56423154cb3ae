import {
  anyMerchant,
  erasableStates,
  indexes,
  indexesSql,
  listColumns,
  notExecutedStates,
  paymentsTable,
} from '../payment-columns.js';
import { checkTableName, isTableName, quoted, schemaPaymentsTable } from '../table-names.js';
import { placeOf } from './place.js';
import { createTableSql } from './schema-sql.js';

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

/** The rows of a merchant. */
const isOwn = `merchant IN ($1::text, '${anyMerchant}')`;

/**
 * Milliseconds that an INSERT waits for a transaction that has inserted the same key. This is shorter than the
 * time limit of a step, so that PostgreSQL itself ends the statement, and certainly inserts nothing later.
 */
const insertTimeoutMs = 4_000;

/**
 * Builds a table's statements. Each returns rows. A statement that changes rows returns the changed rows.
 * Every parameter has a type, so that no driver guesses it.
 */
export function statementsFor(tableName: string) {
  const table = quoted(tableName);
  const claim = (due: string) => `WITH due AS (
  SELECT merchant AS due_merchant, key AS due_key FROM ${table}
  WHERE version <= $3::integer AND ${isOwn} AND ${due} FOR UPDATE SKIP LOCKED
)
UPDATE ${table} SET state = 'sending', in_doubt = in_doubt OR state NOT IN ${notExecutedStates},
  attempts = attempts + 1, revision = revision + 1, due_at = ${later('$2')}
FROM due WHERE key = due_key AND merchant = due_merchant
RETURNING ${columns}`;
  return {
    /** Returns the id of the current transaction, and assigns one if it has none. */
    beginningId: `SELECT txid_current()::text AS transaction, ${placeOf(tableName)} AS place, pg_backend_pid()::text AS process`,
    /** Returns a row if the transaction or its connection has changed the search_path. */
    changedPath: "SELECT setting FROM pg_settings WHERE name = 'search_path' AND setting <> reset_val",
    presentId: 'SELECT txid_current_if_assigned()::text AS transaction',
    place: `SELECT ${placeOf(tableName)} AS place`,
    insert: `INSERT INTO ${table} (merchant, key, version, state, revision, reference, digest, payload, attempts,
  in_doubt, created_at, due_at, deadline, refresh_until)
SELECT $1::text, $2::text, $3::integer, $4::text, 1, $5::text, $6::text, $7::text, $8::integer,
  false, ${now}, ${later('$9')}, ${later('$10')}, ${later('$11')}
FROM (SELECT CASE WHEN $13::text IS NULL THEN '' ELSE set_config('lock_timeout', $13::text, true) END AS value) AS timeout
WHERE ($12::text IS NULL OR txid_current()::text = $12::text) AND timeout.value IS NOT NULL
  AND NOT EXISTS (SELECT FROM ${table} WHERE merchant = '${anyMerchant}' AND key = $2::text)
ON CONFLICT (merchant, key) DO NOTHING
RETURNING ${columns}`,
    find: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND key = $2::text ORDER BY merchant DESC LIMIT 1`,
    // Consists of two queries, so that each of them uses an index.
    findByPayment: `SELECT ${columns} FROM ${table} WHERE ${isOwn} AND payment_id = $2::text
UNION ALL
(SELECT ${columns} FROM ${table} WHERE ${isOwn} AND reference = $3::text AND payment_id IS DISTINCT FROM $2::text
ORDER BY payment_id IS NOT NULL, ${table}.created_at DESC LIMIT 10)
LIMIT 20`,
    claim: claim(`due_at <= ${now} ORDER BY due_at LIMIT $4::integer`),
    claimKey: claim(`key = $4::text AND (due_at <= ${now} OR (due_at IS NOT NULL AND state <> 'sending'))`),
    update: `UPDATE ${table} SET state = $4::text, payment = $5::text, payment_id = $6::text, error = $7::text,
  in_doubt = $8::boolean, due_at = ${later('$9')}, deadline = coalesce(${later('$10')}, deadline), revision = revision + 1
WHERE merchant = $1::text AND key = $2::text AND revision = $3::integer
RETURNING key`,
    erase: `UPDATE ${table} SET payload = NULL, payment = $4::text, revision = revision + 1
WHERE merchant = $1::text AND key = $2::text AND revision = $3::integer AND state IN ${erasableStates}
RETURNING key`,
    list: `SELECT ${columns} FROM ${table}
WHERE ${isOwn} AND ($2::text IS NULL OR state = $2::text) AND key > $4::text
  AND created_at <= ${now} - $3::double precision * interval '1 millisecond'
ORDER BY key LIMIT $5::integer`,
    listErasable: `SELECT ${columns} FROM ${table}
WHERE ${isOwn} AND due_at IS NULL AND payload IS NOT NULL AND state IN ${erasableStates}
  AND created_at <= ${now} - $2::double precision * interval '1 millisecond'
ORDER BY ${table}.created_at LIMIT $3::integer`,
    counts: `SELECT CASE WHEN ${isOwn} THEN state ELSE 'foreign' END AS state, count(*)::integer AS count,
  ${milliseconds(`(${now} - min(created_at))`)} AS oldest
FROM ${table} WHERE state <> 'settled' AND (${isOwn} OR due_at <= ${now}) GROUP BY 1`,
    adopt: `UPDATE ${table} AS former SET merchant = $1::text, revision = revision + 1,
  in_doubt = in_doubt OR state = 'settled'
WHERE merchant = $2::text AND NOT (state = 'sending' AND due_at > ${now})
  AND NOT EXISTS (SELECT FROM ${table} AS present WHERE present.merchant = $1::text AND present.key = former.key)
RETURNING key`,
  };
}

/** The value of `lock_timeout` for an INSERT. In the caller's transaction, the caller's value stays. */
export const insertLockTimeout = (isAlone: boolean): string | null =>
  isAlone ? `${insertTimeoutMs}ms` : null;

/**
 * Returns the SQL that creates the table of `postgresPayments` and its schema, for your migrations. It also
 * brings a table of an older version up to date, without losing a row. Running it again has no effect. JSON is
 * stored as `text`: `jsonb` would change digits, and rejects some characters.
 *
 * @param table the same name as the `table` option
 * @throws TypeError if the name is not a valid `table` or `schema.table`.
 */
export function postgresPaymentsSql(table: string = schemaPaymentsTable): string {
  checkTableName('postgresPaymentsSql', table, isTableName);
  const name = quoted(table);
  const sql = createTableSql({
    table,
    version: 2,
    formerTable: table === schemaPaymentsTable ? paymentsTable : undefined,
    indexes: ['pkey', ...indexes.map(([index]) => index)],
    columns: `    merchant text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
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
    deadline timestamptz NOT NULL,
    refresh_until timestamptz,
    PRIMARY KEY (merchant, key)`,
    upgrade: `    ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS merchant text COLLATE "C" NOT NULL DEFAULT '${anyMerchant}';
    ALTER TABLE ${name} ALTER COLUMN merchant DROP DEFAULT;
    ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS refresh_until timestamptz;
    IF (SELECT cardinality(conkey) = 1 FROM pg_constraint WHERE conrelid = '${name}'::regclass AND contype = 'p') THEN
      EXECUTE (SELECT format('ALTER TABLE ${name} DROP CONSTRAINT %I', conname)
        FROM pg_constraint WHERE conrelid = '${name}'::regclass AND contype = 'p');
      ALTER TABLE ${name} ADD PRIMARY KEY (merchant, key);
    END IF;
`,
  });
  return sql + indexesSql(table);
}
