import type { NewRow, PaymentRow, RowChange } from '../../durable/payment-row.js';
import type { Claim, PaymentStore, RowFilter, StateCount } from '../../durable/payment-store.js';
import { ValidationError } from '../../errors/usage.js';
import { StoreError } from '../../redact/cause.js';
import { type ColumnValues, defaultTable, toRow } from '../payment-columns.js';
import { quoted } from '../table-names.js';
import {
  checkDatabase,
  isInTransaction,
  readTable,
  runAlone,
  runWhenFree,
  type SqliteDatabase,
} from './database.js';
import { type SqliteStatements, sqliteStatementsFor } from './payments-sql.js';

/** Options of `sqlitePayments`. */
export interface SqlitePaymentsOptions {
  /** The table's name. Default `payment_platform_payments`. */
  table?: string | undefined;
}

/**
 * Stores payments in a SQLite file (3.35 or newer): `new DatabaseSync(path)` of `node:sqlite`, or
 * `new Database(path)` of better-sqlite3. Create the table with `database.exec(sqlitePaymentsSql())` first.
 * All processes that share the file must run on one machine, and the store uses the machine's clock.
 *
 * To record a payment in your transaction, call `enqueue` with `client: database`, and `await` nothing else
 * between BEGIN and COMMIT. Every other step waits for the end of an open transaction, at most for
 * `busy_timeout`. It then fails instead of running inside that transaction.
 *
 * @throws ConfigurationError for anything but such a database, and for an unknown or wrong option.
 */
export function sqlitePayments(
  database: SqliteDatabase,
  options: SqlitePaymentsOptions = {},
): PaymentStore<SqliteDatabase> {
  const table = readTable('sqlitePayments', options, defaultTable);
  const patience = checkDatabase('sqlitePayments', database);
  return new SqlitePayments(database, table, patience);
}

/** Returns the values for a statement's parameters, given the time at which the statement runs. */
type BindValues = (now: number) => unknown[];

class SqlitePayments implements PaymentStore<SqliteDatabase> {
  readonly #database: SqliteDatabase;
  readonly #table: string;
  readonly #sql: SqliteStatements;
  readonly #run: ReturnType<typeof runAlone>;
  readonly #patience: number;

  constructor(database: SqliteDatabase, table: string, patience: number) {
    this.#database = database;
    this.#table = table;
    this.#sql = sqliteStatementsFor(quoted(table));
    this.#patience = patience;
    this.#run = runAlone(database);
  }

  async insert(row: NewRow, transaction?: SqliteDatabase): Promise<PaymentRow | undefined> {
    const { key, version, state, reference, digest, payload, attempts, dueIn, deadlineIn } = row;
    const value = [key, version, state, reference, digest, payload, attempts];
    const values: BindValues = (now) => [...value, now, now + dueIn, now + deadlineIn];
    return (await this.#rows(this.#sql.insert, values, transaction))[0];
  }

  async find(key: string, transaction?: SqliteDatabase): Promise<PaymentRow | undefined> {
    return (await this.#rows(this.#sql.find, () => [key], transaction))[0];
  }

  findByPayment(
    paymentId: string,
    reference: string | undefined,
    transaction?: SqliteDatabase,
  ): Promise<PaymentRow[]> {
    return this.#rows(this.#sql.findByPayment, () => [paymentId, reference ?? null, paymentId], transaction);
  }

  claim({ lease, limit, version, key }: Claim): Promise<PaymentRow[]> {
    return key === undefined
      ? this.#rows(this.#sql.claim, (now) => [now + lease, version, now, limit])
      : this.#rows(this.#sql.claimKey, (now) => [now + lease, version, key, now]);
  }

  async update(
    key: string,
    revision: number,
    change: RowChange,
    transaction?: SqliteDatabase,
  ): Promise<boolean> {
    const { state, payment, paymentId, error, inDoubt, dueIn, deadlineIn } = change;
    const value = [state, payment, paymentId, error, inDoubt ? 1 : 0];
    const values: BindValues = (now) => [
      ...value,
      dueIn === null ? null : now + dueIn,
      deadlineIn === undefined ? null : now + deadlineIn,
      key,
      revision,
    ];
    return (await this.#ask(this.#sql.update, values, transaction)).rows.length === 1;
  }

  async erase(key: string, revision: number, reduced: string | null): Promise<boolean> {
    return (await this.#ask(this.#sql.erase, () => [reduced, key, revision])).rows.length === 1;
  }

  list({ state, olderThan = 0, after = '', limit }: RowFilter): Promise<PaymentRow[]> {
    const value = state ?? null;
    return this.#rows(this.#sql.list, (now) => [value, value, after, now - olderThan, limit]);
  }

  listErasable(age: number, limit: number): Promise<PaymentRow[]> {
    return this.#rows(this.#sql.listErasable, (now) => [now - age, limit]);
  }

  async counts(): Promise<StateCount[]> {
    const { rows, now } = await this.#ask(this.#sql.counts, () => []);
    return rows.map(({ state, count, first }) => ({
      state: String(state) as StateCount['state'],
      count: Number(count),
      oldest: now - Number(first),
    }));
  }

  async #rows(text: string, values: BindValues, transaction?: SqliteDatabase): Promise<PaymentRow[]> {
    const { rows, now } = await this.#ask(text, values, transaction);
    return rows.map((row) => toRow({ ...row, now }));
  }

  /**
   * Runs a statement in the caller's transaction. Without one, waits until no transaction is open on the
   * connection.
   */
  async #ask(text: string, values: BindValues, transaction?: SqliteDatabase) {
    if (transaction !== undefined) {
      if (!isInTransaction(transaction))
        throw new ValidationError('durable payments', [
          { path: 'options.client', message: 'has no open transaction. Run BEGIN on the database first' },
        ]);
      const now = Date.now();
      return { rows: transaction.prepare(text).all(...(values(now) as never[])) as ColumnValues[], now };
    }
    try {
      return await runWhenFree(this.#database, this.#patience, openTransaction, () => {
        const now = Date.now();
        return { rows: this.#run(text, values(now)), now };
      });
    } catch (error) {
      if (!/^no such table/.test(String((error as Error).message))) throw error;
      throw new StoreError(`Table ${this.#table} does not exist. Run the SQL of sqlitePaymentsSql() once.`);
    }
  }
}

const openTransaction =
  'A transaction is open on the database of sqlitePayments, so nothing would be stored before the payment is sent. Pass `client: database` to enqueue, or give sqlitePayments its own connection.';
