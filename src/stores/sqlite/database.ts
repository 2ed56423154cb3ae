import { StoreError } from '../../errors/store.js';
import { acceptOptions, ConfigurationError } from '../../errors/usage.js';
import { redactStoreError } from '../../redact/cause.js';
import { type OptionReaders, validIf } from '../../validation/options.js';
import { isRecord } from '../../validation/record.js';
import { wait } from '../../validation/time-limit.js';
import type { RunStatement } from '../sql-dedupe-store.js';
import { isUnqualifiedName, type StoreTable } from '../table-names.js';

/** A database of `node:sqlite` or better-sqlite3, or an object with the same methods. */
export interface SqliteDatabase {
  /** Prepares one statement with `?` as parameters. */
  prepare(text: string): { all(...values: never[]): unknown };
  /** Runs statements without parameters. */
  exec(text: string): unknown;
  /** Whether a transaction is open (node:sqlite). */
  readonly isTransaction?: boolean;
  /** Whether a transaction is open (better-sqlite3). */
  readonly inTransaction?: boolean;
}

export const isInTransaction = ({ isTransaction, inTransaction }: SqliteDatabase): boolean =>
  isTransaction === true || inTransaction === true;

/** Returns the `busy_timeout`, in milliseconds. */
export function checkDatabase(store: string, database: SqliteDatabase): number {
  if (!isRecord(database) || typeof database.prepare !== 'function' || typeof database.exec !== 'function')
    throw new ConfigurationError(
      `${store} takes an open database: new DatabaseSync(path) of node:sqlite, or new Database(path) of better-sqlite3.`,
    );
  // Before Node 22.16, node:sqlite does not report open transactions. A step could then be rolled back
  // together with a merchant's transaction.
  if (typeof (database.isTransaction ?? database.inTransaction) !== 'boolean')
    throw new ConfigurationError(
      `${store} needs a database that says whether a transaction is open: node:sqlite of Node 22.16 or newer, or better-sqlite3.`,
    );
  const [{ timeout } = { timeout: 0 }] = database.prepare('PRAGMA busy_timeout').all() as {
    timeout: number | bigint;
  }[];
  // With safe integers, better-sqlite3 returns a bigint.
  if (timeout > 0) return Number(timeout);
  // Without a busy_timeout, a step would fail at once while another process writes.
  database.exec(`PRAGMA busy_timeout = ${defaultPatienceMs}`);
  return defaultPatienceMs;
}

const defaultPatienceMs = 5_000;

/**
 * Returns a function that runs a statement on a connection without an open transaction. A write gets its own
 * transaction, because `libsql` does not end a statement that found the database locked, and then commits no
 * later write of the connection. BEGIN IMMEDIATE finds the lock first.
 */
export function runAlone(
  database: SqliteDatabase,
): (text: string, values: readonly unknown[]) => readonly SqliteRow[] {
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return (text, values) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    const run = () => statement.all(...(values as never[])) as SqliteRow[];
    if (isSelect(text)) return run();
    database.exec('BEGIN IMMEDIATE');
    try {
      const rows = run();
      database.exec('COMMIT');
      return rows;
    } catch (error) {
      if (isInTransaction(database)) database.exec('ROLLBACK');
      throw error;
    }
  };
}

/** No other code runs between the check and the step. */
export async function runWhenFree<Result>(
  database: SqliteDatabase,
  patience: number,
  message: string,
  step: () => Result,
): Promise<Result> {
  const end = performance.now() + patience;
  while (isInTransaction(database)) {
    if (performance.now() > end) throw new StoreError(message);
    await wait(1);
  }
  return step();
}

interface TableOption {
  readonly table?: string | undefined;
}

const optionReaders: OptionReaders<TableOption> = {
  table: validIf(
    isUnqualifiedName,
    'must be a plain name of at most 52 characters, and not one that the SQL uses',
  ),
};

export const readTable = (store: string, options: TableOption, defaultTable: string): string =>
  acceptOptions(store, options, optionReaders).table ?? defaultTable;

export type SqliteRow = Readonly<Record<string, unknown>>;

export const isSelect = (text: string): boolean => text.startsWith('SELECT');

/** Empty for a database in memory. */
export function findFile(database: SqliteDatabase): string {
  const files = database.prepare('PRAGMA database_list').all() as { name: string; file: string | null }[];
  return files.find(({ name }) => name === 'main')?.file ?? '';
}

export function explainSqliteError(error: unknown, { name, sql }: StoreTable): unknown {
  const message = String(Object(error).message);
  if (/no such table/.test(message))
    return new StoreError(`Table ${name} does not exist. Run the SQL of ${sql} once.`);
  if (/no such column|has no column named|ON CONFLICT clause does not match/.test(message))
    return new StoreError(
      `Table ${name} is of another version (${message}). See "Upgrade the tables" in docs/upgrades.md.`,
    );
  return error;
}

export const withSafeErrors =
  (run: RunStatement, table: StoreTable): RunStatement =>
  async (text, values) => {
    try {
      return await run(text, values);
    } catch (error) {
      throw redactStoreError(explainSqliteError(error, table));
    }
  };
