import { StoreError } from '../../errors/store.js';
import { failed, late, withTimeout } from '../../validation/time-limit.js';
import { quoted } from '../table-names.js';

/**
 * The SQL that identifies the server, the database and the table. Two connections with the same value see the
 * same rows.
 */
export const placeOf = (tableName: string) =>
  `concat_ws(' ', pg_postmaster_start_time(), current_database(), to_regclass('${quoted(tableName)}')::oid)`;

/** Milliseconds to wait for the place of the store's own table. All connections of the pool can be in use. */
const patienceMs = 1_000;

/** The place of a store's own table, compared with a transaction's. */
export class Place {
  readonly #read: () => Promise<unknown>;
  #known: unknown;
  #reading: Promise<unknown> | undefined;

  /** @param read reads the place through the store's own connection */
  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  /** Stores the place that one of the store's own statements returned. */
  learn(place: unknown): void {
    this.#known = place;
  }

  /**
   * Checks whether a transaction's statement returned the same place.
   *
   * @param isOnPool whether the transaction runs on a connection of the store's pool. It may be the only one, so
   * the store cannot read its own place before the transaction ends
   * @throws StoreError if the store cannot read its own place. The caller can repeat the transaction
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
