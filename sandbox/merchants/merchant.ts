import type { WireNames } from '../../src/contract/wire-names.js';
import { type OptionReaders, readerFor, validIf } from '../../src/validation/options.js';
import type { Behaviour } from '../defaults/all.js';
import type { Ledger } from '../payments/ledger.js';
import type { PaymentRecord } from '../payments/payment-record.js';
import { Payments } from '../payments/payments.js';
import { computeNet } from '../payments/split.js';
import { Vault } from '../payments/vault.js';
import type { Random } from '../random/random.js';
import { Onboarding } from '../sellers/onboarding.js';
import { SubAccounts } from '../sellers/sub-accounts.js';
import { type WithdrawalRecord, Withdrawals } from '../sellers/withdrawals.js';
import type { Sequence } from '../state/sequence.js';
import type { State } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { CertificateAuthority } from '../wallet/certificate-authority.js';
import { Certificates } from '../wallet/certificates.js';
import { Domains } from '../wallet/domains.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import { Endpoints } from '../webhooks/endpoints.js';
import { type FeatureOptions, Features, featureReaders } from './features.js';
import { notify } from './notify.js';

export interface Credentials {
  /** The public identifier of the merchant's credential. */
  readonly clientId: string;
  /** The secret of the credential. */
  readonly clientSecret: string;
}

/** Options of a credential. */
export interface CredentialOptions {
  /**
   * The merchant's client id, which must not be empty. Default: `sandbox-client-` followed by a suffix derived
   * from the seed.
   */
  clientId?: string | undefined;
  /**
   * The merchant's client secret, which must not be empty. Default: `sandbox-secret-not-real-` and a suffix
   * from the seed.
   */
  clientSecret?: string | undefined;
}

/** Options of a merchant, and of its first credential. */
export interface MerchantOptions extends CredentialOptions {
  /** The enabled products. */
  features?: FeatureOptions | undefined;
}

/** A missing header also reads as an empty string, and headers lose outer spaces. */
const aCredential = validIf<string>(
  (value) => typeof value === 'string' && /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u.test(value),
  'must be a non-empty string without control characters or white space at its ends',
);

export const credentialReaders: OptionReaders<CredentialOptions> = {
  clientId: aCredential,
  clientSecret: aCredential,
};

export const merchantReaders: OptionReaders<MerchantOptions> = {
  ...credentialReaders,
  features: readerFor(featureReaders, 'feature'),
};

/** API docs, Errors, idempotency rule 1. */
interface Reply {
  readonly digest: string;
  readonly status: number;
  readonly body: unknown;
}

export interface SharedParts {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly ledger: Ledger;
  readonly certificateAuthority: CertificateAuthority;
  readonly withdrawalIds: Sequence;
  readonly behaviour: Behaviour;
  /** The field names on the wire: the SDK's names, unless the `fieldNames` option changes them. */
  readonly names: WireNames;
  readonly state: State;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal;
}

/** In the API docs an organization. Only its own credentials give access to its data. */
export class Merchant {
  /** 1 for the merchant of `createSandbox`. */
  readonly number: number;
  readonly features: Features;
  readonly endpoints: Endpoints;
  readonly accounts: SubAccounts;
  readonly onboarding: Onboarding;
  readonly withdrawals: Withdrawals;
  readonly vault: Vault;
  readonly payments: Payments;
  readonly domains: Domains;
  readonly certificates: Certificates;
  /** The first responses of operations whose `repeatedKeyGets` is `first-response`, by idempotency key. */
  readonly replies: Table<Reply>;
  readonly behaviour: Behaviour;
  readonly #ledger: Ledger;

  constructor(
    number: number,
    features: FeatureOptions,
    shared: SharedParts,
    random: (purpose: string) => Random,
  ) {
    const { clock, deliveries, ledger, certificateAuthority, withdrawalIds, behaviour, closing } = shared;
    const tables = shared.state.of(`merchant ${number}`);
    this.number = number;
    this.behaviour = behaviour;
    this.#ledger = ledger;
    this.features = new Features(features, tables);
    this.endpoints = new Endpoints(clock, random('endpoints'), behaviour, tables);
    this.accounts = new SubAccounts(clock, random('sub-accounts'), tables);
    const { accounts } = this;
    this.onboarding = new Onboarding({
      clock,
      random: random('onboarding'),
      accounts,
      behaviour: behaviour.kyc,
      tables,
    });
    this.withdrawals = new Withdrawals(clock, withdrawalIds, tables);
    this.vault = new Vault(random('vault'), tables);
    this.replies = tables.table('replies');
    const notifications = random('notifications');
    this.payments = new Payments({
      merchant: number,
      clock,
      random,
      vault: this.vault,
      accounts,
      behaviour,
      ledger,
      tables,
      onStatus: (record) =>
        notify(record, {
          payments: this.payments,
          endpoints: this.endpoints,
          deliveries,
          notificationId: notifications.uuid(),
          names: shared.names,
          audience: behaviour.webhooks.audience,
          upsellFor: behaviour.upsell.notified,
        }),
    });
    this.domains = new Domains(clock, random('domains'), closing, tables);
    this.certificates = new Certificates(clock, random('certificates'), certificateAuthority, tables);
  }

  /** Controls act on it if no merchant is named. */
  get isFirst(): boolean {
    return this.number === 1;
  }

  /** In cents, by `internalId`. */
  balances(): ReadonlyMap<string, number> {
    return computeBalances({
      payments: this.#ledger.records.filter(({ merchant }) => merchant === this.number),
      withdrawals: this.withdrawals.list(),
      fee: this.behaviour.fee,
    });
  }

  /** Schedules the pending events of a restored state. */
  resume(): void {
    this.payments.resume();
    this.onboarding.resume();
    this.domains.resume();
  }
}

interface Movements {
  readonly payments: Iterable<PaymentRecord>;
  readonly withdrawals: Iterable<WithdrawalRecord>;
  /** Per payment, in cents. */
  readonly fee: number;
}

/** In cents, by `internalId`. */
function computeBalances({ payments, withdrawals, fee }: Movements): ReadonlyMap<string, number> {
  const balances = new Map<string, number>();
  const add = (internalId: string | undefined, amount: number) => {
    if (internalId !== undefined) balances.set(internalId, (balances.get(internalId) ?? 0) + amount);
  };
  for (const { status, draft } of payments) {
    if (status !== 'paid') continue;
    if (draft.split === undefined) add(draft.subMerchant?.internalId, computeNet(draft.amount, fee));
    else for (const { internalId, amount } of draft.split.entries) add(internalId, amount);
  }
  for (const { internalId, status, amount } of withdrawals) if (status !== 'failed') add(internalId, -amount);
  return balances;
}
