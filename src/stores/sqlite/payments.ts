import type { NewRow, PaymentRow, RowChange } from '../../durable/payment-row.js';
import type { Claim, PaymentStore, RowFilter, RowId, StateCount } from '../../durable/payment-store.js';
import { ValidationError } from '../../errors/usage.js';
import { type ColumnValues, paymentsTable, toRow } from '../payment-columns.js';
import { withQuestionMarks } from '../question-marks.js';
import { describeTable, quoted, type StoreTable } from '../table-names.js';
import {
  checkDatabase,
  explainSqliteError,
  findFile,
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
  const table = readTable('sqlitePayments', options, paymentsTable);
  const patience = checkDatabase('sqlitePayments', database);
  return new SqlitePayments(database, table, patience);
}

/** Returns the values for a statement's parameters, given the time at which the statement runs. */
type BindValues = (now: number) => unknown[];

class SqlitePayments implements PaymentStore<SqliteDatabase> {
  readonly #database: SqliteDatabase;
  readonly #table: StoreTable;
  readonly #sql: SqliteStatements;
  readonly #run: ReturnType<typeof runAlone>;
  readonly #patience: number;

  constructor(database: SqliteDatabase, table: string, patience: number) {
    this.#database = database;
    this.#table = describeTable(table, paymentsTable, 'sqlitePaymentsSql');
    this.#sql = sqliteStatementsFor(quoted(table));
    this.#patience = patience;
    this.#run = runAlone(database);
  }

  async insert(row: NewRow, transaction?: SqliteDatabase): Promise<PaymentRow | undefined> {
    const { merchant, key, version, state, reference, digest, payload, attempts } = row;
    const { dueIn, deadlineIn, refreshIn } = row;
    const value = [merchant, key, version, state, reference, digest, payload, attempts];
    const values: BindValues = (now) => [...value, now, now + dueIn, now + deadlineIn, now + refreshIn];
    return (await this.#rows(this.#sql.insert, values, transaction))[0];
  }

  async find(merchant: string, key: string, transaction?: SqliteDatabase): Promise<PaymentRow | undefined> {
    return (await this.#rows(this.#sql.find, () => [merchant, key], transaction))[0];
  }

  findByPayment(
    merchant: string,
    paymentId: string,
    reference: string | undefined,
    transaction?: SqliteDatabase,
  ): Promise<PaymentRow[]> {
    const values = [merchant, paymentId, reference ?? null];
    return this.#rows(this.#sql.findByPayment, () => values, transaction);
  }

  claim({ merchant, lease, limit, version, key }: Claim): Promise<PaymentRow[]> {
    return key === undefined
      ? this.#rows(this.#sql.claim, (now) => [merchant, now + lease, version, now, limit])
      : this.#rows(this.#sql.claimKey, (now) => [merchant, now + lease, version, key, now]);
  }

  async update(
    { merchant, key, revision }: RowId,
    change: RowChange,
    transaction?: SqliteDatabase,
  ): Promise<boolean> {
    const { state, payment, paymentId, error, inDoubt, dueIn, deadlineIn } = change;
    const value = [merchant, key, revision, state, payment, paymentId, error, inDoubt ? 1 : 0];
    const values: BindValues = (now) => [
      ...value,
      dueIn === null ? null : now + dueIn,
      deadlineIn === undefined ? null : now + deadlineIn,
    ];
    return (await this.#ask(this.#sql.update, values, transaction)).rows.length === 1;
  }

  async erase({ merchant, key, revision }: RowId, reduced: string | null): Promise<boolean> {
    return (await this.#ask(this.#sql.erase, () => [merchant, key, revision, reduced])).rows.length === 1;
  }

  list({ merchant, state, olderThan = 0, after = '', limit }: RowFilter): Promise<PaymentRow[]> {
    return this.#rows(this.#sql.list, (now) => [merchant, state ?? null, after, now - olderThan, limit]);
  }

  listErasable(merchant: string, age: number, limit: number): Promise<PaymentRow[]> {
    return this.#rows(this.#sql.listErasable, (now) => [merchant, now - age, limit]);
  }

  async counts(merchant: string): Promise<StateCount[]> {
    const { rows, now } = await this.#ask(this.#sql.counts, (time) => [merchant, time]);
    return rows.map(({ state, count, first }) => ({
      state: String(state) as StateCount['state'],
      count: Number(count),
      oldest: now - Number(first),
    }));
  }

  async adopt(merchant: string, former: string): Promise<number> {
    return (await this.#ask(this.#sql.adopt, (now) => [merchant, former, now])).rows.length;
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
    if (transaction !== undefined) this.#checkTransaction(transaction);
    try {
      if (transaction !== undefined) {
        const now = Date.now();
        const [sql, inOrder] = withQuestionMarks(text, values(now));
        return { rows: transaction.prepare(sql).all(...(inOrder as never[])) as ColumnValues[], now };
      }
      return await runWhenFree(this.#database, this.#patience, openTransaction, () => {
        const now = Date.now();
        return { rows: this.#run(...withQuestionMarks(text, values(now))), now };
      });
    } catch (error) {
      throw explainSqliteError(error, this.#table);
    }
  }

  /** @throws ValidationError for anything but an open transaction on the file of this store */
  #checkTransaction(transaction: SqliteDatabase): void {
    const isHere = () =>
      transaction === this.#database ||
      (findFile(transaction) !== '' && findFile(transaction) === findFile(this.#database));
    const isOpen = isInTransaction(transaction);
    const problem = isOpen ? (isHere() ? undefined : otherFile) : notOpen;
    if (problem !== undefined)
      throw new ValidationError('durable payments', [{ path: 'options.client', message: problem }]);
  }
}

const notOpen = 'has no open transaction. Run BEGIN on the database first';

const otherFile =
  'is a transaction on another file than the database of sqlitePayments, so its payments would never be sent. Pass the same database';

const openTransaction =
  'A transaction is open on the database of sqlitePayments, so nothing would be stored before the payment is sent. Pass `client: database` to enqueue, or give sqlitePayments its own connection.';
