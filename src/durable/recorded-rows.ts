import { ValidationError } from '../errors/usage.js';
import {
  isFinal,
  isKnownFormat,
  type PaymentRow,
  type RowChange,
  type RowState,
} from '../stores/payment-row.js';
import type { StateCount } from '../stores/payment-store.js';
import type { OptionReaders } from '../validation/options.js';
import { wait } from '../validation/time-limit.js';
import {
  checkMethodOptions,
  type FormerMerchant,
  type ListRequestsOptions,
  optionReadersForAdopt,
  type SettleDueOptions,
  settleDueReaders,
} from './method-options.js';
import type { ResolvedOptions } from './options.js';
import type { Attempted, Attempts } from './settler.js';
import { cancelled, reopened } from './transitions.js';
import { DurableWorker, type RunOptions } from './worker.js';

const pollIntervalMs = 200;

const cancellable: readonly RowState[] = ['recorded', 'blocked', 'given_up'];

/** The steps that are the same for payments, withdrawals and registrations. */
export class RecordedRows<Transaction, Result extends object, Recorded> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Attempts<Transaction, Result, Recorded>;
  readonly #notFound: (key: string) => Error;

  constructor(
    options: ResolvedOptions<Transaction>,
    settler: Attempts<Transaction, Result, Recorded>,
    notFound: (key: string) => Error,
  ) {
    this.#options = options;
    this.#settler = settler;
    this.#notFound = notFound;
  }

  /** Rejects any key that is not a string, because a database would convert the key. */
  async row(key: string): Promise<PaymentRow | undefined> {
    if (typeof key !== 'string')
      throw new ValidationError(this.#subject(), [{ path: 'key', message: 'must be a string' }]);
    return this.#options.store.find(key);
  }

  async found(key: string): Promise<PaymentRow> {
    const row = await this.row(key);
    if (row === undefined) throw this.#notFound(key);
    return row;
  }

  async change(
    key: string,
    isPossible: (row: PaymentRow) => boolean,
    change: (row: PaymentRow) => RowChange | Promise<RowChange>,
  ): Promise<boolean> {
    const row = await this.row(key);
    return row !== undefined && isPossible(row) && this.#options.store.update(row, await change(row));
  }

  async pursue(row: PaymentRow): Promise<Attempted<Result>> {
    const { timeout } = this.#options;
    const end = performance.now() + timeout;
    let present = row;
    while (!isFinal(present.state)) {
      const [claimed] = await this.#settler.claim(1, row.key);
      if (claimed !== undefined) return this.#settler.attempt(claimed);
      // Another process holds the row. The row is read again after the failed claim, because this process may
      // have been suspended since it last read the row.
      present = await this.found(row.key);
      if (performance.now() > end || !isKnownFormat(present)) break;
      if (!isFinal(present.state)) await wait(pollIntervalMs);
    }
    return { row: present };
  }

  async find(key: string): Promise<Recorded | undefined> {
    const row = await this.row(key);
    return row === undefined ? undefined : this.#settler.toRecord(row);
  }

  async list(options: unknown, readers: OptionReaders<ListRequestsOptions>): Promise<readonly Recorded[]> {
    const { limit = 100, ...filter } = checkMethodOptions(this.#subject('list'), options, readers);
    const rows = await this.#options.store.list({ ...filter, limit });
    return Promise.all(rows.map((row) => this.#settler.toRecord(row)));
  }

  settleDue(options: SettleDueOptions): Promise<number> {
    const { limit = Math.min(100, this.#settler.kind.atOnce) } = checkMethodOptions(
      this.#subject('settleDue'),
      options,
      settleDueReaders,
    );
    return new DurableWorker(this.#options, this.#settler).once(limit);
  }

  run(options: RunOptions<Recorded>): Promise<void> {
    return new DurableWorker(this.#options, this.#settler).run(options);
  }

  async counts(): Promise<readonly StateCount<RowState>[]> {
    return this.#options.store.counts();
  }

  cancel(key: string): Promise<boolean> {
    return this.change(key, ({ state }) => cancellable.includes(state), cancelled);
  }

  retry(key: string): Promise<boolean> {
    return this.change(
      key,
      ({ state, payload }) => (state === 'failed' || state === 'given_up') && payload !== null,
      reopened,
    );
  }

  async adopt(former: FormerMerchant): Promise<number> {
    return this.#options.store.adopt(
      checkMethodOptions(this.#subject('adopt'), former, optionReadersForAdopt),
    );
  }

  async findPayload(key: string): Promise<object | undefined> {
    const row = await this.row(key);
    return row === undefined ? undefined : this.#settler.showPayload(row);
  }

  async forget(key: string): Promise<boolean> {
    const row = await this.row(key);
    return row !== undefined && this.#settler.erase(row);
  }

  #subject(method?: string): string {
    const subject = `durable ${this.#settler.kind.noun}s`;
    return method === undefined ? subject : `${subject}, ${method}`;
  }
}
