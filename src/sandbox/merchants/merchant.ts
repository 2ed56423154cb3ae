import type { WireNames } from '../../contract/wire-names.js';
import { optionsOf, type Readers, readIf } from '../../input/options.js';
import type { Ledger } from '../payments/ledger.js';
import { Payments } from '../payments/payments.js';
import { Vault } from '../payments/vault.js';
import type { Random, SecretSource } from '../random.js';
import type { Sequence } from '../sellers/id-sequence.js';
import { Onboarding } from '../sellers/onboarding.js';
import { SubAccounts } from '../sellers/sub-accounts.js';
import { Withdrawals } from '../sellers/withdrawals.js';
import type { Clock } from '../time/clock.js';
import type { Authority } from '../wallet/authority.js';
import { Certificates } from '../wallet/certificates.js';
import { Domains } from '../wallet/domains.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import { Endpoints, type Subscriptions } from '../webhooks/endpoints.js';
import { notify } from '../webhooks/notify.js';
import { type FeatureOptions, Features, featureReaders } from './features.js';
import { KeyedReplies } from './keyed-replies.js';

export interface Credentials {
  /** The public identifier of the merchant's credential. */
  readonly clientId: string;
  /** The secret of the credential. */
  readonly clientSecret: string;
}

/** Options of a merchant. */
export interface MerchantOptions {
  /** Not empty. Default: `sandbox-client-` and digits from the seed. */
  clientId?: string | undefined;
  /**
   * Not empty. Default: `sandbox-secret-not-real-` and digits; from the seed if one is given, otherwise
   * random.
   */
  clientSecret?: string | undefined;
  /** Its products. */
  features?: FeatureOptions | undefined;
}

/** An empty one would match requests without the header, and headers lose the spaces around their values. */
const aCredential = readIf<string>(
  (given) => typeof given === 'string' && /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u.test(given),
  'must be text of at least 1 character, without spaces around it and without control characters',
);

export const merchantReaders: Readers<MerchantOptions> = {
  clientId: aCredential,
  clientSecret: aCredential,
  features: optionsOf(featureReaders, 'feature'),
};

/** What the merchants of one sandbox share. */
export interface SharedParts {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly ledger: Ledger;
  readonly authority: Authority;
  readonly withdrawalIds: Sequence;
  /** Milliseconds; undefined if only a control approves. */
  readonly approveAfter: number | undefined;
  /** The platform's fee for each payment, in cents. */
  readonly fee: number;
  readonly subscriptions: Subscriptions;
  /** The names on the wire. */
  readonly names: WireNames;
  /** The source of a merchant's secrets: its seeded stream, or random values. */
  readonly secretsFrom: (seeded: Random) => SecretSource;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal;
}

/** A merchant and its data, which no other merchant's credentials can reach. */
export class Merchant {
  readonly clientId: string;
  /** The merchant of `createSandbox`; controls act on it if no merchant is named. */
  readonly isFirst: boolean;
  readonly features: Features;
  readonly endpoints: Endpoints;
  readonly accounts: SubAccounts;
  readonly onboarding: Onboarding;
  readonly withdrawals: Withdrawals;
  readonly vault: Vault;
  readonly payments: Payments;
  readonly domains: Domains;
  readonly certificates: Certificates;
  readonly replies = new KeyedReplies();
  readonly #secrets: SecretSource;
  #clientSecret: string;

  /**
   * @param random makes a stream of values for one purpose of this merchant.
   */
  constructor(
    options: MerchantOptions,
    shared: SharedParts,
    isFirst: boolean,
    random: (purpose: string) => Random,
  ) {
    this.isFirst = isFirst;
    const { clock, deliveries, ledger, authority, withdrawalIds, approveAfter, closing } = shared;
    const seeded = random('credentials');
    this.#secrets = shared.secretsFrom(seeded);
    this.clientId = options.clientId ?? `sandbox-client-${seeded.hex(8)}`;
    this.#clientSecret = options.clientSecret ?? this.#newSecret();
    this.features = new Features(options.features ?? {});
    this.endpoints = new Endpoints(clock, random('endpoints'), shared.subscriptions);
    this.accounts = new SubAccounts(clock, random('sub-accounts'));
    this.onboarding = new Onboarding({
      clock,
      random: random('onboarding'),
      accounts: this.accounts,
      approveAfter,
    });
    this.withdrawals = new Withdrawals(clock, withdrawalIds);
    this.vault = new Vault(random('vault'));
    const notifications = random('notifications');
    this.payments = new Payments({
      clock,
      random,
      vault: this.vault,
      accounts: this.accounts,
      fee: shared.fee,
      onCreated: (record) => ledger.enter(record),
      onStatus: (record) =>
        notify(record, {
          payments: this.payments,
          endpoints: this.endpoints,
          deliveries,
          notificationId: notifications.uuid(),
          names: shared.names,
        }),
    });
    this.domains = new Domains(clock, random('domains'), closing);
    this.certificates = new Certificates(clock, random('certificates'), authority);
  }

  get credentials(): Credentials {
    return { clientId: this.clientId, clientSecret: this.#clientSecret };
  }

  hasSecret(clientSecret: string): boolean {
    return clientSecret === this.#clientSecret;
  }

  /** Replaces the secret; the old one is refused from now on. */
  rotateSecret(): void {
    this.#clientSecret = this.#newSecret();
  }

  #newSecret(): string {
    return `sandbox-secret-not-real-${this.#secrets.hex(16)}`;
  }
}
