import { type Checks, type ChecksOff, checksOff, checksProblem } from '../../src/contract/sdk-checks.js';
import { invalidIf } from '../../src/validation/options.js';
import { hostList } from '../arguments/host-list.js';
import { credentialDefaults, oauthOptions } from './credentials.js';
import { type GivenOptions, listPaths, listValues, Option, type OptionValues, option } from './option.js';
import { paymentDefaults, paymentOptions, upsellOptions, vaultOptions } from './payments.js';
import { rateLimitsOption } from './rate-limits.js';
import { errorBodyOption, maxBodyOption, requestDefaults } from './requests.js';
import { responsesOption } from './response-fields.js';
import type { SandboxDefault } from './sandbox-default.js';
import { statusesOption } from './statuses.js';
import {
  feeOption,
  kycOptions,
  submerchantDefaults,
  submerchantKeysOption,
  withdrawalOptions,
} from './submerchants.js';
import { walletDefaults } from './wallet.js';
import {
  deliveryOptions,
  signatureOptions,
  subscriptionsOption,
  webhookDefaults,
  webhookOptions,
} from './webhooks.js';

export const ruleOptions = {
  /**
   * The statuses to use for responses with no documented status, such as
   * `{ paymentCreated: 200, acquirerUnknown: 504 }`. A success can have a status from 200 to 299,
   * except 204 and 205, and an error from 400 to 599. For the defaults, see `docs/sandbox-defaults.md`.
   */
  statuses: statusesOption,
  /**
   * Creates the body of an error response, as a JSON value. Default: `{ error: { code, message, issues } }`.
   */
  errorBody: errorBodyOption,
  /** Options for delivering notifications. */
  webhooks: webhookOptions,
  /** Behaviour of payments. */
  payments: paymentOptions,
  /** Behaviour of upsell tokens. */
  upsell: upsellOptions,
  /** Behaviour of the vault. */
  vault: vaultOptions,
  /**
   * Whether the sub-account and onboarding operations share idempotency keys. `together` (default): a key
   * used in one operation counts as used in all of them. `apart`: each operation has its own keys.
   */
  submerchantKeys: submerchantKeysOption,
  /**
   * The checks that go beyond the API docs. The option works like the client option of the same name, and
   * `clientOptions()` passes it to clients. Default: all.
   */
  checks: new Option<Checks, ChecksOff>(invalidIf(checksProblem), checksOff),
};

/**
 * Options of `createSandbox` for behaviour that the API docs leave open. `defaults` names the option of each
 * behaviour.
 */
export type RuleOptions = GivenOptions<typeof ruleOptions>;

export const platformOptions = {
  /**
   * Adds the Pix code and the boleto's data to the payment response, in fields that you name to match your
   * platform: `{ pixCode: 'pix.qrCode' }`. The API docs do not show fields for this data. Default: none.
   */
  responses: responsesOption,
  /** The maximum number of concurrent first attempts per endpoint. */
  deliveries: deliveryOptions,
  /** Options for signing deliveries. */
  signature: signatureOptions,
  /** The access tokens that POST /oauth/token issues. */
  oauth: oauthOptions,
  /** Options for the identity check of sellers (KYC). */
  kyc: kycOptions,
  /** Behaviour of withdrawals. */
  withdrawals: withdrawalOptions,
  /**
   * Requests per minute, by group. `false` turns the limits off. Default: 10 for `submerchants`, which
   * includes `onboarding`, and 30 for `vault`. `{ submerchants: 5, onboarding: 10 }` and `{ onboarding: 10 }`
   * match other interpretations of the API docs.
   */
  rateLimits: rateLimitsOption,
  /**
   * Which events a webhook endpoint receives. `listed` (default): the events in its list, or every
   * transaction event if the list is empty. `all`: every transaction event. The API docs contradict
   * themselves: they describe both behaviours.
   */
  subscriptions: subscriptionsOption,
  /**
   * Hosts that can receive deliveries over plain HTTP, in addition to loopback addresses. For example, for a
   * docker-compose service, pass `['app']` (any port) or `['app:3000']`. The API docs allow only https.
   * Default: none.
   */
  httpWebhookHosts: option<readonly string[], readonly string[]>(hostList, []),
  /**
   * The platform's fee for each payment, in cents, as an integer of at least 0. Default 0. Split rules divide
   * the amount minus the fee, or 0 if the fee is higher than the amount.
   */
  fee: feeOption,
  /**
   * The maximum size of a form with its files, in bytes. A larger form gets a 413. Default 64 MiB. For other
   * bodies, the maximum is 1 MiB or this size, whichever is smaller.
   */
  maxBody: maxBodyOption,
};

const tables = { ...ruleOptions, ...platformOptions };

export type Behaviour = OptionValues<typeof tables>;

export const findBehaviour = (input?: Parameters<typeof listValues<typeof tables>>[1]): Behaviour =>
  listValues(tables, input);

const paths = new Map<unknown, string>(listPaths(tables));

/** Lists every behaviour that the API docs leave open, with the sandbox's default. */
export const defaults: readonly SandboxDefault[] = Object.freeze(
  [
    ...requestDefaults,
    ...paymentDefaults,
    ...webhookDefaults,
    ...credentialDefaults,
    ...submerchantDefaults,
    ...walletDefaults,
  ].map((entry) =>
    Object.freeze(
      entry instanceof Option
        ? ({ ...entry.sandboxDefault, option: paths.get(entry) } as SandboxDefault)
        : entry,
    ),
  ),
);
