import { failed, late, withTimeout } from '../../validation/time-limit.js';
import type { Deadline } from '../call/deadline.js';

/**
 * Counts the requests of all processes together, for example in a shared database. If the store fails, no
 * call fails or waits for more than half a second: the client then counts alone. See `redisRateLimitStore`.
 */
export interface RateLimitStore {
  /**
   * Counts a request under `key`, unless `limit` requests were counted under it in the last `windowMs`
   * milliseconds. Both must be one atomic step, on a clock that all processes share. A counted request is
   * never subtracted. It can be forgotten once it is older than the window.
   *
   * @returns 0 if the request was counted. If not, the milliseconds until one can be: above 0, and not more
   * than `windowMs`. Any other value counts as a failure of the store.
   */
  reserve(key: string, limit: number, windowMs: number): Promise<number>;
}

/** Milliseconds that a call waits for the store's response; at most half of its remaining time. */
const patienceMs = 500;
/** Milliseconds during which a failed store is not called. */
const pauseAfterFailureMs = 5_000;

/** The parameters of a reservation: the store's key, the limit, and the window in milliseconds. */
interface Ask {
  readonly key: () => Promise<string>;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Wraps a merchant's store, which can throw, hang, respond late or return invalid values. None of these
 * failures affects a call.
 */
export class SharedCount {
  readonly #store: RateLimitStore;
  #pausedUntil = 0;

  constructor(store: RateLimitStore) {
    this.#store = store;
  }

  /**
   * Reserves one request. Resolves with 0, or with the milliseconds until there is room. Resolves with
   * undefined if the store's reply is unusable, or while a failed store is not called.
   *
   * @param onFailure called with the reason when the store starts being skipped
   */
  async reserve(ask: Ask, deadline: Deadline, onFailure: (why: string) => void): Promise<number | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    // The store always gets its full time, although a call with less time left continues without it.
    // Otherwise calls with little time would treat a working store as failed, or would each wait for a failed
    // one.
    const asked = this.#ask(ask, onFailure);
    const answer = await deadline.race(
      withTimeout(() => asked, Math.min(patienceMs, deadline.remainingMs / 2)),
    );
    return typeof answer === 'number' ? answer : undefined;
  }

  async #ask({ key, limit, windowMs }: Ask, onFailure: (why: string) => void): Promise<number | undefined> {
    const answer: unknown = await withTimeout(
      async () => this.#store.reserve(await key(), limit, windowMs),
      patienceMs,
    );
    if (typeof answer === 'number' && answer >= 0 && answer <= windowMs) return answer;
    const now = performance.now();
    // If several calls notice a failure at the same time, only one reports it.
    if (now < this.#pausedUntil) return undefined;
    this.#pausedUntil = now + pauseAfterFailureMs;
    onFailure(describe(answer));
    return undefined;
  }
}

function describe(answer: unknown): string {
  if (answer === late) return `the store did not respond within ${patienceMs} ms`;
  return answer === failed ? 'the store failed' : "the store's response is not a time to wait";
}
