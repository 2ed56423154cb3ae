import { countOf, limits, type RateLimitGroup, type RequestsPerMinute } from '../../contract/limits.js';
import { optionsOf, type Reader, type Readers, readIf } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { isRecord } from '../../input/record.js';
import type { Clock } from '../time/clock.js';

/**
 * Requests a minute, by group: integers of at least 1, or Infinity; `false`: no limits. With `onboarding:
 * 'submerchants'`, the default, submissions of an onboarding count towards the limit of `submerchants`.
 * Default: the numbers of the API document (Limits).
 */
export type RateLimitOptions = false | LimitsByGroup;

type LimitsByGroup = { readonly [Group in RateLimitGroup]?: RequestsPerMinute[Group] | undefined };

const isRequests = (given: unknown) =>
  given === Number.POSITIVE_INFINITY || (Number.isSafeInteger(given) && Number(given) >= 1);

const rule = 'must be a number of requests a minute: an integer of at least 1, or Infinity';
const requests = readIf<number>(isRequests, rule);

const byGroup = optionsOf<Readers<LimitsByGroup>>(
  {
    submerchants: requests,
    onboarding: readIf(
      (given) => given === 'submerchants' || isRequests(given),
      `${rule}; or 'submerchants', to count towards that group`,
    ),
    vault: requests,
  },
  'group',
);

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
  readonly #allowed: RequestsPerMinute;

  constructor(clock: Clock, options: RateLimitOptions) {
    this.#clock = clock;
    const given = options === false ? unlimited : options;
    const stated = limits.requestsPerMinute;
    this.#allowed = {
      submerchants: given.submerchants ?? stated.submerchants,
      onboarding: given.onboarding ?? 'submerchants',
      vault: given.vault ?? stated.vault,
    };
  }

  clear(): void {
    this.#accepted.clear();
  }

  /**
   * Counts a request.
   *
   * @param subject the credential or address that the limit is for.
   * @returns the seconds to wait if there were too many requests; then it is not counted.
   */
  take(group: RateLimitGroup, subject: string): number | undefined {
    const now = this.#clock.time();
    const { group: counted, limit } = countOf(this.#allowed, group);
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

const unlimited: RequestsPerMinute = {
  submerchants: Number.POSITIVE_INFINITY,
  onboarding: 'submerchants',
  vault: Number.POSITIVE_INFINITY,
};
