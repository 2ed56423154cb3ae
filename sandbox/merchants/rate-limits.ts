import { findCount, type RateLimitGroup, type RequestsPerMinute } from '../../src/contract/limits.js';
import type { Clock } from '../time/clock.js';
import { minute } from '../time/units.js';

/** In a sliding window on the sandbox's clock (API docs, Limits). */
export class RateLimits {
  readonly #accepted = new Map<string, number[]>();
  readonly #clock: Clock;
  readonly #allowed: RequestsPerMinute;

  constructor(clock: Clock, allowed: RequestsPerMinute) {
    this.#clock = clock;
    this.#allowed = allowed;
  }

  clear(): void {
    this.#accepted.clear();
  }

  /**
   * @param subject the credential or address that the limit applies to
   * @returns the seconds to wait; undefined if the request was counted
   */
  take(group: RateLimitGroup, subject: string): number | undefined {
    const now = this.#clock.time();
    const { group: counted, limit } = findCount(this.#allowed, group);
    const key = `${counted} ${subject}`;
    const recent = (this.#accepted.get(key) ?? []).filter((at) => at > now - minute);
    this.#accepted.set(key, recent);
    const [oldest] = recent.slice(-limit);
    if (oldest !== undefined && recent.length >= limit) {
      return Math.ceil((oldest + minute - now) / 1_000);
    }
    if (Number.isFinite(limit)) recent.push(now);
    return undefined;
  }
}
