import { types } from 'node:util';
import { limits } from '../contract/limits.js';
import { anInteger, oneOf, optionsOf, type Readers, that } from '../input/options.js';
import { checkedOptions } from './checked-options.js';
import { defaultMaxBody } from './http/receive.js';
import { type MerchantOptions, merchantReaders } from './merchants/merchant.js';
import { type RateLimitOptions, rateLimitReader } from './merchants/rate-limits.js';
import { defaultFee } from './payments/split.js';
import { defaultApproval } from './sellers/onboarding.js';
import { type Duration, durationRule, isDuration, milliseconds } from './time/duration.js';
import { type SignatureOptions, signatureReaders } from './webhooks/deliveries.js';
import type { Subscriptions } from './webhooks/endpoints.js';

/** How a sandbox is made. `clientId`, `clientSecret` and `features` are its first merchant's. */
export interface SandboxOptions extends MerchantOptions {
  /**
   * An integer. The same seed gives the same ids, tokens and lines. Default 1, and then the client
   * secrets and access tokens that the sandbox makes are different in every run: others reach a server by
   * them. With a seed of your own they are as predictable as the rest.
   */
  seed?: number | undefined;
  /**
   * Freezes the clock at a time, from which only `clock.advance` moves it: a Date, milliseconds, or
   * text that Date reads. Without it the clock follows the system's.
   */
  now?: Date | string | number | undefined;
  /** How deliveries are signed. */
  signature?: SignatureOptions | undefined;
  /** `expiresIn`: how long an access token is valid, in whole seconds, 1 to 2147483647. Default 3600. */
  oauth?: { expiresIn?: number | undefined } | undefined;
  /**
   * `approveAfter`: when an onboarding that nobody decides is approved, on the clock. Default 10
   * minutes; `false`: never, so that `control.onboarding` decides.
   */
  kyc?: { approveAfter?: Duration | false | undefined } | undefined;
  /** Requests a minute by group. Default: 10 for `submerchants`, 30 for `vault`; `false` for no limits. */
  rateLimits?: RateLimitOptions | undefined;
  /**
   * What an endpoint receives: `listed` (default): the events of its list, `all`: every transaction event,
   * whatever it lists. The API document says both.
   */
  subscriptions?: Subscriptions | undefined;
  /**
   * What the platform keeps of each payment, in cents: split rules divide the amount less the fee, and
   * nothing where the fee is more than the amount. A whole number, 0 or more. Default 0.
   */
  fee?: number | undefined;
  /**
   * The longest form that is accepted, its files included: bytes; a longer one is answered 413. Default
   * 64 MiB. Other bodies have at most 1 MiB, or less where this is less.
   */
  maxBody?: number | undefined;
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
}

/** A time of any realm, as under Jest; text and numbers as `new Date` reads them. */
const isTime = (given: unknown) =>
  (types.isDate(given) || typeof given === 'string' || typeof given === 'number') &&
  !Number.isNaN(new Date(given).getTime());

/** Seconds. With more, a token would expire later than a Date can tell. */
const longestLifetime = 2 ** 31 - 1;

const aLifetime = that<number>(
  (given) => Number.isSafeInteger(given) && Number(given) >= 1 && Number(given) <= longestLifetime,
  `must be a number of whole seconds from 1 to ${longestLifetime}`,
);

const readers: Readers<SandboxOptions> = {
  ...merchantReaders,
  seed: that((given) => Number.isSafeInteger(given), 'must be an integer'),
  now: that(isTime, 'must be a time: a Date, milliseconds since 1970, or text that Date reads'),
  signature: optionsOf(signatureReaders),
  oauth: optionsOf<NonNullable<SandboxOptions['oauth']>>({ expiresIn: aLifetime }),
  kyc: optionsOf<NonNullable<SandboxOptions['kyc']>>({
    approveAfter: that((given) => given === false || isDuration(given), `${durationRule}; or false`),
  }),
  rateLimits: rateLimitReader,
  subscriptions: oneOf('listed', 'all'),
  fee: anInteger(0, 'a number of cents'),
  maxBody: anInteger(1, 'a number of bytes'),
};

/** @throws TypeError that names every option that breaks the rules. */
export function settingsOf(options: SandboxOptions): Settings {
  const accepted = checkedOptions('createSandbox', options, readers);
  const { seed, now, signature, oauth, kyc, rateLimits, subscriptions, fee, maxBody, ...merchant } = accepted;
  const approveAfter = kyc?.approveAfter ?? defaultApproval;
  return {
    seed: seed ?? 1,
    seededSecrets: seed !== undefined,
    now: now === undefined ? undefined : new Date(now).getTime(),
    merchant,
    signature: signature ?? {},
    tokenLifetime: oauth?.expiresIn ?? limits.oauthTokenSeconds,
    approveAfter: approveAfter === false ? undefined : milliseconds(approveAfter),
    rateLimits: rateLimits ?? {},
    subscriptions: subscriptions ?? 'listed',
    fee: fee ?? defaultFee,
    maxBody: maxBody ?? defaultMaxBody,
  };
}
