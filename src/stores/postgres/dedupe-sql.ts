import { claiming, completion, dedupeStatements } from '../deliveries-sql.js';
import { postgresDialect } from '../dialect.js';
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

export type PostgresStatements = ReturnType<typeof statementsFor>;

/** Its value lasts until the transaction ends. */
const nameSetting = 'payment_platform.delivery';

/** A handler can still set the isolation level, because SET LOCAL does not count as a query. */
export const beginAs = (name: string) =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL ${nameSetting} = '${name}'`;

export const nameTransaction = () => `SELECT set_config('${nameSetting}', $1::text, true) AS result`;

/** Outside a transaction, the name is empty. */
const readTransactionName = (tableName: string) =>
  `SELECT current_setting('${nameSetting}', true) AS result, ${placeOf(tableName)} AS place, current_setting('transaction_isolation') AS isolation`;

/** This is a function so that bundlers can drop it. */
const isSameTransaction = () => `current_setting('${nameSetting}', true) IS NOT DISTINCT FROM $5::text`;

export function statementsFor(tableName: string) {
  const table = quoted(tableName);
  // `now()` lets the table's index find expired rows.
  const dialect = { ...postgresDialect, now: 'now()' };
  const place = `${placeOf(tableName)} AS place`;
  return {
    ...dedupeStatements(table, dialect, place),
    // Claims nothing while a transaction has a lock on the claim. A claim that waited would keep its connection, and
    // could be granted to a delivery that has ended.
    claimUnlessLocked: `WITH due AS (SELECT FROM ${table} WHERE id = $1::text ${dialect.lock})
${claiming(
  table,
  dialect,
  place,
  `EXISTS (SELECT FROM due) OR NOT EXISTS (SELECT FROM ${table} WHERE id = $1::text)`,
)}`,
    transactionName: readTransactionName(tableName),
    lockClaim: `SELECT id FROM ${table} WHERE id = $1::text AND holder = $2::text FOR UPDATE`,
    // Marks the delivery as done, but only in the transaction that the receiver began. In any other
    // transaction, the result is `ended`.
    completeInTransaction: `WITH written AS (
${completion(table, dialect, isSameTransaction())}
)
SELECT CASE
  WHEN EXISTS (SELECT FROM written) THEN 'marked' WHEN ${isSameTransaction()} THEN 'taken' ELSE 'ended'
END AS result`,
    isDone: `SELECT id FROM ${table} WHERE id = $1 AND holder = $2 AND digest = $3`,
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
