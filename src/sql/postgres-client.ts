import { answerInTime } from '../input/time-limit.js';

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
  /** Listens for the loss of the connection, which ends the process if there is no listener. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes the listener. */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of `pg`, or one with the same methods. Described by the members that are used. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  /** Takes a client from the pool. */
  connect(): Promise<Client>;
  /** Tells of each new connection. */
  on?(event: 'connect', listener: (client: PostgresClient) => void): unknown;
}

/** The loss of the connection needs no listener of its own, because the next query fails with it. */
const ignore = () => {};

/** The pools whose new connections have a listener. */
const watched = new WeakSet<object>();

/**
 * A server may end a connection in the packet that opens it. `pg` then emits `error` before the caller of
 * `connect()` has the client, and an error without a listener ends the process.
 */
export function watchNewConnections(pool: PostgresPool): void {
  if (watched.has(pool)) return;
  watched.add(pool);
  pool.on?.('connect', (client) => client.on?.('error', ignore));
}

/** Takes a client from a pool. */
export async function borrow<Client extends PostgresClient>(pool: PostgresPool<Client>) {
  const connecting = () => pool.connect();
  const client = await answerInTime('PostgreSQL', connecting, (late) => late.release());
  client.on?.('error', ignore);
  let isReleased = false;
  /** Gives the client back, or closes it if it is broken. A second call has no effect. */
  const release = (isBroken: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.off?.('error', ignore);
    client.release(isBroken);
  };
  /** Waits for the answer to a statement. If it fails or takes too long, the client is closed, and its place in the pool is free again. */
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

/** Runs one statement on a client of the pool. The pool's own `query` would keep a client that gets no answer. */
export async function onceOn<Answer>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Answer>,
): Promise<Answer> {
  const { client, settled, release } = await borrow(pool);
  const answer = await settled(work(client));
  release(false);
  return answer;
}

/** Runs a statement that gives one row with its `answer`. */
export async function ask(queries: PostgresQueries, statement: string, values: unknown[]): Promise<unknown> {
  const { rows } = await queries.query(statement, values);
  if (rows.length !== 1) throw new TypeError('PostgreSQL gave no answer to a statement that has one.');
  return rows[0]?.answer;
}

/** Runs a statement whose answer is true or false. */
export async function yesOrNo(
  queries: PostgresQueries,
  statement: string,
  values: unknown[],
): Promise<boolean> {
  const answer = await ask(queries, statement, values);
  if (typeof answer !== 'boolean') throw new TypeError('PostgreSQL gave neither true nor false.');
  return answer;
}
