import type { Sandbox } from './control/sandbox-interface.js';
import type { SandboxOptions } from './options.js';
import { PlatformSandbox } from './sandbox.js';

export { IllegalTransitionError, UnknownIdError } from './arguments/control-errors.js';
export type { ListPart } from './arguments/list-part.js';
export type { SandboxControl, WebhookControl } from './control/control.js';
export type {
  CredentialControl,
  FeatureControl,
  MerchantFeatures,
  OAuthControl,
} from './control/merchant-control.js';
export type {
  OnboardingControl,
  OnboardingDocument,
  OnboardingRecord,
  OnboardingRejection,
} from './control/onboarding-control.js';
export type {
  PaymentControl,
  PaymentDetails,
  PaymentQuery,
  UnresolvedKey,
} from './control/payment-control.js';
export type { Sandbox, SandboxMerchant } from './control/sandbox-interface.js';
export type { SubmerchantControl, WithdrawalControl } from './control/submerchant-control.js';
export type { CertificateControl, CertificateCreation, DomainControl } from './control/wallet-control.js';
export type { ConnectOptions, EndpointRegistration, SandboxWebhooks } from './control/webhooks.js';
export type { RuleOptions } from './defaults/all.js';
export { defaults } from './defaults/all.js';
export type {
  PaymentRules,
  UpsellAudience,
  UpsellRules,
  VaultResponse,
  VaultRules,
} from './defaults/payments.js';
export type { RateLimitOptions } from './defaults/rate-limits.js';
export type { SandboxProblem } from './defaults/requests.js';
export type { ResponseField, ResponseFields } from './defaults/response-fields.js';
export type { SandboxDefault } from './defaults/sandbox-default.js';
export type { ResponseName } from './defaults/statuses.js';
export type { DocumentFormat, KycOptions, KycRules, WithdrawalOptions } from './defaults/submerchants.js';
export type {
  EndpointStatus,
  OnboardingState,
  SubAccountStatus,
  Transition,
  WithdrawalStatus,
} from './defaults/transitions.js';
export type {
  Audience,
  DeliveryRules,
  EventSubscriptions,
  SignatureOptions,
  WebhookRules,
} from './defaults/webhooks.js';
export type {
  DeliveryFault,
  DeliveryFaultRule,
  FiredDeliveryFault,
  PendingDeliveryFault,
  SandboxDeliveryFaults,
} from './faults/delivery-faults.js';
export type { Fault, SlowResponse } from './faults/fault-kinds.js';
export type { FaultProgress, FaultSelection } from './faults/fault-list.js';
export type { FaultPhase } from './faults/fault-phases.js';
export type { FaultResponse } from './faults/replacement-response.js';
export type { FaultRule, FiredFault, PendingFault, SandboxFaults } from './faults/request-faults.js';
export type { SubmerchantUpdates } from './http/handlers/submerchant-updates.js';
export type { JournalQuery, SandboxJournal } from './http/journal.js';
export type { JournalRequest } from './http/journal-entry.js';
export type { ListenOptions, SandboxServer } from './http/node-server.js';
export type { IssuedToken } from './merchants/access-tokens.js';
export type { SandboxClientOptions, SandboxFetch } from './merchants/client-options.js';
export type { Feature, FeatureOptions } from './merchants/features.js';
export type { CredentialOptions, MerchantOptions } from './merchants/merchant.js';
export type { MerchantReference } from './merchants/merchant-reference.js';
export type { SandboxOptions } from './options.js';
export type { BoletoDetails } from './payments/boleto.js';
export type { Charge, SandboxLedger } from './payments/ledger.js';
export type { StatusChange } from './payments/payment-record.js';
export type { Split, SplitEntry, SplitRule } from './payments/split.js';
export { type Scenario, scenarios } from './scenarios/all.js';
export type { Refusal } from './scenarios/card-outcomes.js';
export { testCards, testCardTokens, testWalletTokens } from './scenarios/test-cards.js';
export { testDomains } from './scenarios/test-domains.js';
export { testDocuments, testNames } from './scenarios/test-names.js';
export type { OnboardingKind } from './sellers/onboarding.js';
export type { SubAccount, TaxDocument } from './sellers/sub-accounts.js';
export type { WithdrawalRecord } from './sellers/withdrawals.js';
export type { SandboxState } from './state/saved-state.js';
export type { SandboxClock } from './time/clock.js';
export type { Duration } from './time/duration.js';
export type { TimelineEntry } from './timeline/timeline.js';
export type { IssuedCertificate } from './wallet/certificate-authority.js';
export type { CertificateRequest } from './wallet/certificates.js';
export type { DomainVerificationOptions } from './wallet/domains.js';
export type { DeliveryAttempt } from './webhooks/delivery.js';
export type { DeliveryDetails, DeliveryQuery, DeliverySummary } from './webhooks/delivery-list.js';
export type { WebhookFunction } from './webhooks/in-process-receivers.js';

/**
 * Creates a sandbox: the platform, offline.
 *
 * @throws TypeError for unknown options and for values out of their limits; its message names all of them.
 * @example
 * ```ts
 * const sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
 * const platform = new PaymentPlatform(sandbox.clientOptions());
 * const payment = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
 * sandbox.control.payments.pay(payment.id);
 * await sandbox.close();
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new PlatformSandbox(options);
}
