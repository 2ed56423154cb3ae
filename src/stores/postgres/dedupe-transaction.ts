import { StoreError } from '../../errors/store.js';
import { redactStoreError } from '../../redact/cause.js';
import { findDatabaseError } from '../../validation/database-error.js';
import { isPromise, isRecord } from '../../validation/record.js';
import type { DedupeTransaction } from '../../webhooks/dedupe-store.js';
import { borrowClient, type PostgresClient, type PostgresPool } from './client.js';
import { beginAs, type PostgresStatements } from './dedupe-sql.js';
import { queryBoolean, queryResult } from './transactions.js';

/**
 * Opens a transaction on a client of the pool. After PostgreSQL has confirmed a COMMIT or ROLLBACK, the
 * client returns to the pool. In every other case, it is destroyed.
 */
export async function beginTransaction<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  sql: PostgresStatements,
): Promise<DedupeTransaction<Client>> {
  const borrowed = await borrowClient(pool);
  const { client, release, settled } = borrowed;
  const end = async (command: 'COMMIT' | 'ROLLBACK') => {
    await settled(run(client, command));
    release(false);
  };
  const name = await redactErrors(() => settled(begin(client)));
  const lent = lend(client);
  /** Whether one of the receiver's own statements is running. */
  let isBusy = false;
  const alone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    isBusy = true;
    try {
      return await redactErrors(work);
    } finally {
      isBusy = false;
    }
  };
  return {
    client: lent.client,
    rejectsLateStatements: true,
    advance: (id, rank, keepFor) =>
      alone(() => queryBoolean(client, sql.advance, [`order:${id}`, rank, keepFor])),
    commit: (id, keepFor, { holder, digest }) =>
      alone(async () => {
        lent.revoke();
        lent.assertAwaited();
        const result = await queryResult(client, sql.completeInTransaction, [
          id,
          holder,
          digest,
          keepFor,
          name,
        ]);
        if (borrowed.isReleased()) throw new StoreError('The transaction ended before its mark was written.');
        lent.assertAwaited();
        if (result !== 'marked' && result !== 'taken') throw endedTooEarly(result);
        await end(result === 'marked' ? 'COMMIT' : 'ROLLBACK');
        return result === 'marked';
      }),
    rollback: async () => {
      lent.revoke();
      // The receiver has stopped waiting for the running statement. A ROLLBACK would have to wait for it, so
      // the connection is closed instead.
      if (isBusy) release(true);
      else if (!borrowed.isReleased()) await redactErrors(() => end('ROLLBACK'));
    },
  };
}

/**
 * Runs a step of the receiver, and redacts its errors. Errors of the handler's own statements do not pass
 * through here, and stay unchanged.
 */
export async function redactErrors<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw findDatabaseError(error)?.code === '25P02' ? handlerStatementFailed() : redactStoreError(error);
  }
}

/**
 * Creates the error for a handler that ignored a failed statement. PostgreSQL rejects every later statement,
 * so its own error would be about the receiver's statement instead of the cause.
 */
const handlerStatementFailed = () =>
  new StoreError(
    'A statement of the handler failed, and the handler ignored its error, so nothing was written (25P02). Rethrow the error, or use a SAVEPOINT.',
    '25P02',
  );

/**
 * Begins a transaction and returns its name. With the name, the delivery can be marked as done in this
 * transaction only.
 */
async function begin(client: PostgresClient): Promise<string> {
  const name = globalThis.crypto.randomUUID();
  // These are two statements in one round trip, so pg returns a list of two results.
  const results: unknown = await client.query(beginAs(name));
  const tags: unknown[] = Array.isArray(results)
    ? results.map((result) => (isRecord(result) ? result.command : undefined))
    : [];
  if (tags[0] === 'BEGIN' && tags[1] === 'SET') return name;
  throw new StoreError('PostgreSQL did not confirm BEGIN and SET. Pass a pool of pg.');
}

/**
 * Ends a transaction. If a statement has failed, PostgreSQL responds to COMMIT with ROLLBACK instead of an
 * error.
 */
async function run(client: PostgresClient, command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  const { command: tag } = await client.query(command);
  if (tag !== command)
    throw new StoreError(
      `PostgreSQL returned ${tag} for ${command}, so nothing counts as written. Await every statement in the handler, and pass a pool of pg.`,
    );
}

/** Creates the error for a delivery that could not be marked as done. */
export const endedTooEarly = (result: unknown) =>
  result === 'ended'
    ? new StoreError(
        "The delivery's transaction ended before its handler. Do not run COMMIT, ROLLBACK, PREPARE TRANSACTION or RESET ALL in a handler. Use SAVEPOINT inside it. A `transaction` function must await its work.",
      )
    : new StoreError("PostgreSQL returned an unknown value for the delivery's mark.");

/**
 * Lends a client to a handler. Once the handler has ended, its statements are rejected. A statement that the
 * handler did not await could otherwise run after the delivery was marked as done and before the commit, or
 * in the client's next transaction.
 */
function lend<Client extends PostgresClient>(client: Client) {
  let isRevoked = false;
  let wasRejected = false;
  let pending = 0;
  const reject = (callback: unknown) => {
    wasRejected = true;
    const error = new Error('The handler and its transaction have ended. Await every statement.');
    if (typeof callback !== 'function') return Promise.reject(error);
    queueMicrotask(() => callback(error));
    return undefined;
  };
  const query = (...args: unknown[]) => {
    const callback = args.at(-1);
    if (isRevoked) return reject(callback);
    if (typeof callback === 'function') {
      const counted = (...result: unknown[]) => {
        pending--;
        callback(...result);
      };
      const pendingResult: unknown = Reflect.apply(client.query, client, [...args.slice(0, -1), counted]);
      pending++;
      return pendingResult;
    }
    const pendingResult: unknown = Reflect.apply(client.query, client, args);
    // A cursor or a stream is not a promise, and does not have to be counted. The statement that marks the
    // delivery as done waits for its end.
    if (!isPromise(pendingResult)) return pendingResult;
    pending++;
    const settled = async () => {
      try {
        return await pendingResult;
      } finally {
        pending--;
      }
    };
    return settled();
  };
  const release = () => {
    throw new Error('The receiver releases the client. A handler must not release it.');
  };
  const lent = new Proxy(client, {
    get(_, name) {
      if (name === 'query') return query;
      if (name === 'release') return release;
      const value: unknown = Reflect.get(client, name, client);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(client) : value;
    },
  });
  return {
    client: lent,
    revoke: () => {
      isRevoked = true;
    },
    /** Throws if a statement of the handler is still running, or was rejected because it came too late. */
    assertAwaited: () => {
      if (pending > 0 || wasRejected)
        throw new StoreError(
          'The handler ended before its statements, so nothing was written. Await every statement.',
        );
    },
  };
}
