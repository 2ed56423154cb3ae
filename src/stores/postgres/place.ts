import { StoreError } from '../../errors/store.js';
import { failed, late, withTimeout } from '../../validation/time-limit.js';
import { quoted } from '../table-names.js';

/**
 * Two connections with the same value see the same rows. The server's start is a number of microseconds, because the
 * text of a time depends on the session's TimeZone and DateStyle, and a fraction's digits on extra_float_digits.
 */
export const placeOf = (tableName: string) =>
  `concat_ws(' ', (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, current_database(), to_regclass('${quoted(tableName)}')::oid)`;

/** In milliseconds. All connections of the pool can be in use. */
const patienceMs = 1_000;

export class Place {
  readonly #read: () => Promise<unknown>;
  #known: unknown;
  #reading: Promise<unknown> | undefined;

  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  learn(place: unknown): void {
    this.#known = place;
  }

  /**
   * If the transaction has the pool's only connection, the store cannot read its own place before the
   * transaction ends.
   */
  async is(place: unknown, isOnPool: () => Promise<boolean>): Promise<boolean> {
    if (place === this.#known) return true;
    // A server that was restarted has another place, so a difference counts only after another look.
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    const reading = this.#reading;
    const read = await withTimeout(async () => this.learn(await reading), patienceMs);
    if (read !== late && read !== failed) return place === this.#known;
    if (await isOnPool()) return true;
    throw new StoreError(
      "The store's pool did not respond, so the transaction could be in another database. Nothing was recorded. Run the transaction again, or raise the pool's max.",
    );
  }
}
