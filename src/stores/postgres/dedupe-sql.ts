import {
  checkTableName,
  deliveriesTable,
  indexName,
  isTableName,
  quoted,
  schemaDeliveriesTable,
} from '../table-names.js';
import { placeOf } from './place.js';
import { createTableSql } from './schema-sql.js';

/** The statements of `postgresDedupe`. */
export type PostgresStatements = ReturnType<typeof statementsFor>;

/** Returns the SQL for a time in the future. The SQL parameter contains the milliseconds from now. */
const later = (parameter: string) => `now() + ${parameter} * interval '1 millisecond'`;

/**
 * The PostgreSQL setting that contains the name of the transaction. Its value lasts until the transaction
 * ends.
 */
const nameSetting = 'payment_platform.delivery';

/**
 * Begins a transaction and names it. A handler can still set the isolation level, because SET LOCAL does not
 * count as a query.
 */
export const beginAs = (name: string) =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL ${nameSetting} = '${name}'`;

/** Names an open transaction. */
export const nameTransaction = () => `SELECT set_config('${nameSetting}', $1::text, true) AS result`;

/**
 * Reads the name of the open transaction, and the place of the store's table there. Outside a transaction, the
 * name is empty.
 */
const readTransactionName = (tableName: string) =>
  `SELECT current_setting('${nameSetting}', true) AS result, ${placeOf(tableName)} AS place`;

/** Checks that the transaction has the given name. This is a function so that bundlers can drop it. */
const isSameTransaction = () => `current_setting('${nameSetting}', true) IS NOT DISTINCT FROM $5::text`;

/**
 * Builds a table's statements. A row has a holder and, once the delivery is done, a digest. The row with the
 * id `order:<transaction id>` stores the rank of that payment transaction's latest status. Every statement
 * except `release` and `clean` returns one row with its `result`.
 */
export function statementsFor(tableName: string) {
  const table = quoted(tableName);
  const written = (row: string) => `WITH written AS (
  INSERT INTO ${table} AS row (id, holder, digest, expires_at)
  ${row}
  ON CONFLICT (id) DO UPDATE
  SET holder = excluded.holder, digest = excluded.digest, expires_at = excluded.expires_at
  WHERE row.holder = excluded.holder OR row.expires_at <= now()
  RETURNING id
)`;
  return {
    /** Reads the name of the open transaction, and the table's place there. */
    transactionName: readTransactionName(tableName),
    // Returns the claimed row, or the state of the row that blocked the claim. All parts of the statement see
    // the table as it was when the statement began. A blocking row that the SELECT cannot see was written in
    // the meantime, so the result is `busy`.
    claim: `WITH taken AS (
  INSERT INTO ${table} AS row (id, holder, expires_at) VALUES ($1, $2, ${later('$4::double precision')})
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, digest = NULL, expires_at = excluded.expires_at
  WHERE row.expires_at <= now() OR (row.holder = excluded.holder AND row.digest IS NULL)
  RETURNING 'claimed'::text AS result
)
SELECT coalesce(
  (SELECT result FROM taken),
  (SELECT CASE WHEN digest IS NULL THEN 'busy' WHEN digest = $3 THEN 'done' ELSE 'changed' END
   FROM ${table} WHERE id = $1 AND expires_at > now()),
  'busy'
) AS result, ${placeOf(tableName)} AS place`,
    complete: `${written(`VALUES ($1, $2, $3, ${later('$4::double precision')})`)}
SELECT EXISTS (SELECT FROM written) AS result`,
    // Marks the delivery as done, but only in the transaction that the receiver began. In any other
    // transaction, the result is `ended`.
    completeInTransaction: `${written(`SELECT $1::text, $2::text, $3::text, ${later('$4::double precision')} WHERE ${isSameTransaction()}`)}
SELECT CASE
  WHEN EXISTS (SELECT FROM written) THEN 'marked' WHEN ${isSameTransaction()} THEN 'taken' ELSE 'ended'
END AS result`,
    isDone: `SELECT EXISTS (SELECT FROM ${table} WHERE id = $1 AND holder = $2 AND digest = $3) AS result`,
    release: `DELETE FROM ${table} WHERE id = $1 AND holder = $2 AND digest IS NULL`,
    advance: `WITH moved AS (
  INSERT INTO ${table} AS row (id, rank, expires_at) VALUES ($1::text, $2::integer, ${later('$3::double precision')})
  ON CONFLICT (id) DO UPDATE SET rank = excluded.rank, expires_at = excluded.expires_at
  WHERE row.rank <= excluded.rank OR row.expires_at <= now()
  RETURNING id
)
SELECT EXISTS (SELECT FROM moved) AS result`,
    clean: `DELETE FROM ${table} WHERE id IN (
  SELECT id FROM ${table} WHERE expires_at < now() LIMIT 1000 FOR UPDATE SKIP LOCKED
)`,
  };
}

/**
 * Returns the SQL that creates the table of `postgresDedupe` and its schema, for your migrations. It also moves
 * the default table of versions before 1.0.0. Running it again has no effect.
 *
 * @param table the same name as the `table` option
 * @throws TypeError if the name is not a valid `table` or `schema.table`.
 */
export function postgresDedupeSql(table: string = schemaDeliveriesTable): string {
  checkTableName('postgresDedupeSql', table, isTableName);
  const sql = createTableSql({
    table,
    version: 1,
    formerTable: table === schemaDeliveriesTable ? deliveriesTable : undefined,
    indexes: ['pkey', 'expires_at'],
    columns: `    id text PRIMARY KEY,
    holder text,
    digest text,
    rank integer,
    expires_at timestamptz NOT NULL`,
    upgrade: '',
  });
  return `${sql}CREATE INDEX IF NOT EXISTS ${indexName(table, 'expires_at')} ON ${quoted(table)} (expires_at);
`;
}
