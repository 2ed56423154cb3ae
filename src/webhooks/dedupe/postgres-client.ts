import { stepOf } from '../time-limit.js';

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
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  /** Takes a client from the pool. */
  connect(): Promise<Client>;
}

/** The next query tells of it. */
const ignore = () => {};

/** A client of a pool, for as long as it is needed. */
export interface Borrowed<Client extends PostgresClient> {
  readonly client: Client;
  /** Gives the client back, or destroys it. Once: what comes later has no effect. */
  release(isBroken: boolean): void;
  readonly isReleased: boolean;
  /** The answer to a statement. Destroys the client if it fails or takes too long: its place in the pool is free again. */
  settled<Answer>(statement: Promise<Answer>): Promise<Answer>;
}

/** Takes a client from a pool. */
export async function borrow<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
): Promise<Borrowed<Client>> {
  const client = await pool.connect();
  client.on?.('error', ignore);
  let isReleased = false;
  const release = (isBroken: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.off?.('error', ignore);
    client.release(isBroken);
  };
  return {
    client,
    release,
    get isReleased() {
      return isReleased;
    },
    async settled(statement) {
      try {
        return await stepOf('PostgreSQL', () => statement);
      } catch (error) {
        release(true);
        throw error;
      }
    },
  };
}

/** Runs one statement on a client of the pool. A pool's own `query` would keep a client that is never answered. */
export async function onceOn<Answer>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Answer>,
): Promise<Answer> {
  const { client, settled, release } = await borrow(pool);
  const answer = await settled(work(client));
  release(false);
  return answer;
}

/** The answer of a statement, which is one row. */
export async function ask(queries: PostgresQueries, statement: string, values: unknown[]): Promise<unknown> {
  const { rows } = await queries.query(statement, values);
  if (rows.length !== 1) throw new TypeError('PostgreSQL gave no answer to a statement that has one.');
  return rows[0]?.answer;
}

export async function yesOrNo(
  queries: PostgresQueries,
  statement: string,
  values: unknown[],
): Promise<boolean> {
  const answer = await ask(queries, statement, values);
  if (typeof answer !== 'boolean') throw new TypeError('PostgreSQL gave neither true nor false.');
  return answer;
}
