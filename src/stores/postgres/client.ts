import { StoreError } from '../../redact/cause.js';
import { isRecord } from '../../validation/record.js';
import { answerInTime } from '../../validation/time-limit.js';

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
  /** Gives the client back to its pool; with true it is closed instead. */
  release(destroy?: boolean): void;
  /** Listens for the loss of the connection, which ends the process without a listener. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes the listener. */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of `pg`, or one with the same methods. The type has only the members that are used. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  /** Takes a client from the pool. */
  connect(): Promise<Client>;
  /** Tells of each new connection. */
  on?(event: 'connect', listener: (client: PostgresClient) => void): unknown;
  /** How many connections there are: if none becomes free, an error says how many are in use. */
  readonly totalCount?: number;
  /** The pool's options. Half of `max` is the default for the deliveries that a receiver handles at once in transactions. */
  readonly options?: { readonly max?: number };
}

/** A connection of postgres.js, `postgres(url)`, or its transaction. */
export interface PostgresJs {
  /** Runs one query with `$1`, `$2`, … as parameters. */
  unsafe(text: string, values?: never[]): PromiseLike<unknown>;
}

/** The loss of the connection needs no separate listener, because the next query fails with it. */
const ignore = () => {};

/** The pools whose new connections have a listener. */
const listenedPools = new WeakSet<object>();

/**
 * A server may end a connection in the packet that opens it. `pg` then emits `error` before the caller of
 * `connect()` has the client, and an error without a listener ends the process.
 */
export function watchNewConnections(pool: PostgresPool): void {
  if (listenedPools.has(pool)) return;
  listenedPools.add(pool);
  pool.on?.('connect', (client) => client.on?.('error', ignore));
}

/** serialization_failure and deadlock_detected: the statement had no effect, and the next run of it can succeed. */
const repeatableCodes = new Set(['40001', '40P01']);

/** For how many milliseconds a statement is repeated: less than the time limit of a step. */
const maxRepeatMs = 4_500;

/**
 * Runs a statement outside a transaction, again while it fails only because of others that ran at the same time. With
 * SERIALIZABLE or REPEATABLE READ as the database's default, that is ordinary.
 */
async function repeatedly<Answer>(statement: () => Promise<Answer>): Promise<Answer> {
  const end = performance.now() + maxRepeatMs;
  for (let pause = 2; ; pause = Math.min(2 * pause, 100)) {
    try {
      return await statement();
    } catch (error) {
      if (!repeatableCodes.has(String(findCode(error))) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * Math.random()));
  }
}

/** Drizzle, MikroORM, Sequelize, TypeORM and Prisma keep the PostgreSQL error in one of these properties. */
const innerErrors = ['cause', 'original', 'driverError', 'meta'] as const;

/** Finds the SQLSTATE of an error, which a library may keep inside its own. */
export function findCode(error: unknown, depth = 0): unknown {
  if (!isRecord(error) || depth > 3) return;
  const inner = innerErrors.map((name) => findCode(error[name], depth + 1));
  return inner.find((code) => code !== undefined) ?? error.code;
}

/**
 * The error to show for a failed statement: a missing table is named, with the function that returns its SQL.
 *
 * @param table as the merchant named it.
 */
export const explained = (error: unknown, table: string, createdBy: string): unknown =>
  findCode(error) === '42P01'
    ? Object.assign(
        new StoreError(`Table ${table} does not exist (42P01). Run the SQL of ${createdBy}() once.`),
        { code: '42P01' },
      )
    : error;

/** Why a pool gave no client in time. */
function noClient({ totalCount = 0, options: { max } = {} }: PostgresPool): StoreError {
  const isFull = max !== undefined && totalCount >= max;
  return new StoreError(
    isFull
      ? `All connections of the pool are in use (max ${max}), and none became free in time. Raise max, or lower the receiver's concurrency.`
      : 'PostgreSQL accepted no connection in time. Check its address, and whether it runs.',
  );
}

/** Takes a client from a pool. */
export async function borrow<Client extends PostgresClient>(pool: PostgresPool<Client>) {
  const connecting = () =>
    pool.connect().catch((error: unknown) => {
      // What pg throws after the pool's own connectionTimeoutMillis.
      throw /^timeout exceeded when trying to connect/.test(String(Object(error).message))
        ? noClient(pool)
        : error;
    });
  const client = await answerInTime(
    () => noClient(pool),
    connecting,
    (late) => late.release(),
  );
  client.on?.('error', ignore);
  let isReleased = false;
  /** Gives the client back, or closes it if it is broken. A second call does nothing. */
  const release = (isBroken: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.off?.('error', ignore);
    client.release(isBroken);
  };
  /** Waits for the response to a statement. If it fails or takes too long, the client is closed, and its place in the pool is free again. */
  const settled = async <Answer>(statement: Promise<Answer>): Promise<Answer> => {
    try {
      return await answerInTime('PostgreSQL', () => statement);
    } catch (error) {
      release(true);
      throw error;
    }
  };
  return { client, release, settled, isReleased: () => isReleased };
}

/** Runs one statement on a client of the pool, repeatedly if needed. The pool's own `query` would keep a client that does not respond. */
export async function onceOn<Answer>(
  pool: PostgresPool | PostgresJs,
  work: (client: PostgresClient | PostgresJs) => Promise<Answer>,
): Promise<Answer> {
  if ('unsafe' in pool) return answerInTime('PostgreSQL', () => repeatedly(() => work(pool)));
  const { client, settled, release } = await borrow(pool);
  const answer = await settled(repeatedly(() => work(client)));
  release(false);
  return answer;
}
