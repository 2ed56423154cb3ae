import { ConfigurationError } from '../../errors/usage.js';
import type { ClaimDetails, ClaimResult, DedupeStore } from '../../webhooks/dedupe-store.js';
import { Cleaning } from '../cleaning.js';
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
  databaseTime as now,
  type RunStatement,
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
  return new SqliteDedupe(table, (text, values) =>
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
  return new SqliteDedupe(
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

/**
 * Builds a table's statements. A row has a holder and, once the delivery is done, a digest. The row with the
 * id `order:<transaction id>` stores the rank of that payment transaction's latest status.
 */
const statementsFor = (table: string) => ({
  claim: `INSERT INTO ${table} (id, holder, expires_at) VALUES (?, ?, ${now} + ?)
ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, digest = NULL, expires_at = excluded.expires_at
WHERE expires_at <= ${now} OR (holder = excluded.holder AND digest IS NULL)
RETURNING id`,
  digest: `SELECT digest FROM ${table} WHERE id = ? AND expires_at > ${now}`,
  complete: `INSERT INTO ${table} (id, holder, digest, expires_at) VALUES (?, ?, ?, ${now} + ?)
ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, digest = excluded.digest, expires_at = excluded.expires_at
WHERE expires_at <= ${now} OR holder = excluded.holder
RETURNING id`,
  release: `DELETE FROM ${table} WHERE id = ? AND holder = ? AND digest IS NULL`,
  advance: `INSERT INTO ${table} (id, "rank", expires_at) VALUES (?, ?, ${now} + ?)
ON CONFLICT (id) DO UPDATE SET "rank" = excluded."rank", expires_at = excluded.expires_at
WHERE expires_at <= ${now} OR "rank" <= excluded."rank"
RETURNING id`,
  clean: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at < ${now} LIMIT 1000)`,
});

/** Remembers deliveries in a SQLite table. */
export class SqliteDedupe implements DedupeStore {
  readonly #sql: ReturnType<typeof statementsFor>;
  readonly #ask: RunStatement;
  readonly #cleaning = new Cleaning();

  constructor(table: string, run: RunStatement) {
    this.#sql = statementsFor(quoted(table));
    this.#ask = withSafeErrors(run, describeTable(table, deliveriesTable, 'sqliteDedupeSql'));
  }

  async claim(id: string, lease: number, { holder, digest }: ClaimDetails): Promise<ClaimResult> {
    this.#cleaning.start(() => this.#ask(this.#sql.clean, []));
    if (await this.#changes(this.#sql.claim, id, holder, Math.ceil(lease))) return 'claimed';
    // If the row has expired between the two statements, the claim counts as busy, and the platform retries
    // the delivery.
    const [row] = await this.#ask(this.#sql.digest, [id]);
    if (typeof row?.digest !== 'string') return 'busy';
    return row.digest === digest ? 'done' : 'changed';
  }

  async renew(id: string, lease: number, details: ClaimDetails): Promise<boolean> {
    return (await this.claim(id, lease, details)) === 'claimed';
  }

  complete(id: string, keepFor: number, { holder, digest }: ClaimDetails): Promise<boolean> {
    return this.#changes(this.#sql.complete, id, holder, digest, Math.ceil(keepFor));
  }

  async release(id: string, { holder }: ClaimDetails): Promise<void> {
    await this.#ask(this.#sql.release, [id, holder]);
  }

  advance(id: string, rank: number, keepFor: number): Promise<boolean> {
    return this.#changes(this.#sql.advance, `order:${id}`, rank, Math.ceil(keepFor));
  }

  async #changes(text: string, ...values: unknown[]): Promise<boolean> {
    return (await this.#ask(text, values)).length === 1;
  }
}
