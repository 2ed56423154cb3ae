import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import type { EndpointStatus } from '../defaults/transitions.js';
import type { AccessTokens } from '../merchants/access-tokens.js';
import type { SandboxClientOptions } from '../merchants/client-options.js';
import type { MerchantReference } from '../merchants/merchant-reference.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Ledger } from '../payments/ledger.js';
import type { CertificateAuthority } from '../wallet/certificate-authority.js';
import {
  type CredentialControl,
  createCredentialControl,
  createFeatureControl,
  createOAuthControl,
  type FeatureControl,
  type OAuthControl,
} from './merchant-control.js';
import { createOnboardingControl, type OnboardingControl } from './onboarding-control.js';
import { createPaymentControl, type PaymentControl } from './payment-control.js';
import {
  createSubmerchantControl,
  createWithdrawalControl,
  type SubmerchantControl,
  type WithdrawalControl,
} from './submerchant-control.js';
import { type CertificateControl, createWalletControl, type DomainControl } from './wallet-control.js';

/** Changes to webhook endpoints that the platform's API does not offer. */
export interface WebhookControl {
  /**
   * Sets the status of an endpoint. Only an active endpoint receives notifications.
   *
   * @throws TypeError for an unknown status, Error for an unknown id.
   */
  setStatus(id: string, status: EndpointStatus): WebhookEndpoint;
  /**
   * Removes an endpoint, which makes room for another endpoint. The sandbox sends nothing more to it,
   * including retries. Its deliveries stay in the list.
   *
   * @throws UnknownIdError for an unknown id.
   */
  remove(id: string): void;
}

/**
 * Causes events that happen outside the API: a customer pays, a review ends, an endpoint is suspended. An id
 * can belong to any merchant. A method throws an Error for an unknown id or an impossible transition. A method
 * that only changes the sandbox's data returns at once. Methods that use the network or create keys
 * (`domains.verify`, `certificates.create`, `certificates.issue`) return a promise.
 */
export interface SandboxControl {
  /** Payment events: customers pay, issuers decide, payments are charged back. */
  readonly payments: PaymentControl;
  /** Sub-accounts and their statuses. */
  readonly submerchants: SubmerchantControl;
  /** KYC decisions, and the documents that were submitted. */
  readonly onboarding: OnboardingControl;
  /** The outcomes of withdrawals. */
  readonly withdrawals: WithdrawalControl;
  /** The wallet's verification of domains. */
  readonly domains: DomainControl;
  /** Creates certificate records, and issues certificates for them. */
  readonly certificates: CertificateControl;
  /** The statuses of webhook endpoints. */
  readonly webhooks: WebhookControl;
  /** The products of merchants: `paas` and `split`. */
  readonly features: FeatureControl;
  /** The access tokens that POST /oauth/token issued. */
  readonly oauth: OAuthControl;
  /** Rotates client secrets. */
  readonly credentials: CredentialControl<SandboxClientOptions>;
}

interface Parts {
  readonly merchants: Merchants;
  readonly ledger: Ledger;
  readonly tokens: AccessTokens;
  readonly certificateAuthority: CertificateAuthority;
  readonly clientOptions: (merchant: MerchantReference) => SandboxClientOptions;
}

export function createControl({
  merchants,
  ledger,
  tokens,
  certificateAuthority,
  clientOptions,
}: Parts): SandboxControl {
  const endpoint = (id: string) =>
    merchants.getOwner('webhook endpoint', id, ({ endpoints }) => endpoints.find(id));
  const webhooks: WebhookControl = {
    setStatus: (id, status) => {
      const { owner, found } = endpoint(id);
      return owner.endpoints.setStatus(found, status);
    },
    remove: (id) => endpoint(id).owner.endpoints.remove(id),
  };
  return Object.freeze({
    payments: createPaymentControl(merchants, ledger),
    submerchants: createSubmerchantControl(merchants),
    onboarding: createOnboardingControl(merchants),
    withdrawals: createWithdrawalControl(merchants),
    webhooks: Object.freeze(webhooks),
    features: createFeatureControl(merchants),
    oauth: createOAuthControl(tokens),
    credentials: createCredentialControl(merchants, tokens, clientOptions),
    ...createWalletControl({
      certificateAuthority,
      wallets: () => merchants.list(),
      findWallet: (clientId) => (clientId === undefined ? merchants.first : merchants.find(clientId)),
    }),
  });
}
