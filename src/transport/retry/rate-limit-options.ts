import { limits, type RequestsPerMinute } from '../../contract/limits.js';
import type { Issue } from '../../validation/issue.js';
import { integerReader, type OptionReaders, oneOf, readerFor, validIf } from '../../validation/options.js';
import { isRecord } from '../../validation/record.js';
import type { RateLimitStore } from './rate-limit-store.js';

/**
 * How the client applies the documented rate limits. `wait`: waits until a request is allowed. `error`:
 * rejects with an error. `off`: ignores the limits.
 */
export type RateLimitMode = 'wait' | 'error' | 'off';

/**
 * The client's limits in requests per minute, as integers of at least 1. Processes that share a store must
 * use the same limits.
 */
export interface RateLimits {
  /**
   * The rate limit for creating and updating sub-accounts, per credential. Default 5: the API docs state 10,
   * but an earlier statement gives 5 for calls under /v1/submerchants.
   */
  submerchants?: number | undefined;
  /**
   * The rate limit for onboarding submissions, per credential. With `'submerchants'`, onboarding requests
   * count towards that group, so that both share one limit. The API docs state 10 for both groups, but do not
   * say whether the groups share this limit. If only `submerchants` is set, the default is `'submerchants'`.
   * Default: 5, so that both groups together have 10.
   */
  onboarding?: number | 'submerchants' | undefined;
  /** The tokenization rate limit, which the platform applies per IP address. Default 30. */
  vault?: number | undefined;
  /**
   * Counts the requests of all processes together. Default: each client counts only its own requests. See
   * `redisRateLimitStore`.
   */
  store?: RateLimitStore | undefined;
}

const unit = 'requests a minute';
const requestsPerMinute = integerReader(1, unit);

const isStore = (store: unknown): boolean => isRecord(store) && typeof store.reserve === 'function';

const limitReaders: OptionReaders<RateLimits> = {
  submerchants: requestsPerMinute,
  onboarding: validIf(
    (value) => value === 'submerchants' || requestsPerMinute.read(value).issues.length === 0,
    `must be ${unit}: an integer of at least 1; or 'submerchants', to count towards that group`,
  ),
  vault: requestsPerMinute,
  store: validIf<RateLimitStore>(
    isStore,
    'must have reserve. redisRateLimitStore(client) returns such a store',
  ),
};

interface RateLimitOptions {
  readonly rateLimit?: RateLimitMode | undefined;
  readonly rateLimits?: RateLimits | undefined;
}

export const rateLimitReaders: OptionReaders<RateLimitOptions> = {
  rateLimit: oneOf('wait', 'error', 'off'),
  rateLimits: readerFor(limitReaders, 'group or option'),
};

export function rateLimitIssues({ rateLimit, rateLimits }: RateLimitOptions): Issue[] {
  if (rateLimit !== 'off' || rateLimits?.store === undefined) return [];
  return [{ path: 'rateLimits.store', message: "has no effect with rateLimit: 'off'" }];
}

interface RateLimitSettings {
  readonly rateLimit: RateLimitMode;
  readonly rateLimits: RequestsPerMinute;
  readonly rateLimitStore: RateLimitStore | undefined;
}

export function rateLimitSettings({ rateLimit, rateLimits }: RateLimitOptions): RateLimitSettings {
  const store = rateLimits?.store;
  const stated = limits.requestsPerMinute;
  const strictest = limits.earlierSubmerchantsPerMinute;
  const isApart = rateLimits?.submerchants === undefined;
  return {
    rateLimit: rateLimit ?? (store === undefined ? 'off' : 'wait'),
    rateLimits: Object.freeze({
      submerchants: rateLimits?.submerchants ?? strictest,
      onboarding: rateLimits?.onboarding ?? (isApart ? stated.onboarding - strictest : 'submerchants'),
      vault: rateLimits?.vault ?? stated.vault,
    }),
    rateLimitStore: store,
  };
}
