import { postgresDialect } from '../dialect.js';
import { anyMerchant, indexes, indexesSql, paymentsTable } from '../payment-columns.js';
import { paymentStatements } from '../payments-sql.js';
import { checkTableName, isTableName, quoted, schemaPaymentsTable } from '../table-names.js';
import { placeOf } from './place.js';
import { createTableSql } from './schema-sql.js';

export type PostgresPaymentStatements = ReturnType<typeof statementsFor>;

/**
 * How long an INSERT waits for a transaction that has inserted the same key, as a value of `lock_timeout`. This
 * is shorter than the time limit of a step, so that PostgreSQL itself ends the statement, and certainly inserts
 * nothing later.
 */
export const insertLockTimeout = '4000ms';

// $12 is the id of the only transaction that may insert the row, $13 the value of `lock_timeout`.
const insertIf = `FROM (SELECT CASE WHEN $13::text IS NULL THEN '' ELSE set_config('lock_timeout', $13::text, true) END AS value) AS timeout
WHERE ($12::text IS NULL OR txid_current()::text = $12::text) AND timeout.value IS NOT NULL`;

export const statementsFor = (tableName: string) => ({
  ...paymentStatements(quoted(tableName), postgresDialect, insertIf),
  /** Returns the id of the current transaction, and assigns one if it has none. */
  beginningId: `SELECT txid_current()::text AS transaction, ${placeOf(tableName)} AS place, pg_backend_pid()::text AS process`,
  /** Returns a row if the transaction or its connection has changed the search_path. */
  changedPath: "SELECT setting FROM pg_settings WHERE name = 'search_path' AND setting <> reset_val",
  presentId: 'SELECT txid_current_if_assigned()::text AS transaction',
  place: `SELECT ${placeOf(tableName)} AS place`,
});

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
