import { shownCause } from '../transport/redact/cause.js';
import { vocabularyOnly } from '../transport/redact/shown-text.js';
import type { PaymentStore } from './payment-store.js';

/** An error of a store of this package: its message holds nothing of a row. */
export class StoreError extends Error {}

/** SQLSTATE, or a code of SQLite. */
const databaseCode = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]{1,40})$/;

/**
 * What is shown of an error of a store: its name and code, the words of its message, and where it was thrown. A
 * database adds the row that failed (`detail`), the parameters of the statement and its own address with a password.
 */
function storeError(thrown: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  const shown = shownCause(thrown ?? null, vocabularyOnly) as Error;
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (typeof code === 'string' && databaseCode.test(code))
    Object.defineProperty(shown, 'code', { value: code });
  return shown;
}

/** A store whose errors show nothing of a row. What fails in the transaction of a caller is theirs, and stays as it is. */
export function withShownErrors<Transaction>(store: PaymentStore<Transaction>): PaymentStore<Transaction> {
  const step = async <Answer>(run: () => Answer | Promise<Answer>, transaction?: Transaction) => {
    try {
      return await run();
    } catch (error) {
      throw transaction === undefined ? storeError(error) : error;
    }
  };
  return {
    insert: (row, transaction) => step(() => store.insert(row, transaction), transaction),
    find: (key, transaction) => step(() => store.find(key, transaction), transaction),
    findByPayment: (id, reference) => step(() => store.findByPayment(id, reference)),
    claim: (claim) => step(() => store.claim(claim)),
    update: (key, revision, change) => step(() => store.update(key, revision, change)),
    erase: (key, revision, reduced) => step(() => store.erase(key, revision, reduced)),
    list: (filter) => step(() => store.list(filter)),
    listErasable: (age, limit) => step(() => store.listErasable(age, limit)),
    counts: () => step(() => store.counts()),
  };
}
