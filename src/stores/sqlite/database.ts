/** A database of `node:sqlite`, of better-sqlite3, or one with the same methods. */
export interface SqliteDatabase {
  /** Prepares one statement with `?` as parameters. */
  prepare(text: string): { all(...values: never[]): unknown };
  /** Runs statements without parameters. */
  exec(text: string): unknown;
  /** Whether a transaction is open, as node:sqlite has it. */
  readonly isTransaction?: boolean;
  /** Whether a transaction is open, as better-sqlite3 has it. */
  readonly inTransaction?: boolean;
}

/** Whether a transaction is open on the connection. */
export const isInTransaction = ({ isTransaction, inTransaction }: SqliteDatabase): boolean =>
  isTransaction === true || inTransaction === true;
