export type { OAuthOptions } from './auth/oauth.js';
export { encryptedTokenStore, memoryTokenStore, type TokenStore } from './auth/token-store.js';
export { PaymentPlatform } from './client.js';
export { isValidCnpj, isValidCpf } from './contract/brazil.js';
export type * from './contract/certificates/types.js';
export type * from './contract/domains/types.js';
export type {
  EventName,
  TransactionEvent,
  TransactionEventName,
  UnknownEvent,
  WebhookEvent,
} from './contract/events.js';
export type {
  FastifyFile,
  FileContent,
  FileInput,
  FileStream,
  FormidableFile,
  FormValue,
  MulterDiskFile,
  MulterMemoryFile,
  NamedFile,
  NodeStream,
  UploadedFile,
} from './contract/forms.js';
export { limits, type RateLimitGroup } from './contract/limits.js';
export type * from './contract/onboarding/types.js';
export type { Replay } from './contract/operation.js';
export { type Assumption, assumptions, type FieldName, type FieldNames } from './contract/overrides.js';
export type * from './contract/payments/types.js';
export type { Schema } from './contract/schema-drift.js';
export { type Checks, type SdkCheck, sdkChecks } from './contract/sdk-checks.js';
export type * from './contract/submerchants/types.js';
export type { Absent, Open } from './contract/types.js';
export type * from './contract/webhooks/types.js';
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
  type ApiErrorCode,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  isPaymentPlatformError,
  type Outcome,
  PaymentPlatformError,
  rawBodyOf,
} from './errors/base.js';
export { AbortedError, ConnectionError, TimeoutError, UnreadableResponseError } from './errors/network.js';
export { ConfigurationError, ValidationError } from './errors/usage.js';
export { WebhookVerificationError, type WebhookVerificationReason } from './errors/webhook.js';
export type { ClientOptions, ClientOptions as PaymentPlatformOptions, Credentials } from './options.js';
export type { ActivateCertificate, Certificates } from './resources/certificates.js';
export type { Domains } from './resources/domains.js';
export type { Onboarding, ResendOptions } from './resources/onboarding.js';
export type { Payments } from './resources/payments.js';
export type { WaitForOptions } from './resources/poll.js';
export type { ReconcileOptions } from './resources/reconcile.js';
export type { Submerchants, Withdrawals } from './resources/submerchants.js';
export type { Vault } from './resources/vault.js';
export type { Webhooks } from './resources/webhooks.js';
export type { RedisClient } from './stores/redis/client.js';
export { redisRateLimitStore, redisTokenStore } from './stores/redis/stores.js';
export {
  type LibsqlClient,
  type LibsqlStoreOptions,
  libsqlRateLimitStore,
  libsqlSharedSql,
  libsqlTokenStore,
} from './stores/sqlite/libsql.js';
export type { TelemetryApi } from './telemetry/api.js';
export { type OpenTelemetryOptions, openTelemetry } from './telemetry/open-telemetry.js';
export type { Telemetry } from './telemetry/telemetry.js';
export type {
  CallEvent,
  DriftEvent,
  Hooks,
  RateLimitFallbackEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './transport/call/hooks.js';
export type { CallOptions } from './transport/prepare/call-options.js';
export type { RequestInput } from './transport/prepare/request-input.js';
export { type ResponseMeta, responseOf } from './transport/response/response-meta.js';
export type { RateLimitMode, RateLimits } from './transport/retry/rate-limit-options.js';
export type { RateLimitStore } from './transport/retry/rate-limit-store.js';
export type { EngineName, Fetch, HttpAgent } from './transport/send/http-client.js';
export type { UploadProgress } from './transport/upload/form.js';
export type { Issue } from './validation/issue.js';
export { version } from './version.js';
export type { Delivery, DeliveryHeaders, VerifyOptions } from './webhooks/types.js';
