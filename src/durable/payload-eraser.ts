import { StoreError } from '../errors/store.js';
import { wait } from '../validation/time-limit.js';
import type { ResolvedOptions } from './options.js';
import type { Attempts } from './settler.js';

/** In milliseconds. */
const pause = 60_000;

/** In milliseconds, after an erasure that has left rows, because the next one reads each of them again. */
const pauseAfterLeftRows = 3_600_000;

const pageSize = 100;

interface LeftRow {
  readonly key: string;
  readonly error: unknown;
}

/** Erases old payloads one after the other, while `run` claims and sends other rows. */
export class PayloadEraser<Transaction, Recorded> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Attempts<Transaction, object, Recorded>;
  readonly #age: number;
  /** The number of rows in the last report. */
  #reported = 0;

  /** @param age milliseconds from the record of a row */
  constructor(
    options: ResolvedOptions<Transaction>,
    settler: Attempts<Transaction, object, Recorded>,
    age: number,
  ) {
    this.#options = options;
    this.#settler = settler;
    this.#age = age;
  }

  /** Never rejects. */
  async run(signal: AbortSignal | undefined): Promise<void> {
    let left = 0;
    while (signal?.aborted !== true) {
      await wait(left > 0 ? pauseAfterLeftRows : pause, signal);
      try {
        left = await this.#erase(signal);
      } catch (error) {
        this.#settler.report(error, { during: 'erase' });
      }
    }
  }

  /** Returns the number of rows that could not be erased, for example because this process cannot decrypt them. */
  async #erase(signal: AbortSignal | undefined): Promise<number> {
    const { store } = this.#options;
    let left = 0;
    let first: LeftRow | undefined;
    let last: string | undefined;
    let isEnd = false;
    while (!isEnd) {
      const rows = await store.listErasable(this.#age, pageSize, last);
      for (const { key } of rows) {
        if (signal?.aborted) return left;
        const row = await store.find(key);
        try {
          if (row !== undefined) await this.#settler.erase(row);
        } catch (error) {
          first ??= { key, error };
          left += 1;
        }
      }
      const end = rows.at(-1)?.key;
      // A store that ignores the last key returns the same rows again.
      isEnd = rows.length < pageSize || end === last;
      last = end;
    }
    this.#report(left, first);
    return left;
  }

  /** Reports rows that stay once, and again each time that their number has doubled. */
  #report(left: number, first: LeftRow | undefined): void {
    const isNews = left >= 2 * this.#reported;
    this.#reported = isNews ? left : Math.min(left, this.#reported);
    if (first === undefined || !isNews) return;
    const { key, error } = first;
    const message = `${left} ${this.#settler.kind.noun}s were not erased. The first: ${(error as Error).message}`;
    this.#settler.report(left === 1 ? error : new StoreError(message), { during: 'erase', key });
  }
}
