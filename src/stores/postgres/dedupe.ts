import { acceptOptions, ConfigurationError } from '../../errors/usage.js';
import { redactStoreError } from '../../redact/cause.js';
import { type OptionReaders, validIf } from '../../validation/options.js';
import { hasMethods } from '../../validation/record.js';
import type { ClaimDetails, DedupeStore } from '../dedupe-store.js';
import { type RunStatement, SqlDedupe } from '../sql-dedupe-store.js';
import { describeTable, schemaDeliveriesTable } from '../table-names.js';
import {
  checkPool,
  explainError,
  isPostgresJs,
  type PostgresClient,
  type PostgresJs,
  type PostgresPool,
  runInTransaction,
  runOnClient,
  tableReader,
} from './client.js';
import { beginAs, type PostgresStatements, statementsFor } from './dedupe-sql.js';
import { openTransaction, type RunInTransaction } from './dedupe-transaction.js';
import { queryRows } from './transactions.js';

/** Options of `postgresDedupe`. */
export interface PostgresDedupeOptions {
  /** The table's name, optionally with a schema: `schema.table`. Default `payment_platform.deliveries`. */
  table?: string | undefined;
  /**
   * Runs each handler in the transaction that marks the delivery as done. `true` opens the transaction on the
   * pool. To open it with your library, pass a function: `(work) => db.transaction(work)`. Default false.
   */
  transaction?: boolean | RunInTransaction<never> | undefined;
}

const optionReaders: OptionReaders<PostgresDedupeOptions> = {
  table: tableReader,
  transaction: validIf(
    // The root objects of postgres.js and Knex are functions, but open no transaction.
    (value) =>
      typeof value === 'boolean' ||
      (typeof value === 'function' && !hasMethods(value, 'unsafe') && !hasMethods(value, 'raw')),
    'must be true, false or a function such as (work) => db.transaction(work)',
  ),
};

/**
 * Remembers deliveries in PostgreSQL 11 or newer, through your own `pg` pool or `postgres(url)` of
 * postgres.js. Create its table with `postgresDedupeSql()` first. Without `transaction`, the store keeps no
 * lock while a handler runs. If you set both `transaction: true` and `order`, notifications about one
 * payment transaction wait for one another, for at most five seconds.
 *
 * With `transaction: true`, handlers receive `delivery.transaction`, a client inside an open transaction. The
 * handler's writes commit together with the mark that the delivery is done, or not at all. The death of the
 * process therefore repeats none of the handler's effects in that database. A handler keeps one client of the
 * pool while it runs, so a receiver handles at most half of the pool's `max` deliveries at once by default
 * (`concurrency`).
 *
 * A function as `transaction` does the same in a transaction of Drizzle, Kysely, Knex, TypeORM, Sequelize,
 * MikroORM, Prisma or postgres.js. `delivery.transaction` is then the object that the library passes to
 * `work`.
 *
 * @throws ConfigurationError for anything but such a client, and for an unknown or wrong option.
 * @example
 * ```ts
 * const receiver = createReceiver({
 *   secret,
 *   dedupe: postgresDedupe(pool, { transaction: true }),
 *   on: {
 *  'transaction.paid': (event, { transaction }) =>
 *    transaction.query('UPDATE orders SET paid = true WHERE id = $1', [event.externalReference]),
 *   },
 * });
 * ```
 */
export function postgresDedupe<Client extends PostgresClient = PostgresClient>(
  pool: PostgresPool<Client>,
  options: PostgresDedupeOptions & { transaction: true },
): DedupeStore<Client>;
export function postgresDedupe<Transaction>(
  pool: PostgresPool | PostgresJs,
  options: Omit<PostgresDedupeOptions, 'transaction'> & { transaction: RunInTransaction<Transaction> },
): DedupeStore<Transaction>;
export function postgresDedupe(pool: PostgresPool | PostgresJs, options?: PostgresDedupeOptions): DedupeStore;
export function postgresDedupe(
  pool: PostgresPool | PostgresJs,
  options: object = {},
): DedupeStore<unknown> | DedupeStore {
  const { table = schemaDeliveriesTable, transaction = false } = acceptOptions(
    'postgresDedupe',
    options,
    optionReaders,
  );
  checkPool('postgresDedupe', pool);
  if (isPostgresJs(pool) && transaction === true)
    throw new ConfigurationError(
      'postgresDedupe with postgres.js takes a function as transaction. Pass (work) => sql.begin(work).',
    );
  const sql = statementsFor(table);
  const claim = typeof transaction === 'function' ? sql.claimUnlessLocked : sql.claim;
  const store = new PostgresDedupe(pool, table, { ...sql, claim });
  if (transaction === false) return store;
  const begin: DedupeStore<unknown>['begin'] = (...claim) => {
    const name = globalThis.crypto.randomUUID();
    return transaction === true
      ? openTransaction((work) => runInTransaction(pool as PostgresPool, beginAs(name), work), sql, name)
      : openTransaction(transaction as RunInTransaction<unknown>, sql, name, { store, claim });
  };
  // Each handler holds a connection. The limit is half of the pool, so that a handler that also queries the
  // pool still gets a second connection.
  const { max } = (pool as PostgresPool).options ?? {};
  const concurrency = max === undefined ? undefined : Math.max(1, Math.floor(max / 2));
  return Object.assign(store, { begin, concurrency });
}

class PostgresDedupe extends SqlDedupe {
  readonly #ask: RunStatement;
  readonly #isDone: string;
  /** Each granted claim returns it. */
  place: unknown;

  constructor(pool: PostgresPool | PostgresJs, table: string, sql: PostgresStatements) {
    const described = describeTable(table, schemaDeliveriesTable, 'postgresDedupeSql');
    const ask: RunStatement = async (text, values) => {
      try {
        const rows = await runOnClient(pool, (client) => queryRows(client, text, values));
        this.place = rows[0]?.place ?? this.place;
        return rows;
      } catch (error) {
        throw redactStoreError(explainError(error, described));
      }
    };
    super(sql, ask);
    this.#ask = ask;
    this.#isDone = sql.isDone;
  }

  /** Another connection sees the mark only after its transaction was committed. */
  async isDone(id: string, { holder, digest }: ClaimDetails): Promise<boolean> {
    return (await this.#ask(this.#isDone, [id, holder, digest])).length === 1;
  }
}
