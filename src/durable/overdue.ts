import type { DurableState, RowState } from '../stores/payment-row.js';
import type { ResolvedOptions } from './options.js';
import type { PaymentRecord } from './payment-record.js';
import type { Attempts } from './settler.js';

/** Payments in the same state, with at least one that stays open for too long. */
export interface OverduePayments<Recorded = PaymentRecord> {
  /** The state of the payments. */
  readonly state: DurableState;
  /** The number of payments in this state. */
  readonly count: number;
  /** The age of the oldest payment, in milliseconds. */
  readonly oldest: number;
  /** At most ten overdue payments, ordered by key. */
  readonly records: readonly Recorded[];
}

const openStates: readonly string[] = [
  'recorded',
  'blocked',
  'sending',
  'unknown',
  'in_doubt',
] satisfies RowState[];

const shownRecords = 10;

/** Reports payments that stay open, by state: once, and again each time that their age has doubled. */
export class OverdueWatch<Transaction, Recorded> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Attempts<Transaction, object, Recorded>;
  readonly #after: number;
  readonly #onOverdue: ((overdue: OverduePayments<Recorded>) => unknown) | undefined;
  /** The age of the oldest payment in the last report, by state. */
  readonly #reported = new Map<string, number>();
  #next = 0;

  /** @param after milliseconds from the record of a payment */
  constructor(
    options: ResolvedOptions<Transaction>,
    settler: Attempts<Transaction, object, Recorded>,
    after: number,
    onOverdue: ((overdue: OverduePayments<Recorded>) => unknown) | undefined,
  ) {
    this.#options = options;
    this.#settler = settler;
    this.#after = after;
    this.#onOverdue = onOverdue;
  }

  async check(): Promise<void> {
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + Math.min(this.#after, 60_000);
    try {
      for (const { state, count, oldest } of await this.#options.store.counts()) {
        if (!openStates.includes(state)) continue;
        if (this.#isNews(state, oldest)) await this.#report({ state: state as DurableState, count, oldest });
        this.#remember(state, oldest);
      }
    } catch {
      // The claim reports a failing store.
    }
  }

  #isNews(state: string, oldest: number): boolean {
    return oldest >= Math.max(this.#after, 2 * (this.#reported.get(state) ?? 0));
  }

  /** If the oldest payment has ended, the next one counts. */
  #remember(state: string, oldest: number): void {
    const last = this.#isNews(state, oldest) ? oldest : Math.min(this.#reported.get(state) ?? 0, oldest);
    if (oldest < this.#after) this.#reported.delete(state);
    else this.#reported.set(state, last);
  }

  async #report(overdue: Omit<OverduePayments, 'records'>): Promise<void> {
    const { state, count, oldest } = overdue;
    const rows = await this.#options.store.list({ state, olderThan: this.#after, limit: shownRecords });
    const records = await Promise.all(rows.map((row) => this.#settler.toRecord(row)));
    if (this.#onOverdue === undefined) {
      const keys = rows.map(({ key }) => key).join(', ');
      const { noun, scope } = this.#settler.kind;
      const which = count === 1 ? `${noun} is` : `${noun}s are`;
      const message = `${count} ${which} ${state}, the oldest for ${Math.round(oldest / 1_000)} seconds: ${keys}. Run payment-platform durable show with a key${scope === '' ? '' : ` and --of ${scope.slice(1)}`}.`;
      return this.#settler.report(new Error(message), { during: 'overdue' });
    }
    const run = async () => this.#onOverdue?.({ ...overdue, records });
    run().catch((error: unknown) => this.#settler.report(error, { during: 'hook' }));
  }
}
