import { StoreError } from '../../errors/store.js';
import { ConfigurationError } from '../../errors/usage.js';
import { isRaised, redactStoreError } from '../../redact/cause.js';
import { findDatabaseError } from '../../validation/database-error.js';
import { type OptionReader, validIf } from '../../validation/options.js';
import { hasMethods } from '../../validation/record.js';
import { runWithTimeLimit } from '../../validation/time-limit.js';
import { isTableName, type StoreTable } from '../table-names.js';

/** The result of a query. */
export interface PostgresResult {
  /** The rows that the query returned. */
  readonly rows: readonly Record<string, unknown>[];
  /** PostgreSQL's command tag, such as `COMMIT`. */
  readonly command: string;
}

/** Runs queries with parameters, as a pool or a client of `pg` does. */
export interface PostgresQueries {
  /** Runs one query with `$1`, `$2`, … as parameters. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
}

/** A client of a pool, such as `pg`'s. */
export interface PostgresClient extends PostgresQueries {
  /** Returns the client to its pool, or closes it if `destroy` is true. */
  release(destroy?: boolean): void;
  /** Listens for connection errors. Without a listener, such an error ends the process. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** The id of the connection's server process, to recognise a transaction on this connection. */
  readonly processID?: unknown;
}

/** A `pg` pool, or a pool with the same methods. The type lists only the members that the stores use. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  /** Takes a client from the pool. */
  connect(): Promise<Client>;
  /** Calls the listener with each connection that opens, is borrowed, or closes. */
  on?(event: 'connect' | 'acquire' | 'remove', listener: (client: PostgresClient) => void): unknown;
  /** The number of open connections, to recognise an exhausted pool. */
  readonly totalCount?: number;
  /**
   * The pool's options. `max` limits its connections. A receiver that runs handlers in transactions handles
   * at most half as many deliveries at once by default.
   */
  readonly options?: { readonly max?: number };
}

/** A postgres.js connection, `postgres(url)`, or its transaction. */
export interface PostgresJs {
  /** Runs one query with `$1`, `$2`, … as parameters. */
  unsafe(text: string, values?: never[]): PromiseLike<unknown>;
}

/** A lost connection needs no other handling, because the next query fails. */
const ignore = () => {};

const watchedPools = new WeakMap<object, Set<PostgresClient>>();

const listenedClients = new WeakSet<object>();

export const tableReader: OptionReader<string> = /* @__PURE__ */ validIf(
  isTableName,
  'must be a plain name of at most 52 characters, or schema.table, and not a name that the SQL uses',
);

/**
 * Accepts the root `sql` of postgres.js, and a pool of `pg`. A single client of `pg` also has `connect`, but it has
 * members that a pool lacks. A transaction of postgres.js has no `begin`.
 */
export function checkPool(who: string, pool: PostgresPool | PostgresJs): void {
  if (isPostgresJs(pool)) return;
  if (!hasMethods(pool, 'connect') || 'release' in pool || 'escapeLiteral' in pool)
    throw new ConfigurationError(
      `${who} takes new Pool({ connectionString: url }) of pg, or postgres(url) of postgres.js. A URL or a single client is not a pool.`,
    );
  watchConnections(pool as unknown as PostgresPool);
}

export const isPostgresJs = (pool: PostgresPool | PostgresJs): boolean => hasMethods(pool, 'unsafe', 'begin');

/**
 * Adds an error listener to each connection, when it opens, or when it is borrowed if it was already open. A
 * server can close a connection in the same packet that opens it. `pg` then emits `error` before the caller of
 * `connect()` has the client, and an error without a listener ends the process.
 */
function watchConnections(pool: PostgresPool): void {
  if (watchedPools.has(pool)) return;
  const clients = new Set<PostgresClient>();
  watchedPools.set(pool, clients);
  const add = (client: PostgresClient) => {
    clients.add(client);
    listen(client);
  };
  pool.on?.('connect', add);
  pool.on?.('acquire', add);
  pool.on?.('remove', (client) => clients.delete(client));
}

function listen(client: PostgresClient): void {
  if (listenedClients.has(client)) return;
  listenedClients.add(client);
  client.on?.('error', ignore);
}

/** `process` is the transaction's server process, which a pooler such as PgBouncer hides. */
export function runsOnPool(pool: PostgresPool | PostgresJs, transaction: unknown, process: unknown): boolean {
  const { session } = Object(Object(transaction)._) as { readonly session?: unknown };
  // Drizzle's session has the client of the library below.
  const { client = transaction } = Object(session) as { readonly client?: unknown };
  if ('unsafe' in pool) return listTypes(pool) !== undefined && listTypes(pool) === listTypes(client);
  return [...(watchedPools.get(pool) ?? [])].some(
    (own) => own === client || String(own.processID) === process,
  );
}

/** Returns postgres.js's record of array types, which is the same object for a root and its transactions. */
const listTypes = (sql: unknown): unknown =>
  hasMethods(sql, 'array') ? Object(sql.array([0], 23)).array : undefined;

/** The statement had no effect, and running it again can succeed. */
const repeatableCodes = new Set(['40001', '40P01']);

/** This is shorter than the time limit of a step. */
const maxRepeatMs = 4_500;

/**
 * Retries a statement that fails because of concurrent statements, which is normal if the database's default
 * isolation level is SERIALIZABLE or REPEATABLE READ.
 */
async function withRetries<Result>(statement: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + maxRepeatMs;
  for (let pause = 2; ; pause = Math.min(2 * pause, 100)) {
    try {
      return await statement();
    } catch (error) {
      const { code = '' } = findDatabaseError(error) ?? {};
      if (!repeatableCodes.has(code) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * Math.random()));
  }
}

const repairs: Readonly<Record<string, (table: StoreTable) => string>> = {
  '42P01': ({ name, sql }) =>
    name.includes('.')
      ? `Table ${name} does not exist. Run the SQL of ${sql} once.`
      : `Table ${name} is in no schema of the connection's search_path. If it exists, pass table: 'schema.${name}'. Otherwise, run the SQL of ${sql} once.`,
  '42501': ({ name }) =>
    `The role of this connection lacks a grant. Grant it USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on table ${name}.`,
  '42703': ({ name, sql }) =>
    `Table ${name} has the columns of another version. Run the SQL of ${sql}, which upgrades it.`,
  '42P10': ({ name, sql }) =>
    `Table ${name} has the keys of another version. Run the SQL of ${sql}, which upgrades it.`,
};

export function explainError(error: unknown, table: StoreTable): unknown {
  const found = findDatabaseError(error);
  const repair = found === undefined || isRaised(found) ? undefined : repairs[found.code];
  return repair === undefined
    ? error
    : new StoreError(`${repair(table)} ${redactStoreError(error).message}`, found?.code);
}

function noClient({ totalCount = 0, options: { max } = {} }: PostgresPool): StoreError {
  const isFull = max !== undefined && totalCount >= max;
  return new StoreError(
    isFull
      ? `All connections of the pool are in use (max ${max}), and none became free in time. Raise max, or lower the receiver's concurrency.`
      : 'PostgreSQL accepted no connection in time. Check its address, and whether it runs.',
  );
}

async function borrowClient<Client extends PostgresClient>(pool: PostgresPool<Client>) {
  const connecting = () =>
    pool.connect().catch((error: unknown) => {
      // pg throws this error after the pool's own connectionTimeoutMillis.
      throw /^timeout exceeded when trying to connect/.test(String(Object(error).message))
        ? noClient(pool)
        : error;
    });
  const client = await runWithTimeLimit(
    () => noClient(pool),
    connecting,
    (late) => late.release(),
  );
  listen(client);
  const giveBack = client.release.bind(client);
  let isReleased = false;
  const release = (isBroken: boolean) => {
    if (isReleased) return;
    isReleased = true;
    giveBack(isBroken);
  };
  /** If the statement fails or takes too long, closes the client, which frees its place in the pool. */
  const settled = async <Result>(statement: Promise<Result>): Promise<Result> => {
    try {
      return await runWithTimeLimit('PostgreSQL', () => statement);
    } catch (error) {
      release(true);
      throw error;
    }
  };
  return { client, release, settled };
}

/** With the pool's own `query`, a client that does not respond would never leave the pool. */
export async function runOnClient<Result>(
  pool: PostgresPool | PostgresJs,
  work: (client: PostgresClient | PostgresJs) => Promise<Result>,
): Promise<Result> {
  if ('unsafe' in pool) return runWithTimeLimit('PostgreSQL', () => withRetries(() => work(pool)));
  const { client, settled, release } = await borrowClient(pool);
  const result = await settled(withRetries(() => work(client)));
  release(false);
  return result;
}

/**
 * If the transaction is not committed, its connection is closed, so that a statement that `work` did not
 * await has no effect. `begin` is BEGIN and SET LOCAL. After a failed statement, PostgreSQL responds to
 * COMMIT with ROLLBACK instead of an error.
 */
export async function runInTransaction<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  begin: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const { client, settled, release } = await borrowClient(pool);
  // A client that `work` released would return to the pool with an open transaction.
  const giveBack = client.release;
  client.release = () => {
    throw new Error('The receiver releases the client. A handler must not release it.');
  };
  try {
    // pg returns a list with the results of both statements.
    const results: unknown = await settled(client.query(begin));
    const tags = Array.isArray(results) ? results.map((result) => (result as PostgresResult).command) : [];
    if (tags.join() !== 'BEGIN,SET')
      throw new StoreError('PostgreSQL did not confirm BEGIN and SET. Pass a pool of pg.');
    await work(client);
    const { command } = await settled(client.query('COMMIT'));
    if (command !== 'COMMIT')
      throw new StoreError(
        `PostgreSQL returned ${command} for COMMIT, so nothing counts as written. Await every statement in the handler, and pass a pool of pg.`,
      );
    client.release = giveBack;
    release(false);
  } catch (error) {
    client.release = giveBack;
    release(true);
    throw error;
  }
}
