import type { SandboxOptions } from './options.js';
import { MiniaturePlatform, type Sandbox } from './sandbox.js';

export type { IssuedToken } from './access-tokens.js';
export { choices } from './all-choices.js';
export type { IssuedCertificate } from './authority.js';
export { testCards, testCardTokens } from './cards.js';
export type { CertificateRequest } from './certificates.js';
export type { Choice } from './choices.js';
export type { SandboxClientOptions, SandboxFetch } from './client-options.js';
export type { SandboxClock } from './clock.js';
export type { SandboxControl, WebhookControl } from './control.js';
export type { Delivery, SignatureOptions } from './deliveries.js';
export type { VerifyOptions } from './domains.js';
export type { Duration } from './duration.js';
export type { EndpointStatus } from './endpoints.js';
export type { FaultAnswer } from './fault-answer.js';
export type { Fault, FaultRule, PendingFault, SandboxFaults } from './faults.js';
export type { Feature, FeatureOptions } from './features.js';
export type { JournalRequest, SandboxJournal } from './journal.js';
export type { Charge, SandboxLedger } from './ledger.js';
export type { MerchantOptions } from './merchant.js';
export type {
  CredentialControl,
  FeatureControl,
  MerchantReference,
  OAuthControl,
} from './merchant-control.js';
export type { OnboardingKind, OnboardingState } from './onboarding.js';
export type { OnboardingControl, OnboardingDocument, OnboardingRecord } from './onboarding-control.js';
export type { SandboxOptions } from './options.js';
export type { PaymentControl } from './payment-control.js';
export type { RateLimitOptions } from './rate-limits.js';
export type { Sandbox, SandboxMerchant } from './sandbox.js';
export type { ListenOptions, SandboxServer } from './server.js';
export type { Split, SplitEntry, SplitRule } from './split.js';
export type { SubAccount, SubAccountStatus, TaxDocument } from './sub-accounts.js';
export type { SubmerchantControl, WithdrawalControl } from './submerchant-control.js';
export type { CertificateControl, CertificateCreation, DomainControl } from './wallet-control.js';
export type { EndpointRegistration, SandboxWebhooks } from './webhooks.js';
export type { WithdrawalRecord, WithdrawalStatus } from './withdrawals.js';

/**
 * Makes a sandbox: the platform, offline.
 *
 * @throws TypeError for an option that does not exist, and for a value that makes no sense.
 * @example
 * const sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
 * const platform = new PaymentPlatform(sandbox.clientOptions());
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new MiniaturePlatform(options);
}
