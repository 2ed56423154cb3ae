import { ValidationError } from '../../errors/usage.js';
import { sqliteDialect } from '../dialect.js';
import { type ColumnValues, paymentsTable } from '../payment-columns.js';
import type { PaymentStore } from '../payment-store.js';
import { type PaymentStatements, paymentStatements } from '../payments-sql.js';
import { withQuestionMarks } from '../question-marks.js';
import { SqlPayments } from '../sql-payment-store.js';
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
 * between BEGIN and COMMIT. A step without `client` waits for the end of an open transaction, at most for
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

class SqlitePayments extends SqlPayments<SqliteDatabase> {
  readonly #database: SqliteDatabase;
  readonly #table: StoreTable;
  protected readonly sql: PaymentStatements;
  readonly #run: ReturnType<typeof runAlone>;
  readonly #patience: number;

  constructor(database: SqliteDatabase, table: string, patience: number) {
    super();
    this.#database = database;
    this.#table = describeTable(table, paymentsTable, 'sqlitePaymentsSql');
    this.sql = paymentStatements(quoted(table), sqliteDialect, 'WHERE true');
    this.#patience = patience;
    this.#run = runAlone(database);
  }

  protected async ask(
    text: string,
    values: unknown[],
    transaction?: SqliteDatabase,
  ): Promise<readonly ColumnValues[]> {
    // SQLite has no booleans.
    const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    const [sql, inOrder] = withQuestionMarks(text, bound);
    if (transaction !== undefined) this.#checkTransaction(transaction);
    try {
      return transaction === undefined
        ? await runWhenFree(this.#database, this.#patience, openTransaction, () => this.#run(sql, inOrder))
        : (transaction.prepare(sql).all(...(inOrder as never[])) as ColumnValues[]);
    } catch (error) {
      throw explainSqliteError(error, this.#table);
    }
  }

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
