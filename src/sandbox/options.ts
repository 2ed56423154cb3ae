import { inspect } from 'node:util';
import type { FieldNames } from '../contract/assumptions.js';
import { limits } from '../contract/limits.js';
import { readFieldNames, type WireNames } from '../contract/wire-names.js';
import { inWords, issuesAt } from '../input/issue.js';
import { defaultMaxBody } from './http/receive.js';
import type { MerchantOptions } from './merchants/merchant.js';
import type { RateLimitOptions } from './merchants/rate-limits.js';
import { demandNames } from './option-names.js';
import { defaultFee } from './payments/split.js';
import { defaultApproval } from './sellers/onboarding.js';
import { type Duration, milliseconds } from './time/duration.js';
import type { SignatureOptions } from './webhooks/deliveries.js';
import type { Subscriptions } from './webhooks/endpoints.js';

/** How a sandbox is made. `clientId`, `clientSecret` and `features` are its first merchant's. */
export interface SandboxOptions extends MerchantOptions {
  /**
   * An integer. The same seed gives the same ids, tokens and lines. Default 1, and then the client
   * secrets and access tokens that the sandbox makes are different in every run: others reach a server by
   * them. With a seed of your own they are as predictable as the rest.
   */
  seed?: number;
  /**
   * Freezes the clock at a time, from which only `clock.advance` moves it: a Date, milliseconds, or
   * text that Date reads. Without it the clock follows the system's.
   */
  now?: Date | string | number;
  /** How deliveries are signed. */
  signature?: SignatureOptions;
  /** `expiresIn`: how long an access token is valid, in seconds. Default 3600. */
  oauth?: { expiresIn?: number };
  /**
   * `approveAfter`: when an onboarding that nobody decides is approved, on the clock. Default 10
   * minutes; `false`: never, so that `control.onboarding` decides.
   */
  kyc?: { approveAfter?: Duration | false };
  /** Requests a minute by group. Default: 10 for `submerchants`, 30 for `vault`; `false` for no limits. */
  rateLimits?: RateLimitOptions;
  /**
   * What an endpoint receives: `listed` (default): the events of its list, `all`: every transaction event,
   * whatever it lists. The API document says both.
   */
  subscriptions?: Subscriptions;
  /**
   * What the platform keeps of each payment, in cents: split rules divide the amount less the fee, and
   * nothing where the fee is more than the amount. A whole number, 0 or more. Default 0.
   */
  fee?: number;
  /**
   * The longest form that is accepted, its files included: bytes; a longer one is answered 413. Default
   * 64 MiB. Other bodies have at most 1 MiB, or less where this is less.
   */
  maxBody?: number;
  /**
   * Wire names by key, as the client option of the same name: requests, answers and notifications have them.
   * `clientOptions()` carries them along.
   */
  fieldNames?: FieldNames;
}

/** Options that have been read. */
export interface Settings {
  readonly seed: number;
  /** Whether secrets follow from the seed as well. */
  readonly seededSecrets: boolean;
  /** Milliseconds since 1970; undefined for a clock that follows the system's. */
  readonly now: number | undefined;
  readonly merchant: MerchantOptions;
  readonly signature: SignatureOptions;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Milliseconds; undefined where a control decides. */
  readonly approveAfter: number | undefined;
  readonly rateLimits: RateLimitOptions;
  readonly subscriptions: Subscriptions;
  /** Cents. */
  readonly fee: number;
  /** Bytes. */
  readonly maxBody: number;
  readonly names: WireNames;
  /** What the names were made of, where they are not the default ones. */
  readonly fieldNames: FieldNames | undefined;
}

const known = [
  'seed',
  'now',
  'clientId',
  'clientSecret',
  'features',
  'signature',
  'oauth',
  'kyc',
  'rateLimits',
  'subscriptions',
  'fee',
  'maxBody',
  'fieldNames',
] as const;

/** @throws TypeError for an option that does not exist, and for a value that makes no sense. */
export function settingsOf(options: SandboxOptions): Settings {
  demandNames('a sandbox', options, known);
  const { seed = 1, now, signature = {}, oauth = {}, kyc = {}, rateLimits = {}, ...others } = options;
  const {
    maxBody = defaultMaxBody,
    subscriptions = 'listed',
    fee = defaultFee,
    fieldNames,
    ...merchant
  } = others;
  const { names, issues } = readFieldNames(fieldNames);
  if (issues.length > 0) throw new TypeError(`createSandbox: ${inWords(issuesAt('fieldNames', issues))}.`);
  demandNames('oauth', oauth, ['expiresIn']);
  demandNames('kyc', kyc, ['approveAfter']);
  if (!Number.isSafeInteger(seed)) throw new TypeError(`A seed is an integer, not ${inspect(seed)}.`);
  if (!Number.isSafeInteger(fee) || fee < 0) {
    throw new TypeError(`fee is a whole number of cents, 0 or more, not ${inspect(fee)}.`);
  }
  if (subscriptions !== 'listed' && subscriptions !== 'all') {
    throw new TypeError(`subscriptions is 'listed' or 'all', not ${inspect(subscriptions)}.`);
  }
  if (!Number.isSafeInteger(maxBody) || maxBody < 1) {
    throw new TypeError(`maxBody is a number of bytes, not ${inspect(maxBody)}.`);
  }
  const { approveAfter = defaultApproval } = kyc;
  return {
    seed,
    seededSecrets: options.seed !== undefined,
    now: now === undefined ? undefined : readTime(now),
    merchant,
    signature,
    tokenLifetime: oauth.expiresIn ?? limits.oauthTokenSeconds,
    approveAfter: approveAfter === false ? undefined : milliseconds(approveAfter),
    rateLimits,
    subscriptions,
    fee,
    maxBody,
    names,
    fieldNames: fieldNames && Object.freeze({ ...fieldNames }),
  };
}

function readTime(now: Date | string | number): number {
  const time = new Date(now).getTime();
  if (Number.isNaN(time)) throw new TypeError(`now must be a time that Date reads, not ${inspect(now)}.`);
  return time;
}
