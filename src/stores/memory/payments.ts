import { ValidationError } from '../../errors/usage.js';
import {
  isErasable,
  merchantLength,
  type NewRow,
  type PaymentRow,
  type RowChange,
  type RowState,
} from '../payment-row.js';
import type { Claim, PaymentStore, RowFilter, RowId, StateCount } from '../payment-store.js';

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

const toId = ({ merchant, key }: Pick<Row, 'merchant' | 'key'>) => `${merchant} ${key}`;

const compareAge = (a: Row, b: Row) =>
  a.createdAt - b.createdAt || (a.key < b.key ? -1 : Number(a.key > b.key));

class MemoryPayments implements PaymentStore {
  readonly #now: () => number;
  readonly #rows = new Map<string, Row>();
  readonly #open = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  insert({ dueIn, deadlineIn, refreshIn, ...row }: NewRow, transaction?: never): PaymentRow | undefined {
    rejectTransaction(transaction);
    if (this.#rows.has(toId(row))) return undefined;
    const createdAt = this.#now();
    const unknown = { payment: null, paymentId: null, error: null, inDoubt: false };
    const times = { createdAt, dueAt: createdAt + dueIn, deadline: createdAt + deadlineIn };
    const refreshUntil = createdAt + refreshIn;
    return this.#keep({ ...row, ...unknown, ...times, refreshUntil, revision: 1 });
  }

  find(merchant: string, key: string): PaymentRow | undefined {
    const row = this.#rows.get(toId({ merchant, key }));
    return row === undefined ? undefined : { ...row, now: this.#now() };
  }

  findByPayment(
    merchant: string,
    paymentId: string,
    reference: string | undefined,
    transaction?: never,
  ): PaymentRow[] {
    rejectTransaction(transaction);
    const select = (isMeant: (row: Row) => boolean) =>
      this.#select((row) => row.merchant === merchant && isMeant(row));
    const named = select((row) => row.paymentId !== paymentId && row.reference === reference);
    const isKnown = (row: Row) => Number(row.paymentId !== null);
    return [
      ...select((row) => row.paymentId === paymentId),
      ...named.sort((a, b) => isKnown(a) - isKnown(b) || b.createdAt - a.createdAt).slice(0, 10),
    ];
  }

  claim({ merchant, lease, limit, version, key }: Claim): PaymentRow[] {
    const now = this.#now();
    const ids = key === undefined ? [...this.#open] : [toId({ merchant, key })];
    const due = ids
      .flatMap((one) => this.#rows.get(one) ?? [])
      .filter((row) => row.merchant === merchant && row.dueAt !== null && row.version <= version)
      .filter(({ dueAt, state }) => (dueAt as number) <= now || (key !== undefined && state !== 'sending'))
      .sort((a, b) => (a.dueAt as number) - (b.dueAt as number))
      .slice(0, limit);
    return due.map((row) =>
      this.#keep({
        ...row,
        state: 'sending',
        inDoubt: row.inDoubt || (row.state !== 'recorded' && row.state !== 'blocked'),
        attempts: row.attempts + 1,
        revision: row.revision + 1,
        dueAt: now + lease,
      }),
    );
  }

  update(id: RowId, { dueIn, deadlineIn, ...change }: RowChange): boolean {
    const row = this.#rows.get(toId(id));
    if (row?.revision !== id.revision) return false;
    const now = this.#now();
    const deadline = deadlineIn === undefined ? row.deadline : now + deadlineIn;
    const dueAt = dueIn === null ? null : now + dueIn;
    this.#keep({ ...row, ...change, dueAt, deadline, revision: row.revision + 1 });
    return true;
  }

  erase(id: RowId, reduced: string | null): boolean {
    const row = this.#rows.get(toId(id));
    if (row?.revision !== id.revision || !isErasable(row.state)) return false;
    this.#keep({ ...row, payload: null, payment: reduced, revision: row.revision + 1 });
    return true;
  }

  list({ merchant, state, olderThan = 0, after = '', limit }: RowFilter): PaymentRow[] {
    const before = this.#now() - olderThan;
    return this.#select(
      (row) =>
        row.merchant === merchant &&
        (state ?? row.state) === row.state &&
        row.createdAt <= before &&
        row.key > after,
    )
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit);
  }

  listErasable(merchant: string, age: number, limit: number, after?: string): PaymentRow[] {
    const before = this.#now() - age;
    const last = after === undefined ? undefined : this.find(merchant, after);
    if (after !== undefined && last === undefined) return [];
    return this.#select(
      (row) =>
        row.merchant === merchant &&
        isErasable(row.state) &&
        row.payload !== null &&
        row.createdAt <= before &&
        (last === undefined || compareAge(row, last) > 0),
    )
      .sort(compareAge)
      .slice(0, limit);
  }

  counts(merchant: string): StateCount<RowState>[] {
    const now = this.#now();
    const counts = new Map<string, StateCount<RowState>>();
    for (const { createdAt, ...row } of this.#rows.values()) {
      const isOwn = row.merchant === merchant;
      const state = isOwn ? row.state : 'foreign';
      const isDue = row.dueAt !== null && row.dueAt <= now;
      const isSameKind = row.merchant.slice(merchantLength) === merchant.slice(merchantLength);
      if (row.state === 'settled' || !(isOwn || (isDue && isSameKind))) continue;
      const { count, oldest } = counts.get(state) ?? { count: 0, oldest: 0 };
      counts.set(state, { state, count: count + 1, oldest: Math.max(oldest, now - createdAt) });
    }
    return [...counts.values()];
  }

  adopt(merchant: string, former: string): number {
    const now = this.#now();
    const rows = this.#select(
      ({ key, state, dueAt, ...row }) =>
        row.merchant === former &&
        !(state === 'sending' && (dueAt ?? 0) > now) &&
        !this.#rows.has(toId({ merchant, key })),
    );
    for (const { now: _, ...row } of rows) {
      this.#rows.delete(toId(row));
      this.#open.delete(toId(row));
      const inDoubt = row.inDoubt || row.state === 'settled';
      this.#keep({ ...row, merchant, inDoubt, revision: row.revision + 1 });
    }
    return rows.length;
  }

  #select(isMeant: (row: Row) => boolean): PaymentRow[] {
    const now = this.#now();
    return [...this.#rows.values()].filter(isMeant).map((row) => ({ ...row, now }));
  }

  #keep(row: Row): PaymentRow {
    const id = toId(row);
    this.#rows.set(id, row);
    if (row.dueAt === null) this.#open.delete(id);
    else this.#open.add(id);
    return { ...row, now: this.#now() };
  }
}
