import { StoreError } from '../../errors/store.js';
import { redactStoreError } from '../../redact/cause.js';
import { isErrorNamed } from '../../validation/builtins.js';
import { findDatabaseError } from '../../validation/database-error.js';
import { withTimeout } from '../../validation/time-limit.js';
import { type ClaimDetails, type DedupeTransaction, rankId } from '../dedupe-store.js';
import { nameTransaction, type PostgresStatements } from './dedupe-sql.js';
import { findRunner, queryResult, queryRow, queryRows } from './transactions.js';

/** Runs `work` in a transaction of your library: `(work) => db.transaction(work)`. */
export type RunInTransaction<Transaction> = (
  work: (transaction: Transaction) => Promise<void>,
) => PromiseLike<unknown>;

const noTransaction = () =>
  new StoreError(
    'The option transaction opened no transaction, or ended it before the handler. Pass (work) => db.transaction(work), and await or return its promise.',
  );

const elsewhere = () =>
  new StoreError(
    'The option transaction opened its transaction in another database or schema than the pool of postgresDedupe. Pass a pool of the same database, and the option table with a schema.',
  );

const passedNone = () =>
  new StoreError(
    'The option transaction passed no transaction to its work. Pass (work) => db.transaction(work).',
  );

/** Explains a method that was passed without its object. */
const explainTypeError = (error: unknown): unknown =>
  isErrorNamed(error, 'TypeError')
    ? new StoreError(
        `The option transaction threw: ${redactStoreError(error).message}. Pass (work) => db.transaction(work).`,
      )
    : error;

/** Creates the error that `work` rejects with, so that the library rolls back. */
const rolledBack = () => new Error('The delivery was not handled, so its transaction is rolled back.');

const abortTimeoutMs = 1_000;

/** A statement that fails, so that PostgreSQL responds to COMMIT with ROLLBACK. Its text appears in the server's log. */
const abortSql =
  "SELECT 'The delivery was not handled, so its transaction is rolled back.'::integer AS result";

/** Errors of the handler's own statements do not pass through here, and stay unchanged. */
async function redactErrors<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw findDatabaseError(error)?.code === '25P02' ? handlerStatementFailed() : redactStoreError(error);
  }
}

/**
 * PostgreSQL rejects every later statement, so its own error would be about the receiver's statement instead
 * of the cause.
 */
const handlerStatementFailed = () =>
  new StoreError(
    'A statement of the handler failed, and the handler ignored its error, so nothing was written (25P02). Rethrow the error, or use a SAVEPOINT.',
    '25P02',
  );

const endedTooEarly = (result: unknown) =>
  result === 'ended'
    ? new StoreError(
        "The delivery's transaction ended before its handler. Do not run COMMIT, ROLLBACK, PREPARE TRANSACTION or RESET ALL in a handler. Use SAVEPOINT inside it. A `transaction` function must await its work.",
      )
    : new StoreError("PostgreSQL returned an unknown value for the delivery's mark.");

/**
 * The library commits when `work` resolves, and rolls back when it rejects. `work` calls the handler, so that
 * the handler runs in the async context of the library's callback, and then waits for the receiver's
 * decision. After a failed statement, PostgreSQL responds to COMMIT with ROLLBACK, and most libraries resolve
 * anyway. A delivery therefore counts as done only if the store sees that on another connection.
 *
 * Once the library has rejected, nothing more is sent, and `work` never settles. The connection may be lost,
 * and postgres.js would then throw outside of any promise.
 *
 * Above READ COMMITTED, the mark that the delivery is done would fail if the claim was renewed since the transaction's
 * first statement. There, a lock on the claim's row replaces the renewals.
 *
 * @param library checks the library's transaction. `runInTransaction` does not need it
 */
export function openTransaction<Transaction>(
  run: RunInTransaction<Transaction>,
  sql: PostgresStatements,
  name: string,
  library?: {
    readonly store: { readonly place: unknown; isDone(id: string, details: ClaimDetails): Promise<boolean> };
    readonly claim: readonly [id: string, details: ClaimDetails];
  },
): Promise<DedupeTransaction<Transaction>> {
  let wasCalled = false;
  let isOver = false;
  let isLost = false;
  return new Promise((opened, failed) => {
    const handle = async (client: Transaction) => {
      if (findRunner(client) === undefined) throw passedNone();
      // Some libraries run `work` again after a failed transaction. The second run would lack the handler's
      // writes.
      if (wasCalled) throw new StoreError('The library ran the work of a transaction twice.');
      wasCalled = true;
      let keepsClaim = false;
      if (library !== undefined) {
        const {
          store,
          claim: [id, { holder }],
        } = library;
        await queryResult(client, nameTransaction(), [name]);
        // Without a transaction, the name is already gone.
        const { result, place, isolation } = await queryRow(client, sql.transactionName, []);
        if (result !== name) throw noTransaction();
        if (place !== store.place) throw elsewhere();
        if (isolation === 'repeatable read' || isolation === 'serializable')
          keepsClaim = (await queryRows(client, sql.lockClaim, [id, holder])).length === 1;
      }
      // The receiver no longer waits for this transaction, so the library has to end it. It is empty.
      if (isOver) return;
      const handler = defer<(() => void) | undefined>();
      const decision = defer<void>();
      const ask = <Result>(statement: () => Promise<Result>): Promise<Result> =>
        redactErrors(() => (isOver ? ended.then(endedBefore) : statement()));
      const decide = (error?: Error) => {
        if (isLost) return;
        handler.resolve(undefined);
        if (error === undefined) decision.resolve();
        else decision.reject(error);
      };
      const rollBack = async () => {
        if (isLost) return;
        // The option's function can ignore the rejection of `work`, and commit. The statement can wait behind a
        // statement of the handler that hangs.
        if (library !== undefined) await withTimeout(() => queryResult(client, abortSql, []), abortTimeoutMs);
        decide(rolledBack());
        await ended.catch(() => {});
      };
      opened({
        client,
        rejectsLateStatements: library === undefined,
        keepsClaim,
        run: (work) =>
          isOver
            ? redactErrors(() => ended.then(endedBefore))
            : new Promise((resolve) => handler.resolve(() => resolve((async () => work())()))),
        advance: (id, rank, keepFor) =>
          ask(async () => (await queryRows(client, sql.advance, [rankId(id), rank, keepFor])).length === 1),
        commit: async (id, keepFor, details) => {
          const { holder, digest } = details;
          const values = [id, holder, digest, keepFor, name];
          const result = await ask(() => queryResult(client, sql.completeInTransaction, values));
          if (result !== 'marked' && result !== 'taken') throw endedTooEarly(result);
          if (result === 'taken') {
            await rollBack();
            return false;
          }
          decide();
          await redactErrors(() => ended);
          if (library === undefined || (await library.store.isDone(id, details))) return true;
          throw new StoreError(
            'The library reported no error, but its transaction was not committed. Await every statement in the handler, and pass a function that opens a new transaction.',
          );
        },
        rollback: rollBack,
      });
      (await handler.promise)?.();
      await decision.promise;
    };
    const work = (client: Transaction) => {
      const handled = handle(client);
      // A function that does not await `work` must not end the process.
      handled.catch(() => {});
      return handled;
    };
    const ended = (async () => void (await run(work)))();
    ended.then(
      () => {
        isOver = true;
        failed(noTransaction());
      },
      (error) => {
        isOver = true;
        isLost = true;
        failed(redactStoreError(wasCalled ? error : explainTypeError(error)));
      },
    );
  });
}

function endedBefore(): never {
  throw endedTooEarly('ended');
}

function defer<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((...functions) => {
    [resolve, reject] = functions;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
