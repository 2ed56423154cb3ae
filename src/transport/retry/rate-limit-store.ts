import { failed, late, withTimeout } from '../../validation/time-limit.js';
import type { Deadline } from '../call/deadline.js';

/**
 * Counts the requests of all processes together, for example in a database that all of them reach. A failing store
 * never makes a call fail or wait for more than half a second: the client then counts alone. See
 * `redisRateLimitStore`.
 */
export interface RateLimitStore {
  /**
   * Counts a request under `key`, unless `limit` requests were counted there in the last `windowMs`
   * milliseconds. Both must be one atomic step, on a clock that all processes share. Nothing counted is ever
   * taken back; it can be forgotten once it is older than the window.
   *
   * @returns 0 if the request was counted. If not, the milliseconds until one can be: above 0, and not more
   * than `windowMs`. Any other value counts as a failure of the store.
   */
  reserve(key: string, limit: number, windowMs: number): Promise<number>;
}

/** Milliseconds that a call waits for an answer of the store; at most half of the time that it has left. */
const patienceMs = 500;
/** How long a failed store is left alone, in milliseconds. */
const pauseAfterFailureMs = 5_000;

/** A reservation: one request of this group, with its limit, in a window of milliseconds. */
interface Ask {
  readonly key: () => Promise<string>;
  readonly limit: number;
  readonly windowMs: number;
}

/** Wraps a merchant's store, which may throw, hang, respond late or return nonsense: none of that affects a call. */
export class SharedCount {
  readonly #store: RateLimitStore;
  #pausedUntil = 0;

  constructor(store: RateLimitStore) {
    this.#store = store;
  }

  /**
   * Reserves one request. Resolves with 0, or with the milliseconds until there is room. Resolves with undefined if
   * the store's reply is unusable, or while a failed store is left alone.
   *
   * @param onFailure receives the reason why the store is left alone from now on
   */
  async reserve(ask: Ask, deadline: Deadline, onFailure: (why: string) => void): Promise<number | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    // It has all of its patience, although a call with less time goes on without it: otherwise calls with
    // little time would hold a store for dead that is not, or would each wait for one that is.
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
    // Of the calls that meet a failure at the same time, one tells it.
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
