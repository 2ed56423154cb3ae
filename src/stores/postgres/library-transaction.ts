import { redactStoreError, StoreError } from '../../redact/cause.js';
import { withTimeout } from '../../validation/time-limit.js';
import type { ClaimDetails, DedupeTransaction } from '../../webhooks/dedupe-store.js';
import { nameTransaction, type PostgresStatements, readTransactionName } from './dedupe-sql.js';
import { endedTooEarly, redactErrors } from './dedupe-transaction.js';
import { findRunner, queryBoolean, queryResult } from './transactions.js';

/** Runs `work` in a transaction of your library: `(work) => db.transaction(work)`. */
export type RunInTransaction<Transaction> = (
  work: (transaction: Transaction) => Promise<void>,
) => PromiseLike<unknown>;

const noTransaction = () =>
  new StoreError(
    'The option transaction opened no transaction, or ended it before the handler. Pass (work) => db.transaction(work), and await or return its promise.',
  );

const passedNone = () =>
  new StoreError(
    'The option transaction passed no transaction to its work. Pass (work) => db.transaction(work).',
  );

/** Explains a method that was passed without its object. Other errors come from the library, unchanged. */
const explainTypeError = (error: unknown): unknown =>
  error instanceof TypeError
    ? new StoreError(`The option transaction threw: ${error.message}. Pass (work) => db.transaction(work).`)
    : error;

/** Creates the error that `work` rejects with, so that the library rolls back. */
const rolledBack = () => new Error('The delivery was not handled, so its transaction is rolled back.');

/** Milliseconds to wait for `abortSql`. */
const abortTimeoutMs = 1_000;

/** A statement that fails, so that PostgreSQL answers COMMIT with ROLLBACK. Its text appears in the server's log. */
const abortSql =
  "SELECT 'The delivery was not handled, so its transaction is rolled back.'::integer AS result";

/**
 * Opens a transaction with a library. The library commits when `work` resolves, and rolls back when it
 * rejects. `work` only waits for the receiver's decision. After a failed statement, PostgreSQL responds to
 * COMMIT with ROLLBACK, and most libraries resolve anyway. A delivery therefore counts as done only if
 * `committed` sees that on another connection.
 */
export function openTransaction<Transaction>(
  run: RunInTransaction<Transaction>,
  sql: PostgresStatements,
  committed: { isDone(id: string, details: ClaimDetails): Promise<boolean> },
): Promise<DedupeTransaction<Transaction>> {
  let end: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let isOver = false;
  return new Promise((opened, failed) => {
    const handle = async (client: Transaction) => {
      if (findRunner(client) === undefined) throw passedNone();
      // Some libraries run `work` again after a failed transaction. The second run would lack the handler's
      // writes.
      if (end !== undefined) throw new StoreError('The library ran the work of a transaction twice.');
      const decided = new Promise<void>((resolve, reject) => {
        end = { resolve, reject };
      });
      const name = globalThis.crypto.randomUUID();
      await queryResult(client, nameTransaction(), [name]);
      // Without a transaction, the name is already gone.
      if ((await queryResult(client, readTransactionName(), [])) !== name) throw noTransaction();
      // The receiver no longer waits for this transaction, so the library has to end it. It is empty.
      if (isOver) return;
      const rollBack = async () => {
        // The option's function can ignore the rejection of `work`, and commit. The statement can wait behind a
        // statement of the handler that hangs.
        await withTimeout(() => queryResult(client, abortSql, []), abortTimeoutMs);
        end?.reject(rolledBack());
        await ended.catch(() => {});
      };
      opened({
        client,
        advance: (id, rank, keepFor) =>
          redactErrors(() => queryBoolean(client, sql.advance, [`order:${id}`, rank, keepFor])),
        commit: async (id, keepFor, details) => {
          const { holder, digest } = details;
          const values = [id, holder, digest, keepFor, name];
          const result = await redactErrors(() => queryResult(client, sql.completeInTransaction, values));
          if (result !== 'marked' && result !== 'taken') throw endedTooEarly(result);
          if (result === 'taken') {
            await rollBack();
            return false;
          }
          end?.resolve();
          await redactErrors(() => ended);
          if (await committed.isDone(id, details)) return true;
          throw new StoreError(
            'The library reported no error, but its transaction was not committed. Await every statement in the handler, and pass a function that opens a new transaction.',
          );
        },
        rollback: rollBack,
      });
      await decided;
    };
    const work = (client: Transaction) => {
      const handled = handle(client);
      // A function that does not await `work` must not end the process.
      handled.catch(() => {});
      return handled;
    };
    const ended = (async () => void (await run(work)))();
    ended.then(
      () => failed(noTransaction()),
      (error) => failed(redactStoreError(end === undefined ? explainTypeError(error) : error)),
    );
    ended
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
  });
}
