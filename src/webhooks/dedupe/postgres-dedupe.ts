import { ConfigurationError } from '../../errors/usage.js';
import { inWords } from '../../input/issue.js';
import { aBoolean, type Readers, readIf, readOptions } from '../../input/options.js';
import { isRecord } from '../../input/record.js';
import type { ClaimAnswer, ClaimDetails, DedupeStore, DedupeTransaction } from './dedupe-store.js';
import { defaultTable, isTableName, type PostgresStatements, statementsFor } from './postgres-sql.js';

/** What a query gives. */
export interface PostgresResult {
  /** The rows that the query returned. */
  readonly rows: readonly Record<string, unknown>[];
  /** The tag with which PostgreSQL answered, such as `COMMIT`. */
  readonly command: string;
}

/** Runs queries with parameters, as a pool or a client of `pg` does. */
export interface PostgresQueries {
  /** Runs one query with `$1`, `$2`, … as parameters. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
}

/** A client of a pool, as that of `pg`. */
export interface PostgresClient extends PostgresQueries {
  /** Gives the client back to its pool; with true it is closed instead. */
  release(destroy?: boolean): void;
  /** Listens for the loss of the connection, which would end the process if nobody did. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Takes the listener away. */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of `pg`, or one with the same methods. Described by the members that are used. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> extends PostgresQueries {
  /** Takes a client from the pool. */
  connect(): Promise<Client>;
}

/** Options of `postgresDedupe`. */
export interface PostgresDedupeOptions {
  /** The table, which may be `schema.table`. Default `payment_platform_deliveries`. */
  table?: string | undefined;
  /** Whether a handler runs in a transaction in which the delivery is marked as done. Default false. */
  transaction?: boolean | undefined;
}

const readers: Readers<PostgresDedupeOptions> = {
  table: readIf(isTableName, 'must be a plain name of a table, or schema.table'),
  transaction: aBoolean,
};

/**
 * Remembers deliveries in PostgreSQL 11 or newer, through your own pool of `pg`. Create its table with
 * `postgresDedupeSql()` first. A step is one statement, and no lock is held while a handler runs, but for the
 * state of its transaction with `transaction: true` and `order`: those of one transaction wait for one
 * another, for five seconds at most.
 *
 * With `transaction: true` a handler gets `delivery.transaction`, a client inside an open transaction. What it
 * writes there and the mark that the delivery is done commit together or not at all: an effect in that
 * database happens exactly once, even if the process dies at any moment. A handler takes a client of the
 * pool for as long as it runs.
 *
 * @throws ConfigurationError for anything but such a pool, and for an unknown or wrong option.
 * @example
 * ```ts
 * const receiver = createReceiver({
 *   secret,
 *   dedupe: postgresDedupe(pool, { transaction: true }),
 *   on: {
 *     'transaction.paid': (event, { transaction }) =>
 *       transaction.query('UPDATE orders SET paid = true WHERE id = $1', [event.externalReference]),
 *   },
 * });
 * ```
 */
export function postgresDedupe<Client extends PostgresClient = PostgresClient>(
  pool: PostgresPool<Client>,
  options: PostgresDedupeOptions & { transaction: true },
): DedupeStore<Client>;
export function postgresDedupe(pool: PostgresPool, options?: PostgresDedupeOptions): DedupeStore;
export function postgresDedupe(
  pool: PostgresPool,
  options: PostgresDedupeOptions = {},
): DedupeStore<PostgresClient> | DedupeStore {
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`postgresDedupe: ${inWords(issues)}.`);
  if (!isPool(pool))
    throw new ConfigurationError(
      'postgresDedupe takes a pool of pg: postgresDedupe(new Pool({ connectionString: url })). A URL is no pool, and a single client would let one handler wait for another.',
    );
  const sql = statementsFor(value.table ?? defaultTable);
  const store = new PostgresDedupe(pool, sql);
  if (value.transaction !== true) return store;
  return Object.assign(store, { begin: () => beginTransaction(pool, sql) });
}

class PostgresDedupe implements DedupeStore {
  readonly #pool: PostgresPool;
  readonly #sql: PostgresStatements;
  /** Not in the first minute, when the table may be new, nor at each start of a short process. */
  #nextCleaning = performance.now() + 60_000;

  constructor(pool: PostgresPool, sql: PostgresStatements) {
    this.#pool = pool;
    this.#sql = sql;
  }

  async claim(id: string, lease: number, { holder, digest }: ClaimDetails): Promise<ClaimAnswer> {
    this.#clean();
    return (await ask(this.#pool, this.#sql.claim, [id, holder, digest, lease])) as ClaimAnswer;
  }

  async renew(id: string, lease: number, details: ClaimDetails): Promise<boolean> {
    return (await this.claim(id, lease, details)) === 'claimed';
  }

  complete(id: string, keepFor: number, { holder, digest }: ClaimDetails): Promise<boolean> {
    return yesOrNo(this.#pool, this.#sql.complete, [id, holder, digest, keepFor]);
  }

  async release(id: string, { holder }: ClaimDetails): Promise<void> {
    await this.#pool.query(this.#sql.release, [id, holder]);
  }

  advance(id: string, rank: number, keepFor: number): Promise<boolean> {
    return yesOrNo(this.#pool, this.#sql.advance, [`order:${id}`, rank, keepFor]);
  }

  /** Deletes expired rows, at most once a minute and a thousand at a time. Nobody waits for it. */
  #clean(): void {
    if (performance.now() < this.#nextCleaning) return;
    this.#nextCleaning = performance.now() + 60_000;
    this.#pool.query(this.#sql.clean).catch(() => {});
  }
}

/** The answer of a statement, which is one row. */
async function ask(queries: PostgresQueries, statement: string, values: unknown[]): Promise<unknown> {
  const { rows } = await queries.query(statement, values);
  if (rows.length !== 1) throw new TypeError('PostgreSQL gave no answer to a statement that has one.');
  return rows[0]?.answer;
}

async function yesOrNo(queries: PostgresQueries, statement: string, values: unknown[]): Promise<boolean> {
  const answer = await ask(queries, statement, values);
  if (typeof answer !== 'boolean') throw new TypeError('PostgreSQL gave neither true nor false.');
  return answer;
}

/** A client of pg has `connect`, too. */
const isPool = (given: unknown): boolean =>
  isRecord(given) &&
  typeof given.query === 'function' &&
  typeof given.connect === 'function' &&
  !('release' in given || 'escapeLiteral' in given);

/** The next query tells of it. */
const ignore = () => {};

/** COMMIT of a transaction in which a statement has failed is answered ROLLBACK, and is no error. */
async function run(
  client: PostgresClient,
  command: 'BEGIN' | 'COMMIT' | 'ROLLBACK',
  more = '',
): Promise<void> {
  const { command: tag } = await client.query(command + more);
  if (tag !== command)
    throw new Error(
      `PostgreSQL answered ${command} with ${tag}, so nothing counts as written: a statement failed that the handler did not await, or this is no pool of pg.`,
    );
}

async function beginTransaction<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  sql: PostgresStatements,
): Promise<DedupeTransaction<Client>> {
  const client = await pool.connect();
  client.on?.('error', ignore);
  const release = (isBroken: boolean) => {
    client.off?.('error', ignore);
    client.release(isBroken);
  };
  let isOpen = true;
  // Once: a rollback may come while a commit hangs.
  const end = async (command: 'COMMIT' | 'ROLLBACK') => {
    if (!isOpen) return;
    isOpen = false;
    let isBroken = true;
    try {
      await run(client, command);
      isBroken = false;
    } finally {
      release(isBroken);
    }
  };
  try {
    await run(client, 'BEGIN', ' ISOLATION LEVEL READ COMMITTED');
  } catch (error) {
    release(true);
    throw error;
  }
  const lent = lend(client);
  return {
    client: lent.client,
    advance: (id, rank, keepFor) => yesOrNo(client, sql.advance, [`order:${id}`, rank, keepFor]),
    commit: async (id, keepFor, { holder, digest }) => {
      lent.takeBack();
      const isMarked = await yesOrNo(client, sql.complete, [id, holder, digest, keepFor]);
      await end(isMarked ? 'COMMIT' : 'ROLLBACK');
      return isMarked;
    },
    rollback: () => {
      lent.takeBack();
      return end('ROLLBACK');
    },
  };
}

/**
 * The client for a handler. When the handler has ended, a statement that it did not await would come between the
 * mark and the commit, or into the transaction of another: it is refused.
 */
function lend<Client extends PostgresClient>(client: Client): { client: Client; takeBack(): void } {
  let isTakenBack = false;
  const query = (...args: never) =>
    isTakenBack
      ? Promise.reject(
          new Error('The handler has ended, and its transaction with it: await every statement.'),
        )
      : Reflect.apply(client.query, client, args);
  const lent = new Proxy(client, {
    get(_, name) {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(client, name, client);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(client) : value;
    },
  });
  return {
    client: lent,
    takeBack: () => {
      isTakenBack = true;
    },
  };
}
