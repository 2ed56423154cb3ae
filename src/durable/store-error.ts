import { redactedStoreError } from '../redact/cause.js';
import { isRecord } from '../validation/record.js';
import type { PaymentStore } from './payment-store.js';

/** A row whose JSON is read: a database may repeat any part of it. */
function readable(row: unknown): unknown {
  if (!isRecord(row)) return row;
  return Object.entries(row).map(([name, value]) => {
    try {
      return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : { [name]: value };
    } catch {
      return value;
    }
  });
}

/** A store whose errors show nothing of a row. What fails in the transaction of a caller is theirs, and stays as it is. */
export function withRedactedErrors<Transaction>(store: PaymentStore<Transaction>): PaymentStore<Transaction> {
  const step = async <Answer>(
    run: () => Answer | Promise<Answer>,
    transaction?: Transaction,
    row?: unknown,
  ) => {
    try {
      return await run();
    } catch (error) {
      throw transaction === undefined ? redactedStoreError(error, readable(row)) : error;
    }
  };
  return {
    insert: (row, transaction) => step(() => store.insert(row, transaction), transaction, row),
    find: (key, transaction) => step(() => store.find(key, transaction), transaction),
    findByPayment: (id, reference, transaction) =>
      step(() => store.findByPayment(id, reference, transaction), transaction),
    claim: (claim) => step(() => store.claim(claim)),
    update: (key, revision, change, transaction) =>
      step(() => store.update(key, revision, change, transaction), transaction, change),
    erase: (key, revision, reduced) =>
      step(() => store.erase(key, revision, reduced), undefined, { reduced }),
    list: (filter) => step(() => store.list(filter)),
    listErasable: (age, limit) => step(() => store.listErasable(age, limit)),
    counts: () => step(() => store.counts()),
  };
}
