export { encryptedTokenStore } from './auth/encrypted-store.js';
export type { OAuthOptions } from './auth/oauth.js';
export { type RedisClient, redisTokenStore } from './auth/redis-store.js';
export { memoryTokenStore, type TokenStore } from './auth/token-store.js';
export { PaymentPlatform } from './client.js';
export { type Assumption, assumptions, type FieldName, type FieldNames } from './contract/assumptions.js';
export type { BankAccount } from './contract/bank-account.js';
export { isValidCnpj, isValidCpf } from './contract/brazil.js';
export type { Certificate } from './contract/certificates.js';
export type { Absent, Open } from './contract/common.js';
export type { Domain, RegisterDomain } from './contract/domains.js';
export type {
  EventName,
  TransactionEvent,
  TransactionEventName,
  UnknownEvent,
  WebhookEvent,
} from './contract/events.js';
export type {
  FileContent,
  FileInput,
  FileStream,
  FormValue,
  NamedFile,
  NodeStream,
} from './contract/forms.js';
export { limits, type RateLimitGroup } from './contract/limits.js';
export type {
  DriversLicence,
  IdentityCard,
  OnboardingPf,
  OnboardingPj,
  OnboardingRegistration,
  OnboardingStatus,
  ResentDocuments,
} from './contract/onboarding.js';
export type { Replay } from './contract/operation.js';
export type {
  BoletoPayment,
  CreatePayment,
  OpenCard,
  OpenCardPayment,
  PaymentCustomer,
  PaymentItem,
  PixPayment,
  UpsellCard,
  UpsellPayment,
  VaultCard,
  VaultCardPayment,
  WalletPayment,
} from './contract/payment-request.js';
export type {
  BoletoFile,
  Payment,
  PaymentMethod,
  PaymentStatus,
  StoredCustomer,
} from './contract/payments.js';
export type { CreateSubmerchant, UpdateSubmerchant } from './contract/submerchants.js';
export type { CreateWebhook, UpdateWebhook, WebhookEndpoint } from './contract/webhook-endpoints.js';
export type { CreatedWithdrawal, Withdrawal } from './contract/withdrawals.js';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  IdempotencyConflictError,
  NotFoundError,
  PaymentOutcomeUnknownError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './errors/api.js';
export {
  type ErrorDetails,
  isPaymentPlatformError,
  type Outcome,
  PaymentPlatformError,
} from './errors/base.js';
export { AbortedError, ConnectionError, TimeoutError, UnreadableResponseError } from './errors/network.js';
export { ConfigurationError, type Issue, ValidationError } from './errors/usage.js';
export { WebhookVerificationError, type WebhookVerificationReason } from './errors/webhook.js';
export type { ClientOptions } from './options.js';
export type { WaitForOptions } from './polling/wait-for-status.js';
export type { ActivateCertificate, CertificateFilter } from './resources/certificates.js';
export type { ResendOptions } from './resources/onboarding.js';
export type { ReconcileOptions } from './resources/payments.js';
export { type ResponseMeta, responseOf } from './transport/answer/response-meta.js';
export type { CallOptions } from './transport/prepare/call-options.js';
export type { RequestInput } from './transport/prepare/request-input.js';
export type { Schema } from './transport/prepare/schema-issues.js';
export type {
  CallEvent,
  DriftEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './transport/report/hooks.js';
export type { RateLimitMode } from './transport/retry/rate-limit.js';
export type { EngineName, Fetch, HttpAgent } from './transport/send/engine.js';
export type { UploadProgress } from './transport/upload/form.js';
export { version } from './version.js';
export type { Delivery, DeliveryHeaders, VerifyOptions } from './webhooks/delivery.js';
