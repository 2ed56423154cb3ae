import { limits, type RateLimitGroup, type RequestsPerMinute } from '../../src/contract/limits.js';
import { Parsed } from '../../src/validation/issue.js';
import { type OptionReader, type OptionReaders, readerFor, validIf } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import { Option } from './option.js';

/**
 * Requests per minute by group: integers of at least 1, or Infinity. `false` turns the limits off. With
 * `onboarding: 'submerchants'`, the default, onboarding submissions count towards the limit of
 * `submerchants`. Default: the numbers of the API docs (Limits).
 */
export type RateLimitOptions = false | LimitsByGroup;

type LimitsByGroup = { readonly [Group in RateLimitGroup]?: RequestsPerMinute[Group] | undefined };

const isRequests = (value: unknown) =>
  value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 1);

const rule = 'must be a number of requests a minute: an integer of at least 1, or Infinity';
const requests = validIf<number>(isRequests, rule);

const byGroup = readerFor<OptionReaders<LimitsByGroup>>(
  {
    submerchants: requests,
    onboarding: validIf(
      (value) => value === 'submerchants' || isRequests(value),
      `${rule}; or 'submerchants', to count towards that group`,
    ),
    vault: requests,
  },
  'group',
);

const neither = [{ path: '', message: 'must be false, or an object of requests a minute by group' }];

const rateLimitReader: OptionReader<RateLimitOptions> = {
  read: (value) => {
    if (value === false) return new Parsed<RateLimitOptions>(false);
    return isRecord(value) ? byGroup.read(value) : new Parsed<RateLimitOptions>(undefined, neither);
  },
};

const unlimited: RequestsPerMinute = {
  submerchants: Number.POSITIVE_INFINITY,
  onboarding: 'submerchants',
  vault: Number.POSITIVE_INFINITY,
};

function requestsPerMinute(options: RateLimitOptions = {}): RequestsPerMinute {
  if (options === false) return unlimited;
  const stated = limits.requestsPerMinute;
  return {
    submerchants: options.submerchants ?? stated.submerchants,
    onboarding: options.onboarding ?? 'submerchants',
    vault: options.vault ?? stated.vault,
  };
}

export const rateLimitsOption = new Option<RateLimitOptions, RequestsPerMinute>(
  rateLimitReader,
  requestsPerMinute,
  {
    topic: 'Rate limits',
    default:
      "A request to a limited operation with valid credentials counts towards the limit for 60 seconds on the sandbox's clock, unless a 413, a 429 or a fault keeps it from being executed. Each credential allows 10 requests that create or update a sub-account or submit an onboarding, in total. The vault's limit is per address, and all in-process requests have the same address. `createSandbox({ rateLimits })` changes the limits, or turns them off if you pass `false`.",
    why: "The API docs state a limit of 10 for both groups, but do not say whether the groups share it. An earlier statement in the same row gives 5, for `/v1/submerchants` only. To count the groups separately, use `createSandbox({ rateLimits: { onboarding: 10 } })`. To use the earlier statement's limit, set `{ submerchants: 5, onboarding: 10 }`. The API docs do not say how the platform counts requests.",
  },
);
