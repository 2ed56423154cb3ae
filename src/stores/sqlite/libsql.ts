import type { TokenStore } from '../../auth/token-store.js';
import { ConfigurationError } from '../../errors/usage.js';
import type { RateLimitStore } from '../../transport/retry/rate-limit-store.js';
import type { DedupeStore } from '../dedupe-store.js';
import { sqliteNow as now } from '../dialect.js';
import type { RunStatement } from '../sql-dedupe-store.js';
import { checkTableName, deliveriesTable, describeTable, isUnqualifiedName, quoted } from '../table-names.js';
import { isSelect, readTable, type SqliteRow, withSafeErrors } from './database.js';
import { type SqliteDedupeOptions, sqliteStore } from './dedupe.js';

/** A statement with `?` as parameters. */
interface LibsqlStatement {
  readonly sql: string;
  readonly args: never[];
}

interface LibsqlResult {
  readonly rows: readonly unknown[];
}

/** An `@libsql/client` client, for Turso. */
export interface LibsqlClient {
  /** Runs one statement. */
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  /** Runs statements in one transaction, in one round trip. */
  batch(statements: LibsqlStatement[], mode: 'write'): Promise<readonly LibsqlResult[]>;
  /** `file` for a local file. */
  readonly protocol?: string;
  /** Opens new connections. */
  reconnect?(): unknown;
}

/** The options of `libsqlTokenStore` and `libsqlRateLimitStore`. */
export interface LibsqlStoreOptions {
  /** The table's name. Default `payment_platform_shared`. */
  table?: string | undefined;
}

const sharedTable = 'payment_platform_shared';

/**
 * Remembers deliveries in libSQL, with your `@libsql/client` client, for Turso for example. Create the table
 * with `client.executeMultiple(sqliteDedupeSql())` first.
 *
 * Give the stores their own client. For a local file, set `timeout` in `createClient`, so that a write waits
 * for other processes.
 *
 * @throws ConfigurationError for anything but such a client, and for an unknown or wrong option.
 */
export function libsqlDedupe(client: LibsqlClient, options: SqliteDedupeOptions = {}): DedupeStore {
  const table = readTable('libsqlDedupe', options, deliveriesTable);
  return sqliteStore(table, runOn('libsqlDedupe', client));
}

/**
 * Creates a token store in libSQL, with your `@libsql/client` client, for Turso for example. Create the table
 * with `client.executeMultiple(libsqlSharedSql())` first. Times use the database's clock. The tokens are
 * stored unencrypted unless you wrap the store in `encryptedTokenStore`.
 *
 * @param options `table`. Default `payment_platform_shared`.
 * @throws ConfigurationError for anything but such a client, and for an unknown or wrong option.
 */
export function libsqlTokenStore(client: LibsqlClient, options: LibsqlStoreOptions = {}): TokenStore {
  const { run, table } = sharedStore('libsqlTokenStore', client, options);
  const expired = `expires_at <= ${now}`;
  return {
    get: async (key) => {
      const select = `SELECT value FROM ${table} WHERE key = ? AND NOT ${expired}`;
      const [row] = await run(select, [key]);
      return row?.value as string | undefined;
    },
    set: async (key, value, ttl) => {
      await run(
        `INSERT INTO ${table} (key, value, expires_at) VALUES (?, ?, ${now} + ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
        [key, value, Math.ceil(ttl)],
      );
      await run(`DELETE FROM ${table} WHERE ${expired}`, []);
    },
    lock: async (key, ttl) => {
      const [lock, holder] = [`${key}:lock`, globalThis.crypto.randomUUID()];
      const taken = await run(
        `INSERT INTO ${table} (key, value, expires_at) VALUES (?, ?, ${now} + ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE ${expired}
RETURNING key`,
        [lock, holder, Math.ceil(ttl)],
      );
      if (taken.length === 0) return undefined;
      return async () => run(`DELETE FROM ${table} WHERE key = ? AND value = ?`, [lock, holder]);
    },
  };
}

/**
 * Creates a rate limit store in libSQL, with your `@libsql/client` client, for Turso for example. Create the
 * table with `client.executeMultiple(libsqlSharedSql())` first. Each request takes one statement. Times use the
 * database's clock.
 *
 * @param options `table`. Default `payment_platform_shared`.
 * @throws ConfigurationError for anything but such a client, and for an unknown or wrong option.
 */
export function libsqlRateLimitStore(client: LibsqlClient, options: LibsqlStoreOptions = {}): RateLimitStore {
  const { run, table } = sharedStore('libsqlRateLimitStore', client, options);
  return {
    reserve: async (key, limit, windowMs) => {
      const [row] = await run(reserveSql(table), [key, limit, Math.ceil(windowMs)]);
      return Number(row?.wait);
    },
  };
}

/**
 * Returns the SQL that creates the table of `libsqlTokenStore` and `libsqlRateLimitStore`, for your
 * migrations. Running it again has no effect.
 *
 * @param table the same name as the `table` option
 * @throws TypeError for anything but a table name without a schema.
 */
export function libsqlSharedSql(table: string = sharedTable): string {
  checkTableName('libsqlSharedSql', table, isUnqualifiedName);
  return `CREATE TABLE IF NOT EXISTS ${quoted(table)} (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL);
`;
}

function sharedStore(store: string, client: LibsqlClient, options: LibsqlStoreOptions) {
  const table = readTable(store, options, sharedTable);
  const described = describeTable(table, sharedTable, 'libsqlSharedSql');
  return { run: withSafeErrors(runOn(store, client), described), table: quoted(table) };
}

/**
 * Runs a write as a transaction. With a local file, the client does not end a statement that found the file
 * locked, and the connection can then commit no transaction. A single statement would report success all the
 * same. The client is therefore reconnected.
 */
function runOn(store: string, client: LibsqlClient): RunStatement {
  if (typeof (client as LibsqlClient | null)?.batch !== 'function')
    throw new ConfigurationError(`${store} takes a client of @libsql/client: createClient({ url }).`);
  return async (sql, values) => {
    const statement = { sql, args: values as never[] };
    try {
      const result = isSelect(sql)
        ? await client.execute(statement)
        : (await client.batch([statement], 'write'))[0];
      return result?.rows as readonly SqliteRow[];
    } catch (error) {
      if (client.protocol === 'file' && /^SQLITE_(?:BUSY|LOCKED)/.test(String(Object(error).code)))
        await (async () => client.reconnect?.())().catch(() => {});
      throw error;
    }
  };
}

/**
 * The row stores the times of the requests in the window, and the milliseconds that the last request must
 * wait, which is 0 if it was counted. If the database's clock was set back, future times are replaced by the
 * current time, so that no request counts for longer than a window.
 */
const reserveSql = (table: string) => `
INSERT INTO ${table} (key, value, expires_at)
VALUES (?1, json_object('times', json_array(${now}), 'wait', 0), ${now} + ?3)
ON CONFLICT (key) DO UPDATE SET
  expires_at = excluded.expires_at,
  value = (
    WITH
      counted (at) AS (
        SELECT min(time.value, ${now}) FROM json_each(${table}.value, '$.times') AS time
        WHERE min(time.value, ${now}) > ${now} - ?3
      ),
      full (wait) AS (SELECT at + ?3 - ${now} FROM counted ORDER BY at DESC LIMIT 1 OFFSET ?2 - 1),
      times (at) AS (
        SELECT at FROM counted UNION ALL SELECT ${now} WHERE NOT EXISTS (SELECT * FROM full)
      )
    SELECT json_object(
      'times', json((SELECT json_group_array(at) FROM times)),
      'wait', coalesce((SELECT wait FROM full), 0)
    )
  )
RETURNING json_extract(value, '$.wait') AS wait`;
