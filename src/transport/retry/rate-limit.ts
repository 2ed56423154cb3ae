import type { RateLimitGroup } from '../../contract/limits.js';
import type { Deadline } from '../deadline.js';

/** What the client does about the limits of the API document: wait until there is room, refuse, or nothing. */
export type RateLimitMode = 'wait' | 'error' | 'off';

/** The window of the limits, in milliseconds. */
const minute = 60_000;

/**
 * Counts the requests of one client, by group, over a window that slides: however the platform counts
 * its minutes, no minute holds more.
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
   * Takes a place for one request, and waits for it within the deadline. Resolves with 0, or, where no
   * place was taken, with the milliseconds until there is one.
   */
  async enter(group: RateLimitGroup, deadline: Deadline): Promise<number> {
    for (;;) {
      const wait = this.#untilRoom(group);
      if (wait === 0) {
        this.#sent[group].push(performance.now());
        return 0;
      }
      if (!this.#waits || wait >= deadline.remaining) return wait;
      await deadline.wait(wait);
    }
  }

  #untilRoom(group: RateLimitGroup): number {
    const now = performance.now();
    const sent = this.#sent[group];
    while (sent[0] !== undefined && sent[0] + minute <= now) sent.shift();
    const oldest = sent[sent.length - this.limits[group]];
    return oldest === undefined ? 0 : oldest + minute - now;
  }
}
