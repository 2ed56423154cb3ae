import { ConfigurationError } from '../../errors/usage.js';
import { inWords } from '../../input/issue.js';
import { type Readers, readIf, readOptions } from '../../input/options.js';
import { isRecord } from '../../input/record.js';
import type { NewRow, PaymentRow, RowChange } from '../payment-row.js';
import type { Claim, PaymentStore, RowFilter, StateCount } from '../payment-store.js';
import { type ColumnValues, defaultTable, isPlainName, quoted, rowOf } from './columns.js';
import { type SqliteStatements, sqliteStatementsFor } from './sqlite-sql.js';

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

/** Options of `sqlitePayments`. */
export interface SqlitePaymentsOptions {
  /** The table. Default `payment_platform_payments`. */
  table?: string | undefined;
}

const readers: Readers<SqlitePaymentsOptions> = {
  table: readIf(isPlainName, 'must be a plain name of a table'),
};

/**
 * Keeps payments in a file of SQLite 3.35 or newer: `new DatabaseSync(path)` of `node:sqlite`, or `new Database(path)` of better-sqlite3.
 * Create the table with `database.exec(sqlitePaymentsSql())` first. For one machine: its processes may share the file, and its clock is the store's.
 *
 * A payment in your transaction (`enqueue` with `client: database`) must be recorded without an `await` between BEGIN
 * and COMMIT but that of `enqueue`: every other step refuses to be inside of an open transaction.
 *
 * @throws ConfigurationError for anything but such a database, and for an unknown or wrong option.
 */
export function sqlitePayments(
  database: SqliteDatabase,
  options: SqlitePaymentsOptions = {},
): PaymentStore<SqliteDatabase> {
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`sqlitePayments: ${inWords(issues)}.`);
  if (!isRecord(database) || typeof database.prepare !== 'function' || typeof database.exec !== 'function')
    throw new ConfigurationError(
      'sqlitePayments takes an open database: new DatabaseSync(path) of node:sqlite, or new Database(path) of better-sqlite3.',
    );
  return new SqlitePayments(database, sqliteStatementsFor(quoted(value.table ?? defaultTable)));
}

class SqlitePayments implements PaymentStore<SqliteDatabase> {
  readonly #database: SqliteDatabase;
  readonly #sql: SqliteStatements;
  readonly #prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();

  constructor(database: SqliteDatabase, sql: SqliteStatements) {
    this.#database = database;
    this.#sql = sql;
    const [{ timeout } = { timeout: 0 }] = database.prepare('PRAGMA busy_timeout').all() as {
      timeout: number;
    }[];
    // Without one, a process that finds another writing fails at once.
    if (timeout === 0) database.exec('PRAGMA busy_timeout = 5000');
  }

  insert(row: NewRow, transaction?: SqliteDatabase): PaymentRow | undefined {
    const { key, version, state, reference, digest, payload, attempts, dueIn, deadlineIn } = row;
    const now = Date.now();
    const values = [
      key,
      version,
      state,
      reference,
      digest,
      payload,
      attempts,
      now,
      now + dueIn,
      now + deadlineIn,
    ];
    const [inserted] = this.#ask(this.#sql.insert, values, transaction);
    return inserted && rowOf({ ...inserted, now });
  }

  find(key: string, transaction?: SqliteDatabase): PaymentRow | undefined {
    return this.#rows(this.#sql.find, [key], transaction)[0];
  }

  findByPayment(paymentId: string, reference: string | undefined): PaymentRow[] {
    return this.#rows(this.#sql.findByPayment, [paymentId, reference ?? null]);
  }

  claim({ lease, limit, version, key }: Claim): PaymentRow[] {
    const now = Date.now();
    return key === undefined
      ? this.#rows(this.#sql.claim, [now + lease, now, version, limit])
      : this.#rows(this.#sql.claimKey, [now + lease, now, version, key]);
  }

  update(key: string, revision: number, change: RowChange): boolean {
    const { state, payment, paymentId, error, inDoubt, dueIn, deadlineIn } = change;
    const now = Date.now();
    const dueAt = dueIn === null ? null : now + dueIn;
    const deadline = deadlineIn === undefined ? null : now + deadlineIn;
    const values = [state, payment, paymentId, error, inDoubt ? 1 : 0, dueAt, deadline, key, revision];
    return this.#ask(this.#sql.update, values).length === 1;
  }

  erase(key: string, revision: number, reduced: string | null): boolean {
    return this.#ask(this.#sql.erase, [reduced, key, revision]).length === 1;
  }

  list({ state, olderThan = 0, after = '', limit }: RowFilter): PaymentRow[] {
    return this.#rows(this.#sql.list, [state ?? null, state ?? null, after, Date.now() - olderThan, limit]);
  }

  listErasable(age: number, limit: number): PaymentRow[] {
    return this.#rows(this.#sql.listErasable, [Date.now() - age, limit]);
  }

  counts(): StateCount[] {
    return this.#ask(this.#sql.counts, []).map(({ state, count, first }) => ({
      state: String(state) as StateCount['state'],
      count: Number(count),
      oldest: Date.now() - Number(first),
    }));
  }

  #rows(text: string, values: unknown[], transaction?: SqliteDatabase): PaymentRow[] {
    const now = Date.now();
    return this.#ask(text, values, transaction).map((row) => rowOf({ ...row, now }));
  }

  #ask(text: string, values: unknown[], transaction?: SqliteDatabase): readonly ColumnValues[] {
    if (transaction !== undefined)
      return transaction.prepare(text).all(...(values as never[])) as ColumnValues[];
    const { isTransaction, inTransaction } = this.#database;
    if (isTransaction === true || inTransaction === true)
      throw new Error(
        'A transaction is open on the database of sqlitePayments, so nothing would be kept before a payment is sent: pass `client: database` to enqueue, or give sqlitePayments a connection of its own.',
      );
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#prepared.set(text, statement);
    }
    return statement.all(...(values as never[])) as ColumnValues[];
  }
}
