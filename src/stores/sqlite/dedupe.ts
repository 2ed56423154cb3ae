import { ConfigurationError } from '../../errors/usage.js';
import type { DedupeStore } from '../dedupe-store.js';
import { dedupeStatements } from '../deliveries-sql.js';
import { sqliteDialect } from '../dialect.js';
import { withQuestionMarks } from '../question-marks.js';
import { type RunStatement, SqlDedupe } from '../sql-dedupe-store.js';
import {
  checkTableName,
  deliveriesTable,
  describeTable,
  indexName,
  isUnqualifiedName,
  quoted,
} from '../table-names.js';
import {
  checkDatabase,
  readTable,
  runAlone,
  runWhenFree,
  type SqliteDatabase,
  type SqliteRow,
  withSafeErrors,
} from './database.js';

/** A Cloudflare D1 database, as in a Worker's `env`. */
export interface D1Database {
  /** Prepares one statement with `?` as parameters. */
  prepare(text: string): {
    bind(...values: unknown[]): { all(): Promise<{ readonly results: readonly unknown[] }> };
  };
}

/** Options of the SQLite stores. */
export interface SqliteDedupeOptions {
  /** The table's name. Default `payment_platform_deliveries`. */
  table?: string | undefined;
}

/**
 * Remembers deliveries in a SQLite file (3.35 or newer), with `node:sqlite` or better-sqlite3. All processes
 * that share the file must run on one machine. Create the table with `database.exec(sqliteDedupeSql())`
 * first.
 *
 * Give the store its own connection. While a transaction is open on that connection, the store waits, at most
 * for `busy_timeout`.
 *
 * @throws ConfigurationError for anything but such a database, and for an unknown or wrong option.
 */
export function sqliteDedupe(database: SqliteDatabase, options: SqliteDedupeOptions = {}): DedupeStore {
  const table = readTable('sqliteDedupe', options, deliveriesTable);
  const patience = checkDatabase('sqliteDedupe', database);
  const run = runAlone(database);
  return sqliteStore(table, (text, values) =>
    runWhenFree(database, patience, openTransaction, () => run(text, values)),
  );
}

/**
 * Remembers deliveries in Cloudflare D1: `d1Dedupe(env.DB)`. Create the table first, in a migration with the
 * SQL of `sqliteDedupeSql()`, or with `env.DB.exec(sqliteDedupeSql())`.
 *
 * @throws ConfigurationError for anything but such a database, and for an unknown or wrong option.
 */
export function d1Dedupe(database: D1Database, options: SqliteDedupeOptions = {}): DedupeStore {
  const table = readTable('d1Dedupe', options, deliveriesTable);
  if (typeof (database as D1Database | null)?.prepare !== 'function')
    throw new ConfigurationError('d1Dedupe takes a D1 database, such as env.DB.');
  return sqliteStore(
    table,
    async (text, values) =>
      (
        await database
          .prepare(text)
          .bind(...values)
          .all()
      ).results as SqliteRow[],
  );
}

/**
 * Returns the SQL that creates the table of `sqliteDedupe`, `d1Dedupe` and `libsqlDedupe`, for your
 * migrations. Running it again has no effect.
 *
 * @param table the same name as the `table` option
 * @throws TypeError for anything but a table name without a schema.
 */
export function sqliteDedupeSql(table: string = deliveriesTable): string {
  checkTableName('sqliteDedupeSql', table, isUnqualifiedName);
  // D1's `exec` takes one statement per line.
  return `CREATE TABLE IF NOT EXISTS ${quoted(table)} (id TEXT PRIMARY KEY, holder TEXT, digest TEXT, "rank" INTEGER, expires_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS ${indexName(table, 'expires_at')} ON ${quoted(table)} (expires_at);
`;
}

const openTransaction = 'A transaction is open on the database of sqliteDedupe. Give it its own connection.';

export function sqliteStore(table: string, run: RunStatement): DedupeStore {
  const safe = withSafeErrors(run, describeTable(table, deliveriesTable, 'sqliteDedupeSql'));
  return new SqlDedupe(dedupeStatements(quoted(table), sqliteDialect, 'id'), (text, values) =>
    safe(...withQuestionMarks(text, values)),
  );
}
