import type { Certificate } from '../../src/contract/certificates/types.js';
import type { Domain } from '../../src/contract/domains/types.js';
import type { KnownPaymentMethod } from '../../src/contract/payments/methods.js';
import type { Payment } from '../../src/contract/payments/types.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import type { SandboxDefault } from '../defaults/sandbox-default.js';
import type { EndpointStatus } from '../defaults/transitions.js';
import type { FiredDeliveryFault, PendingDeliveryFault } from '../faults/delivery-faults.js';
import type { FiredFault, PendingFault } from '../faults/request-faults.js';
import type { JournalRequest } from '../http/journal-entry.js';
import type { IssuedToken } from '../merchants/access-tokens.js';
import type { Credentials } from '../merchants/merchant.js';
import type { Charge } from '../payments/ledger.js';
import type { Scenario } from '../scenarios/all.js';
import type { SubAccount } from '../sellers/sub-accounts.js';
import type { WithdrawalRecord } from '../sellers/withdrawals.js';
import type { TimelineEntry } from '../timeline/timeline.js';
import type { IssuedCertificate } from '../wallet/certificate-authority.js';
import type { DeliveryAttempt } from '../webhooks/delivery.js';
import type { DeliveryDetails, DeliverySummary } from '../webhooks/delivery-list.js';
import type { DeliveryDescription } from './delivery-description.js';
import type { MerchantFeatures } from './merchant-control.js';
import type { OnboardingDocument, OnboardingRecord } from './onboarding-control.js';
import type { PaymentDetails, UnresolvedKey } from './payment-control.js';

/** The fields of `Changes` are narrower, or always present. */
type With<Type, Changes> = Omit<Type, keyof Changes> & Changes;

/**
 * The bodies of the control API's responses, by their names in its description. `npm run generate` writes
 * control-api/response-schemas.json from them.
 */
export interface Responses {
  Error: { error: { code: string; message: string; issues?: { path: string; message: string }[] } };
  IllegalTransition: {
    error: {
      /** `illegal_transition`, or the code of another conflict. */
      code: string;
      message: string;
      /** The current status. */
      status?: string;
      /** The payment whose response was lost. */
      paymentId?: string;
      /** The actions that are possible now. */
      legal?: string[];
    };
  };
  Info: Info;
  Merchant: MerchantFeatures;
  Credentials: Credentials;
  Payment: With<Payment, { paymentMethod: KnownPaymentMethod; items: NonNullable<Payment['items']> }>;
  PaymentDetails: PaymentDetails;
  UnresolvedKey: UnresolvedKey;
  Charge: Charge;
  Registration: OnboardingRecord;
  RegistrationDetails: RegistrationDetails;
  Document: OnboardingFile;
  SubAccount: SubAccount;
  SubAccountWithBalance: SubAccountWithBalance;
  Withdrawal: WithdrawalRecord;
  Domain: With<Domain, { status: 'pending' | 'verified' | 'failed' }>;
  Certificate: With<
    Certificate,
    Required<Pick<Certificate, 'signingRequestPem' | 'publicKeyFingerprint' | 'metadata'>> & {
      status: 'issued' | 'active' | 'revoked';
    }
  >;
  IssuedCertificate: Omit<IssuedCertificate, 'der'>;
  Endpoint: With<WebhookEndpoint, { status: EndpointStatus }>;
  Delivery: Delivery;
  Attempts: DeliveryAttempts;
  JournalEntry: JournalRequest;
  TimelineEntry: TimelineEntry;
  Clock: Clock;
  PendingFault: PendingFault;
  FiredFault: FiredFault;
  PendingDeliveryFault: PendingDeliveryFault;
  FiredDeliveryFault: FiredDeliveryFault;
  Token: IssuedToken;
  Scenario: Scenario;
  SandboxDefault: SandboxDefault;
}

/** `rejected`: requests with a status from 400. `failed`: deliveries without another retry. */
export type Counts = Readonly<
  Record<'payments' | 'requests' | 'rejected' | 'deliveries' | 'failed', number>
> & {
  readonly paymentsByStatus: Readonly<Record<string, number>>;
  readonly deliveriesByState: Readonly<Record<string, number>>;
};

interface Clock {
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly frozen: boolean;
}

export interface Info extends Clock {
  readonly version: string;
  readonly merchants: readonly MerchantFeatures[];
  readonly testCards: Readonly<Record<string, string>>;
  readonly testCardTokens: Readonly<Record<string, string>>;
  readonly testWalletTokens: Readonly<Record<string, string>>;
  readonly counts: Counts;
  readonly operations: readonly string[];
}

/** A document without its bytes. */
export interface OnboardingFile extends Omit<OnboardingDocument, 'bytes'> {
  /** The field of the form. */
  readonly field: string;
}

export interface RegistrationDetails extends OnboardingRecord {
  readonly documents: readonly OnboardingFile[];
}

export interface SubAccountWithBalance extends SubAccount {
  /**
   * In cents: the sub-account's share of paid payments, minus the withdrawals that did not fail. The API docs
   * show no balances.
   */
  readonly balance: number;
}

export type Delivery = DeliverySummary & DeliveryDescription;

export interface DeliveryAttempts {
  /** UUID. */
  readonly id: string;
  readonly delivery: DeliveryDetails & DeliveryDescription;
  readonly attempts: readonly (DeliveryAttempt & Pick<DeliveryDescription, 'response'>)[];
}
