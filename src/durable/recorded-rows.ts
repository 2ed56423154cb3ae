import { ValidationError } from '../errors/usage.js';
import { isErasable, isFinal, type PaymentRow, type RowChange, rowVersion } from '../stores/payment-row.js';
import { wait } from '../validation/time-limit.js';
import type { ResolvedOptions } from './options.js';
import type { Attempted, Attempts } from './settler.js';

const pollIntervalMs = 200;

export class RecordedRows<Transaction, Result extends object> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Attempts<Transaction, Result, unknown>;
  readonly #notFound: (key: string) => Error;

  constructor(
    options: ResolvedOptions<Transaction>,
    settler: Attempts<Transaction, Result, unknown>,
    notFound: (key: string) => Error,
  ) {
    this.#options = options;
    this.#settler = settler;
    this.#notFound = notFound;
  }

  /** Rejects any key that is not a string, because a database would convert the key. */
  async row(key: string): Promise<PaymentRow | undefined> {
    if (typeof key !== 'string')
      throw new ValidationError(`durable ${this.#settler.kind.noun}s`, [
        { path: 'key', message: 'must be a string' },
      ]);
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
    const isKnown = row !== undefined && row.version <= rowVersion && isPossible(row);
    return isKnown && this.#options.store.update(row, await change(row));
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
      if (performance.now() > end || row.version > rowVersion) break;
      if (!isFinal(present.state)) await wait(pollIntervalMs);
    }
    return { row: present };
  }

  async findPayload(key: string): Promise<object | undefined> {
    const row = await this.row(key);
    return row === undefined ? undefined : this.#settler.showPayload(row);
  }

  async forget(key: string): Promise<boolean> {
    const row = await this.row(key);
    return row !== undefined && isErasable(row.state) && this.#settler.erase(row);
  }
}
