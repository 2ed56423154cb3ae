import type { RateLimitGroup } from '../contract/limits.js';

/** What the client does about the limits of the API document: wait until there is room, refuse, or nothing. */
export type RateLimitMode = 'wait' | 'error' | 'off';

/** The window of the limits, in milliseconds. */
const minute = 60_000;

/**
 * Counts the requests of one client, by group, over a window that slides: however the platform counts
 * its minutes, no minute holds more.
 */
export class RateLimiter {
  readonly #limits: Readonly<Record<RateLimitGroup, number>>;
  /** When each of the last requests was sent, oldest first. */
  readonly #sent: Record<RateLimitGroup, number[]> = { submerchants: [], vault: [] };

  constructor(limits: Readonly<Record<RateLimitGroup, number>>) {
    this.#limits = limits;
  }

  /** Milliseconds until there is room for one more request; 0 when there is. */
  wait(group: RateLimitGroup): number {
    const now = performance.now();
    const sent = this.#sent[group];
    while (sent[0] !== undefined && sent[0] + minute <= now) sent.shift();
    const limit = this.#limits[group];
    const oldest = sent[sent.length - limit];
    return oldest === undefined ? 0 : oldest + minute - now;
  }

  /** Takes a place. */
  take(group: RateLimitGroup): void {
    this.#sent[group].push(performance.now());
  }
}
