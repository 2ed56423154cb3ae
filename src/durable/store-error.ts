import { shownCause } from '../transport/redact/cause.js';
import { vocabularyOnly } from '../transport/redact/shown-text.js';

/** An error of a store of this package: its message holds nothing of a row. */
export class StoreError extends Error {}

/** SQLSTATE, or a code of SQLite. */
const databaseCode = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]{1,40})$/;

/**
 * What is shown of an error of a store: its name and code, the words of its message, and where it was thrown. A
 * database adds the row that failed (`detail`), the parameters of the statement and its own address with a password.
 */
export function storeError(thrown: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  const shown = shownCause(thrown ?? null, vocabularyOnly) as Error;
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (typeof code === 'string' && databaseCode.test(code))
    Object.defineProperty(shown, 'code', { value: code });
  return shown;
}
