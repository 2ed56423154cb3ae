import { redactedCause } from './cause.js';
import { MessageRedactor } from './message-redactor.js';

/** An error of a store of this package. Its message contains nothing of a row. */
export class StoreError extends Error {}

/**
 * The error of a store as it is shown. A database adds the row that failed, the parameters of the statement and its own
 * address with a password: they are dropped.
 *
 * @param row the row that the statement wrote. Its confidential values are hidden in the message.
 */
export function redactedStoreError(thrown: unknown, row?: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  return redactedCause(thrown ?? null, new MessageRedactor({ named: row })) as Error;
}
