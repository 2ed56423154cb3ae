import { inspect, types } from 'node:util';
import type { FieldNames } from '../contract/assumptions.js';
import { limits } from '../contract/limits.js';
import type { Checks } from '../contract/own-checks.js';
import { defaultWireNames, readFieldNames, type WireNames } from '../contract/wire-names.js';
import { aBoolean, anInteger, oneOf, optionsOf, type Readers, readIf, readUnless } from '../input/options.js';
import { Read } from '../input/read.js';
import { isRecord } from '../input/record.js';
import { checkedOptions } from './calls/checked-options.js';
import type { Rules } from './choices/rules.js';
import { defaultApproval, defaultFee, defaultMaxBody } from './choices/values.js';
import {
  type SubmerchantUpdates,
  submerchantUpdatesReader,
  type UpdateRoute,
  updateRoutes,
} from './http/handlers/submerchant-updates.js';
import { hostList } from './http/host-check.js';
import { type MerchantOptions, merchantReaders } from './merchants/merchant.js';
import { type RateLimitOptions, rateLimitReader } from './merchants/rate-limits.js';
import { type KycRules, kycRuleReaders, type RuleOptions, ruleReaders, rulesOf } from './rule-options.js';
import { loadFile, refuseOtherFile } from './state/load-file.js';
import { type SandboxState, stateProblem } from './state/saved.js';
import { type Duration, durationForms, isDuration, milliseconds } from './time/duration.js';
import { type SignatureOptions, signatureReaders } from './webhooks/delivery-headers.js';
import type { Subscriptions } from './webhooks/endpoint.js';

/** Options of `createSandbox`. `clientId`, `clientSecret` and `features` are those of its first merchant. */
export interface SandboxOptions extends MerchantOptions, RuleOptions {
  /**
   * An integer. The same seed gives the same ids, tokens and digitable lines. Default 1. Without this
   * option, client secrets and access tokens differ in every run, because they protect a server from other
   * processes and web pages; with it, they follow from the seed like everything else.
   */
  seed?: number | undefined;
  /**
   * Freezes the clock at a time, from which only `clock.advance` moves it: a Date, milliseconds since
   * 1970, or text that Date reads. Default: the clock follows the system's.
   */
  now?: Date | string | number | undefined;
  /** How deliveries are signed. */
  signature?: SignatureOptions | undefined;
  /** `expiresIn`: how long an access token is valid, in whole seconds, 1 to 2147483647. Default 3600. */
  oauth?: { expiresIn?: number | undefined } | undefined;
  /**
   * `approveAfter`: how long after its submission an onboarding is approved, on the clock. Default 10
   * minutes; `false`: never, so that only `control.onboarding` approves. `reviewAfter` and `requiredPj`: what else is
   * open about it.
   */
  kyc?: KycOptions | undefined;
  /**
   * Requests a minute, by group. Default: 10 for `submerchants`, with which `onboarding` counts together, and
   * 30 for `vault`; `false`: no limits. `{ submerchants: 5, onboarding: 10 }` and `{ onboarding: 10 }` are the
   * other readings of the API document.
   */
  rateLimits?: RateLimitOptions | undefined;
  /**
   * What a webhook endpoint receives: `listed` (default): the events of its list; `all`: every transaction
   * event. The API document states both.
   */
  subscriptions?: Subscriptions | undefined;
  /**
   * Hosts to which deliveries may go over plain HTTP, besides loopback, such as the name of a service in
   * docker-compose: `['app']`, for any port, or `['app:3000']`. The API document has https only. Default: none.
   */
  httpWebhookHosts?: readonly string[] | undefined;
  /**
   * The platform's fee for each payment, in cents: an integer of at least 0. Default 0. Split rules divide
   * the amount less the fee, or 0 if the fee is higher than the amount.
   */
  fee?: number | undefined;
  /**
   * The longest form that is accepted, in bytes, files included. A longer one is answered 413. Default
   * 64 MiB. Other bodies have at most 1 MiB, or this if it is less.
   */
  maxBody?: number | undefined;
  /**
   * Wire names by key, like the client option of the same name, for requests, answers and notifications.
   * `clientOptions()` passes them to clients. Default: those of `assumptions`.
   */
  fieldNames?: FieldNames | undefined;
  /**
   * Where the updates of a sub-account's fees and bank account are, which the API document mentions without their
   * paths: `{ fees: 'PATCH /v1/submerchants/{internalId}/fees' }`. They take any JSON object, keep nothing of it, and
   * count with the other changes of sub-accounts (API document, Limits). Default: 404, as for any unknown path.
   */
  submerchantUpdates?: SubmerchantUpdates | undefined;
  /**
   * What `save()` of a sandbox returned: this one goes on from there, with its merchants and credentials, its seed
   * and its time. Merchant options must be those that it has; `now` is that of a new sandbox.
   */
  state?: SandboxState | undefined;
  /**
   * The path of a file that keeps the state: it is loaded if it exists, and every change is written to it before
   * it is acknowledged. It has the sandbox's secrets and the documents, so only its owner may read it. Not together
   * with `state`.
   */
  stateFile?: string | undefined;
  /** Forgets what `stateFile` has. A file that is something else is refused, and stays. Default false. */
  fresh?: boolean | undefined;
}

/** Options of the KYC. */
export interface KycOptions extends KycRules {
  /** How long after its submission an onboarding is approved, on the clock. Default 10 minutes; `false`: never. */
  approveAfter?: Duration | false | undefined;
}

/** The checked options, with their defaults. */
export interface Settings {
  readonly seed: number;
  /** Whether client secrets and access tokens follow from the seed. */
  readonly seededSecrets: boolean;
  /** Milliseconds since 1970; undefined for a clock that follows the system's. */
  readonly now: number | undefined;
  readonly merchant: MerchantOptions;
  readonly signature: SignatureOptions;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Milliseconds; undefined if only a control approves. */
  readonly approveAfter: number | undefined;
  readonly rateLimits: RateLimitOptions;
  readonly subscriptions: Subscriptions;
  /** Hosts to which deliveries may go over plain HTTP. */
  readonly httpWebhookHosts: readonly string[];
  /** Cents. */
  readonly fee: number;
  /** Bytes. */
  readonly maxBody: number;
  /** The names on the wire. */
  readonly names: WireNames;
  /** The option, for the clients of the sandbox; undefined for the default names. */
  readonly fieldNames: FieldNames | undefined;
  /** The option, for the clients of the sandbox. */
  readonly checks: Checks | undefined;
  /** Updates of a sub-account at the paths that the sandbox was told. */
  readonly updates: readonly UpdateRoute[];
  /** The state to go on from. */
  readonly state: SandboxState | undefined;
  readonly stateFile: string | undefined;
  /** What it does where the API document leaves it open. */
  readonly rules: Rules;
}

/** Dates may come from another realm, as under Jest. */
const isTime = (given: unknown) =>
  (types.isDate(given) || typeof given === 'string' || typeof given === 'number') &&
  !Number.isNaN(new Date(given).getTime());

/** Seconds. With more, a token could expire after the last time that a Date can hold. */
const longestLifetime = 2 ** 31 - 1;

const aLifetime = readIf<number>(
  (given) => Number.isSafeInteger(given) && Number(given) >= 1 && Number(given) <= longestLifetime,
  `must be a number of whole seconds from 1 to ${longestLifetime}`,
);

/** `fieldNames` as it was given, and the names that follow from it. */
interface Naming {
  readonly given: FieldNames;
  readonly names: WireNames;
}

function readNaming(value: unknown): Read<Naming> {
  const given = isRecord(value) ? Object.freeze({ ...value }) : value;
  const { names, issues } = readFieldNames(given);
  return new Read<Naming>({ given: given as FieldNames, names }, issues);
}

const readers: Readers<SandboxOptions, { fieldNames: Naming }> = {
  ...merchantReaders,
  ...ruleReaders,
  seed: readIf((given) => Number.isSafeInteger(given), 'must be an integer'),
  now: readUnless((given) =>
    isTime(given)
      ? undefined
      : `must be a time: a Date, milliseconds since 1970, or text that Date reads, such as '2026-01-31T12:00:00Z', not ${inspect(given, { depth: 0 })}`,
  ),
  signature: optionsOf(signatureReaders),
  oauth: optionsOf<Readers<NonNullable<SandboxOptions['oauth']>>>({ expiresIn: aLifetime }),
  kyc: optionsOf<Readers<KycOptions>>({
    ...kycRuleReaders,
    approveAfter: readIf(
      (given) => given === false || isDuration(given),
      `must be false, or ${durationForms}`,
    ),
  }),
  rateLimits: rateLimitReader,
  subscriptions: oneOf('listed', 'all'),
  httpWebhookHosts: hostList,
  fee: anInteger(0, 'a number of cents'),
  maxBody: anInteger(1, 'a number of bytes'),
  fieldNames: { read: readNaming },
  submerchantUpdates: submerchantUpdatesReader,
  state: readUnless((given) => stateProblem(given)),
  fresh: aBoolean,
  stateFile: readIf((given) => typeof given === 'string' && given !== '', 'must be the path of a file'),
};

/** @throws TypeError that names every problem of the options. */
export function settingsOf(options: SandboxOptions): Settings {
  const accepted = checkedOptions('createSandbox', options, readers);
  const { seed, now, signature, oauth, kyc, rateLimits, subscriptions, httpWebhookHosts, ...others } =
    accepted;
  const { fee, maxBody, fieldNames, checks, state: given, stateFile, fresh = false, ...more } = others;
  const { statuses, errorBody, webhooks, payments, upsell, vault, submerchantKeys, ...rest } = more;
  const { submerchantUpdates, ...merchant } = rest;
  if (given !== undefined && stateFile !== undefined) {
    throw new TypeError('createSandbox: state and stateFile exclude each other');
  }
  if (fresh && stateFile === undefined) {
    throw new TypeError('createSandbox: fresh needs stateFile, whose state it forgets');
  }
  if (fresh && stateFile !== undefined) refuseOtherFile(stateFile);
  const state = stateFile === undefined || fresh ? given : loadFile(stateFile);
  if (state !== undefined && seed !== undefined && state.seed !== seed) {
    throw new TypeError(`createSandbox: seed is ${seed}, and the state was made with ${state.seed}`);
  }
  const approveAfter = kyc?.approveAfter ?? defaultApproval;
  return {
    seed: seed ?? state?.seed ?? 1,
    seededSecrets: seed !== undefined,
    now: now === undefined ? undefined : new Date(now).getTime(),
    merchant,
    signature: signature ?? {},
    tokenLifetime: oauth?.expiresIn ?? limits.oauthTokenSeconds,
    approveAfter: approveAfter === false ? undefined : milliseconds(approveAfter),
    rateLimits: rateLimits ?? {},
    subscriptions: subscriptions ?? 'listed',
    httpWebhookHosts: httpWebhookHosts ?? [],
    fee: fee ?? defaultFee,
    maxBody: maxBody ?? defaultMaxBody,
    names: fieldNames?.names ?? defaultWireNames,
    fieldNames: fieldNames?.given,
    checks,
    updates: updateRoutes(submerchantUpdates),
    state,
    stateFile,
    rules: rulesOf({ statuses, errorBody, webhooks, payments, upsell, vault, submerchantKeys, checks }, kyc),
  };
}
