import { acceptOptions, ValidationError } from '../../errors/usage.js';
import type { OptionReaders } from '../../validation/options.js';
import type { ColumnValues } from '../payment-columns.js';
import type { NewRow, PaymentRow } from '../payment-row.js';
import type { PaymentStore } from '../payment-store.js';
import { SqlPayments } from '../sql-payment-store.js';
import { describeTable, type StoreTable, schemaPaymentsTable } from '../table-names.js';
import {
  checkPool,
  explainError,
  type PostgresJs,
  type PostgresPool,
  runOnClient,
  runsOnPool,
  tableReader,
} from './client.js';
import { insertLockTimeout, type PostgresPaymentStatements, statementsFor } from './payments-sql.js';
import { Place } from './place.js';
import { findRunner, type PostgresTransaction, queryRows } from './transactions.js';

/** Options of `postgresPayments`. */
export interface PostgresPaymentsOptions {
  /** The table's name, optionally with a schema: `schema.table`. Default `payment_platform.payments`. */
  table?: string | undefined;
}

const optionReaders: OptionReaders<PostgresPaymentsOptions> = { table: tableReader };

/**
 * Stores payments in PostgreSQL 11 or newer, through your own `pg` pool, or `postgres(url)` of postgres.js.
 * Create the table with `postgresPaymentsSql()` first. Outside your transactions, each step is one statement without a
 * prepared name, so PgBouncer works in transaction mode. Times use the database's clock.
 *
 * @throws ConfigurationError for anything but such a pool, and for an unknown or wrong option.
 */
export function postgresPayments(
  pool: PostgresPool | PostgresJs,
  options: PostgresPaymentsOptions = {},
): PaymentStore<PostgresTransaction> {
  const { table = schemaPaymentsTable } = acceptOptions('postgresPayments', options, optionReaders);
  checkPool('postgresPayments', pool);
  return new PostgresPayments(pool, table);
}

const notATransaction = (problem: string) =>
  new ValidationError('durable payments', [
    {
      path: 'options.client',
      message: `${problem}. Pass an open transaction of pg, postgres.js, Drizzle, Kysely, Knex, TypeORM, Sequelize, MikroORM or Prisma`,
    },
  ]);

const notHere = (table: string) =>
  new ValidationError('durable payments', [
    {
      path: 'options.client',
      message: `is a transaction in another database or schema, where ${table} is not the table of this store, so its payments would never be sent. Pass a transaction of the store's own database, and the store's option table with a schema`,
    },
  ]);

class PostgresPayments extends SqlPayments<PostgresTransaction> {
  readonly #pool: PostgresPool | PostgresJs;
  readonly #table: StoreTable;
  protected readonly sql: PostgresPaymentStatements;
  readonly #place: Place;

  constructor(pool: PostgresPool | PostgresJs, table: string) {
    super();
    this.#pool = pool;
    this.#table = describeTable(table, schemaPaymentsTable, 'postgresPaymentsSql');
    this.sql = statementsFor(table);
    this.#place = new Place(async () => (await this.ask(this.sql.place, []))[0]?.place);
  }

  override async insert(row: NewRow, client?: PostgresTransaction): Promise<PaymentRow | undefined> {
    if (client === undefined) return this.insertIf(row, [null, insertLockTimeout]);
    const transaction = await this.#transactionOn(client);
    // The INSERT compares the transaction's id, and writes nothing in another transaction. It therefore never
    // commits on its own. The caller's lock_timeout stays.
    const inserted = await this.insertIf(row, [transaction, null], client);
    if (inserted === undefined) await this.#assertIn(transaction, client);
    return inserted;
  }

  override async findByPayment(
    merchant: string,
    paymentId: string,
    reference: string | undefined,
    client?: PostgresTransaction,
  ): Promise<PaymentRow[]> {
    if (client !== undefined) await this.#assertIn(await this.#transactionOn(client), client);
    return super.findByPayment(merchant, paymentId, reference, client);
  }

  /** Outside a transaction, each statement gets a different id. */
  async #transactionOn(client: PostgresTransaction): Promise<string> {
    if (findRunner(client) === undefined) throw notATransaction('is not a transaction');
    const [row] = await this.ask(this.sql.beginningId, [], client);
    // Without an id, nothing proves that a transaction is open. The INSERT would treat a missing id as
    // permission to write outside a transaction.
    if (typeof row?.transaction !== 'string') throw notATransaction('has no open transaction');
    // A changed search_path can show another table on a connection of the same pool.
    const isOnPool = async () =>
      runsOnPool(this.#pool, client, row.process) &&
      (this.#table.name.includes('.') || (await this.ask(this.sql.changedPath, [], client)).length === 0);
    if (!(await this.#place.is(row.place, isOnPool))) throw notHere(this.#table.name);
    return row.transaction;
  }

  async #assertIn(transaction: string, client: PostgresTransaction): Promise<void> {
    const [row] = await this.ask(this.sql.presentId, [], client);
    if (row?.transaction !== transaction) throw notATransaction('has no open transaction');
  }

  protected async ask(
    text: string,
    values: unknown[],
    client?: PostgresTransaction,
  ): Promise<readonly ColumnValues[]> {
    try {
      if (client !== undefined) return await queryRows(client, text, values);
      return await runOnClient(this.#pool, (own) => queryRows(own, text, values));
    } catch (error) {
      throw explainError(error, this.#table);
    }
  }
}
