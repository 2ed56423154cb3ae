import { limits, type RateLimitGroup } from '../../contract/limits.js';
import { optionsOf, type Reader, type Readers, readIf } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { isRecord } from '../../input/record.js';
import type { Clock } from '../time/clock.js';

/** Requests a minute, by group; `false`: no limits. Default: those of the API document (Limits). */
export type RateLimitOptions = false | RequestsPerMinute;

type RequestsPerMinute = { readonly [Group in RateLimitGroup]?: number | undefined };

const requests = readIf<number>(
  (given) => given === Number.POSITIVE_INFINITY || (Number.isSafeInteger(given) && Number(given) >= 1),
  'must be a number of requests a minute: an integer of at least 1, or Infinity',
);

const byGroup = optionsOf<Readers<RequestsPerMinute>>({ submerchants: requests, vault: requests }, 'group');

const neither = [{ path: '', message: 'must be false, or an object of requests a minute by group' }];

export const rateLimitReader: Reader<RateLimitOptions> = {
  read: (given) => {
    if (given === false) return new Read<RateLimitOptions>(false);
    return isRecord(given) ? byGroup.read(given) : new Read<RateLimitOptions>(undefined, neither);
  },
};

const minute = 60_000;

/** Counts requests in a window that slides with the sandbox's clock (API document, Limits). */
export class RateLimits {
  readonly #accepted = new Map<string, number[]>();
  readonly #clock: Clock;
  readonly #allowed: Readonly<Record<RateLimitGroup, number>>;

  constructor(clock: Clock, options: RateLimitOptions) {
    this.#clock = clock;
    const { submerchants, vault } = options === false ? unlimited : options;
    const stated = limits.requestsPerMinute;
    this.#allowed = { submerchants: submerchants ?? stated.submerchants, vault: vault ?? stated.vault };
  }

  /**
   * Counts a request.
   *
   * @param subject the credential or address that the limit is for.
   * @returns the seconds to wait if there were too many requests; then it is not counted.
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
