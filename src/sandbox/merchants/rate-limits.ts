import { limits, type RateLimitGroup } from '../../contract/limits.js';
import type { Clock } from '../time/clock.js';

/** Requests a minute by group; `false` for none. Default: those of the API document. */
export type RateLimitOptions = false | { readonly [Group in RateLimitGroup]?: number };

const groups = Object.keys(limits.requestsPerMinute) as RateLimitGroup[];

const minute = 60_000;

/** Counts requests in a window that slides with the sandbox's clock (API document, Limits). */
export class RateLimits {
  readonly #accepted = new Map<string, number[]>();
  readonly #clock: Clock;
  readonly #allowed: Readonly<Record<RateLimitGroup, number>>;

  /** @throws TypeError for an unknown group and for a number that is none. */
  constructor(clock: Clock, options: RateLimitOptions) {
    this.#clock = clock;
    const chosen = options === false ? unlimited : options;
    for (const [name, value] of Object.entries(chosen)) {
      if (!groups.includes(name as RateLimitGroup)) {
        throw new TypeError(`rateLimits: ${name} is no group (they are ${groups.join(', ')}).`);
      }
      if (value !== Number.POSITIVE_INFINITY && (!Number.isInteger(value) || value < 1)) {
        throw new TypeError(`rateLimits: ${name} is a number of requests a minute, not ${value}.`);
      }
    }
    this.#allowed = { ...limits.requestsPerMinute, ...chosen };
  }

  /**
   * Counts a request of a subject: a credential or an address.
   *
   * @returns how many seconds to wait, where there were too many; such a request is not counted.
   */
  take(group: RateLimitGroup, subject: string): number | undefined {
    const now = this.#clock.time();
    const key = `${group} ${subject}`;
    const recent = (this.#accepted.get(key) ?? []).filter((at) => at > now - minute);
    this.#accepted.set(key, recent);
    const [oldest] = recent.slice(-this.#allowed[group]);
    if (oldest !== undefined && recent.length >= this.#allowed[group]) {
      return Math.ceil((oldest + minute - now) / 1_000);
    }
    if (Number.isFinite(this.#allowed[group])) recent.push(now);
    return undefined;
  }
}

const unlimited: Readonly<Record<RateLimitGroup, number>> = {
  submerchants: Number.POSITIVE_INFINITY,
  vault: Number.POSITIVE_INFINITY,
};
