export { PaymentPlatform } from './client.js';
export { type Assumption, assumptions, type FieldName, type FieldNames } from './contract/assumptions.js';
export type { Absent, Open } from './contract/common.js';
export type {
  EventName,
  TransactionEvent,
  TransactionEventName,
  UnknownEvent,
  WebhookEvent,
} from './contract/events.js';
export { limits } from './contract/limits.js';
export type { Replay } from './contract/operation.js';
export type * from './contract/payment-request.js';
export type {
  BoletoFile,
  Payment,
  PaymentMethod,
  PaymentStatus,
  StoredCustomer,
} from './contract/payments.js';
export type { CreateWebhook, WebhookEndpoint } from './contract/webhook-endpoints.js';
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
export type { ReconcileOptions } from './resources/payments.js';
export type { RequestInput } from './resources/request.js';
export type { CallOptions } from './transport/call-options.js';
export type { EngineName, Fetch, HttpAgent } from './transport/engine.js';
export type {
  CallEvent,
  DriftEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './transport/hooks.js';
export { type ResponseMeta, responseOf } from './transport/response-meta.js';
export type { Schema } from './transport/validate.js';
export { version } from './version.js';
export type { Delivery, DeliveryHeaders, VerifyOptions } from './webhooks/delivery.js';
