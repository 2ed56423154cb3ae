import { failed, late, withTimeout } from '../../validation/time-limit.js';
import type { Deadline } from '../call/deadline.js';

/**
 * Counts the requests of all processes together, for example in a shared database. If the store fails,
 * requests are sent anyway, and none waits for the store for more than half a second. Until the store works
 * again, each client counts only its own requests. See `redisRateLimitStore` and `libsqlRateLimitStore`.
 */
export interface RateLimitStore {
  /**
   * Counts a request under `key`, unless `limit` requests were counted under it in the last `windowMs`
   * milliseconds. Both must be one atomic step, on a clock that all processes share. A counted request is
   * never subtracted. It can be forgotten once it is older than the window.
   *
   * @returns 0 if the request was counted; otherwise the milliseconds until a request can be counted: above
   * 0, and at most `windowMs`. Any other value counts as a failure of the store.
   */
  reserve(key: string, limit: number, windowMs: number): Promise<number>;
}

/** A call with little time left waits at most half of that time. */
const patienceMs = 500;
/** After a failure. */
const pauseAfterFailureMs = 5_000;

interface ReserveRequest {
  readonly key: () => Promise<string>;
  readonly limit: number;
  readonly windowMs: number;
}

/** The merchant's store can throw, hang, respond late or return invalid values. */
export class SharedCount {
  readonly #store: RateLimitStore;
  #pausedUntil = 0;

  constructor(store: RateLimitStore) {
    this.#store = store;
  }

  /** Resolves with 0, the milliseconds to wait, or undefined if the store failed or is skipped. */
  async reserve(
    request: ReserveRequest,
    deadline: Deadline,
    onFailure: (why: string) => void,
  ): Promise<number | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    // The store always gets its full time, even if this call stops waiting earlier. Otherwise a call with
    // little time left would treat a working store as failed, or would not notice a failed store, so that
    // every such call would wait for it.
    const asked = this.#ask(request, onFailure);
    const result = await deadline.race(
      withTimeout(() => asked, Math.min(patienceMs, deadline.remainingMs / 2)),
    );
    return typeof result === 'number' ? result : undefined;
  }

  async #ask(
    { key, limit, windowMs }: ReserveRequest,
    onFailure: (why: string) => void,
  ): Promise<number | undefined> {
    const result: unknown = await withTimeout(
      async () => this.#store.reserve(await key(), limit, windowMs),
      patienceMs,
    );
    if (typeof result === 'number' && result >= 0 && result <= windowMs) return result;
    const now = performance.now();
    // If several calls notice a failure at the same time, only one reports it.
    if (now < this.#pausedUntil) return undefined;
    this.#pausedUntil = now + pauseAfterFailureMs;
    onFailure(describe(result));
    return undefined;
  }
}

function describe(result: unknown): string {
  if (result === late) return `the store did not respond within ${patienceMs} ms`;
  return result === failed ? 'the store failed' : "the store's response is not a time to wait";
}
