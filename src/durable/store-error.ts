import { StoreError } from '../sql/store-error.js';
import { shownCause } from '../transport/redact/cause.js';
import { ShownText } from '../transport/redact/shown-text.js';
import type { PaymentStore } from './payment-store.js';
import { columnNames, defaultTable } from './stores/columns.js';

/** SQLSTATE, or a code of SQLite. */
const databaseCode = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]{1,40})$/;

/** What databases say of themselves, beside the words of the vocabulary. */
const words =
  'INSERT UPDATE SELECT I/O administrator command deadlock execute readonly reserved roles slots SUPERUSER terminating';

/** A database names a column that is missing, or whose value it refuses. */
const shown = new ShownText({
  shown: [...columnNames, ...columnNames.map((name) => `${defaultTable}.${name}`), ...words.split(/[ /]/)],
  secrets: [],
  body: undefined,
});

/**
 * What is shown of an error of a store: its name and code, the words and the columns of its message, and where it
 * was thrown. A database adds the row that failed (`detail`), the parameters of the statement and its own address with
 * a password.
 */
function storeError(thrown: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  const copy = shownCause(thrown ?? null, shown) as Error;
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (typeof code === 'string' && databaseCode.test(code))
    Object.defineProperty(copy, 'code', { value: code });
  return copy;
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
    findByPayment: (id, reference, transaction) =>
      step(() => store.findByPayment(id, reference, transaction), transaction),
    claim: (claim) => step(() => store.claim(claim)),
    update: (key, revision, change, transaction) =>
      step(() => store.update(key, revision, change, transaction), transaction),
    erase: (key, revision, reduced) => step(() => store.erase(key, revision, reduced)),
    list: (filter) => step(() => store.list(filter)),
    listErasable: (age, limit) => step(() => store.listErasable(age, limit)),
    counts: () => step(() => store.counts()),
  };
}
