export type {
  EventName,
  TransactionEvent,
  TransactionEventName,
  UnknownEvent,
  WebhookEvent,
} from '../contract/events.js';
export { isPaymentPlatformError, PaymentPlatformError } from '../errors/base.js';
export { ConfigurationError } from '../errors/usage.js';
export { WebhookVerificationError, type WebhookVerificationReason } from '../errors/webhook.js';
export type { Delivery, DeliveryHeaders } from './delivery.js';
export { type RawBody, type SignatureEncoding, type SignOptions, sign } from './signature.js';
export { verify } from './verify.js';
export { verifyAsync } from './verify-async.js';
export type { VerifyOptions } from './verify-options.js';
