import type { RateLimitGroup } from '../../contract/limits.js';
import type { Deadline } from '../deadline.js';

/** What the client does about the documented rate limits: wait until a request is allowed, reject with an error, or nothing. */
export type RateLimitMode = 'wait' | 'error' | 'off';

/** The window of the rate limits: one minute, in milliseconds. */
const windowMs = 60_000;

/**
 * Counts the requests of one client, by group, over a sliding window: whenever the platform's minutes
 * begin, none of them gets more requests than its limit.
 */
export class RateLimiter {
  /** Requests a minute. */
  readonly limits: Readonly<Record<RateLimitGroup, number>>;
  readonly #waits: boolean;
  /** When each of the last requests was sent, oldest first. */
  readonly #sent: Record<RateLimitGroup, number[]> = { submerchants: [], vault: [] };

  constructor(mode: 'wait' | 'error', limits: Readonly<Record<RateLimitGroup, number>>) {
    this.limits = limits;
    this.#waits = mode === 'wait';
  }

  /**
   * Reserves one request. With `wait` it waits until that is possible, within the deadline. Resolves with
   * 0, or, if nothing was reserved, with the milliseconds until a request is allowed.
   */
  async acquire(group: RateLimitGroup, deadline: Deadline): Promise<number> {
    for (;;) {
      const wait = this.#timeUntilFree(group);
      if (wait === 0) {
        this.#sent[group].push(performance.now());
        return 0;
      }
      if (!this.#waits || wait >= deadline.remaining) return wait;
      await deadline.wait(wait);
    }
  }

  #timeUntilFree(group: RateLimitGroup): number {
    const now = performance.now();
    const sent = this.#sent[group];
    while (sent[0] !== undefined && sent[0] + windowMs <= now) sent.shift();
    const oldest = sent[sent.length - this.limits[group]];
    return oldest === undefined ? 0 : oldest + windowMs - now;
  }
}
