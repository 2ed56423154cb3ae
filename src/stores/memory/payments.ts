import { isErasable, type NewRow, type PaymentRow, type RowChange } from '../../durable/payment-row.js';
import type { Claim, PaymentStore, RowFilter, StateCount } from '../../durable/payment-store.js';
import { ValidationError } from '../../errors/usage.js';

/** Options of `memoryPayments`. */
export interface MemoryPaymentsOptions {
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** Stores payments in this process's memory, for tests. The payments are lost when the process ends. */
export function memoryPayments(options: MemoryPaymentsOptions = {}): PaymentStore {
  return new MemoryPayments(options.now ?? Date.now);
}

function rejectTransaction(transaction: unknown): void {
  if (transaction !== undefined)
    throw new ValidationError('durable payments', [
      { path: 'options.client', message: 'is not supported by memoryPayments, which has no transactions' },
    ]);
}

type Row = Omit<PaymentRow, 'now'>;

class MemoryPayments implements PaymentStore {
  readonly #now: () => number;
  readonly #rows = new Map<string, Row>();
  /** The idempotency keys of the rows that are not in a final state. */
  readonly #open = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  insert({ dueIn, deadlineIn, ...row }: NewRow, transaction?: never): PaymentRow | undefined {
    rejectTransaction(transaction);
    if (this.#rows.has(row.key)) return undefined;
    const createdAt = this.#now();
    const unknown = { payment: null, paymentId: null, error: null, inDoubt: false };
    const times = { createdAt, dueAt: createdAt + dueIn, deadline: createdAt + deadlineIn };
    return this.#keep({ ...row, ...unknown, ...times, revision: 1 });
  }

  find(key: string): PaymentRow | undefined {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : { ...row, now: this.#now() };
  }

  findByPayment(paymentId: string, reference: string | undefined, transaction?: never): PaymentRow[] {
    rejectTransaction(transaction);
    const own = this.#select((row) => row.paymentId === paymentId);
    const named = reference === undefined ? undefined : this.find(reference);
    return named === undefined || named.paymentId === paymentId ? own : [...own, named];
  }

  claim({ lease, limit, version, key }: Claim): PaymentRow[] {
    const now = this.#now();
    const keys = key === undefined ? [...this.#open] : [key];
    const due = keys
      .flatMap((one) => this.#rows.get(one) ?? [])
      .filter((row) => row.dueAt !== null && row.version <= version)
      .filter(({ dueAt, state }) => (dueAt as number) <= now || (key !== undefined && state !== 'sending'))
      .sort((a, b) => (a.dueAt as number) - (b.dueAt as number))
      .slice(0, limit);
    return due.map((row) =>
      this.#keep({
        ...row,
        state: 'sending',
        inDoubt: row.inDoubt || row.state !== 'recorded',
        attempts: row.attempts + 1,
        revision: row.revision + 1,
        dueAt: now + lease,
      }),
    );
  }

  update(key: string, revision: number, { dueIn, deadlineIn, ...change }: RowChange): boolean {
    const row = this.#rows.get(key);
    if (row?.revision !== revision) return false;
    const now = this.#now();
    const deadline = deadlineIn === undefined ? row.deadline : now + deadlineIn;
    const dueAt = dueIn === null ? null : now + dueIn;
    this.#keep({ ...row, ...change, dueAt, deadline, revision: revision + 1 });
    return true;
  }

  erase(key: string, revision: number, reduced: string | null): boolean {
    const row = this.#rows.get(key);
    if (row?.revision !== revision || !isErasable(row.state)) return false;
    this.#keep({ ...row, payload: null, payment: reduced, revision: revision + 1 });
    return true;
  }

  list({ state, olderThan = 0, after = '', limit }: RowFilter): PaymentRow[] {
    const before = this.#now() - olderThan;
    return this.#select(
      (row) => (state ?? row.state) === row.state && row.createdAt <= before && row.key > after,
    )
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit);
  }

  listErasable(age: number, limit: number): PaymentRow[] {
    const before = this.#now() - age;
    return this.#select(
      (row) => isErasable(row.state) && row.payload !== null && row.createdAt <= before,
    ).slice(0, limit);
  }

  counts(): StateCount[] {
    const now = this.#now();
    const counts = new Map<string, StateCount>();
    for (const { state, createdAt } of this.#rows.values()) {
      if (state === 'settled') continue;
      const { count, oldest } = counts.get(state) ?? { count: 0, oldest: 0 };
      counts.set(state, { state, count: count + 1, oldest: Math.max(oldest, now - createdAt) });
    }
    return [...counts.values()];
  }

  #select(isMeant: (row: Row) => boolean): PaymentRow[] {
    const now = this.#now();
    return [...this.#rows.values()].filter(isMeant).map((row) => ({ ...row, now }));
  }

  #keep(row: Row): PaymentRow {
    this.#rows.set(row.key, row);
    if (row.dueAt === null) this.#open.delete(row.key);
    else this.#open.add(row.key);
    return { ...row, now: this.#now() };
  }
}
