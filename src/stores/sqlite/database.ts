import { ConfigurationError } from '../../errors/usage.js';
import { StoreError } from '../../redact/cause.js';
import { isRecord } from '../../validation/record.js';
import { wait } from '../../validation/time-limit.js';

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

/** Checks whether a transaction is open on the connection. */
export const isInTransaction = ({ isTransaction, inTransaction }: SqliteDatabase): boolean =>
  isTransaction === true || inTransaction === true;

/**
 * Checks a store's database. Returns its `busy_timeout`: the milliseconds that a step waits for other
 * transactions.
 *
 * @param store the name of the store's function, for messages
 * @throws ConfigurationError
 */
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
 * Waits until no transaction is open on the connection.
 *
 * @throws StoreError with the given message if a transaction is still open after `patience` milliseconds
 */
export async function transactionEnded(
  database: SqliteDatabase,
  patience: number,
  message: string,
): Promise<void> {
  const end = performance.now() + patience;
  while (isInTransaction(database)) {
    if (performance.now() > end) throw new StoreError(message);
    await wait(1);
  }
}
