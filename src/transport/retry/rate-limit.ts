import { hashStoreKey } from '../../auth/shared-store.js';
import { findCount, type RateLimitGroup } from '../../contract/limits.js';
import type { Deadline } from '../call/deadline.js';
import { merchantId, type Settings } from '../settings.js';
import { SharedCount } from './rate-limit-store.js';

const minuteMs = 60_000;

/**
 * Two durations for a rate limiter with a store, in milliseconds. A reservation stays usable for
 * `reservationLife`, and the window of a minute is extended by `marginMs`. The platform counts a request when
 * it arrives, which is later than the reservation. Without the margin, the platform could count a slow request
 * of one window and the fast requests of the next window in the same minute.
 */
const reservationLife = 3_000;
const marginMs = 5_000;

export interface Reservation {
  /** 0 if the request was reserved or the call has ended; otherwise the milliseconds until a request is allowed. */
  readonly waitMs: number;
  /** The time until which the reservation can be used, on the monotonic clock. */
  readonly until: number;
}

/**
 * The window slides, because the platform's minute can start at any time. While the store fails, only this
 * client's count applies.
 */
export class RateLimiter {
  readonly #settings: Settings;
  readonly #shared: SharedCount | undefined;
  readonly #windowMs: number;
  readonly #reservedAt: Record<RateLimitGroup, number[]> = { submerchants: [], onboarding: [], vault: [] };
  readonly #keys = new Map<RateLimitGroup, Promise<string>>();

  constructor(settings: Settings) {
    const { rateLimitStore: store } = settings;
    this.#settings = settings;
    this.#shared = store === undefined ? undefined : new SharedCount(store);
    this.#windowMs = store === undefined ? minuteMs : minuteMs + marginMs;
  }

  describe(group: RateLimitGroup): string {
    const { group: counted, limit } = findCount(this.#settings.rateLimits, group);
    const whose = this.#shared === undefined ? "the client's own" : "the client's own, shared";
    return `${whose} rate limit of ${limit} requests a minute (${counted})`;
  }

  /** An unused reservation stays counted. */
  async acquire(
    group: RateLimitGroup,
    deadline: Deadline,
    onFallback: (why: string) => void,
  ): Promise<Reservation> {
    const { group: counted, limit } = findCount(this.#settings.rateLimits, group);
    for (;;) {
      let until = Number.POSITIVE_INFINITY;
      let wait = this.#timeUntilFree(counted, limit);
      if (wait === 0 && this.#shared !== undefined) {
        until = performance.now() + reservationLife;
        const ask = { key: () => this.#buildKey(counted), limit, windowMs: this.#windowMs };
        const shared = await this.#shared.reserve(ask, deadline, onFallback);
        if (deadline.stopReason !== undefined) return { waitMs: 0, until };
        // This client's own count is checked again, because other calls may have filled it in the meantime.
        wait = shared || this.#timeUntilFree(counted, limit);
      }
      if (wait === 0) this.#reservedAt[counted].push(performance.now());
      const waits = this.#settings.rateLimit === 'wait' && wait < deadline.remainingMs;
      if (wait === 0 || !waits) return { waitMs: wait, until };
      await deadline.wait(wait);
    }
  }

  #timeUntilFree(group: RateLimitGroup, limit: number): number {
    const now = performance.now();
    const sent = this.#reservedAt[group];
    while (sent[0] !== undefined && sent[0] + this.#windowMs <= now) sent.shift();
    const oldest = sent[sent.length - limit];
    return oldest === undefined ? 0 : oldest + this.#windowMs - now;
  }

  /** Vault requests are limited per IP address, so all clients that use the store share one limit. */
  #buildKey(group: RateLimitGroup): Promise<string> {
    const address = this.#settings.baseUrl.href.replace(/\/+$/, '');
    const about = group === 'vault' ? [address] : [address, merchantId(this.#settings)];
    const key = this.#keys.get(group) ?? hashStoreKey(`rate-limit:${group}`, about);
    this.#keys.set(group, key);
    return key;
  }
}
