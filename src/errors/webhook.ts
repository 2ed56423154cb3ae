import { PaymentPlatformError } from './base.js';

/** The reason why a delivery was rejected. */
export type WebhookVerificationReason =
  | 'missing-timestamp'
  | 'malformed-timestamp'
  | 'timestamp-too-old'
  | 'timestamp-in-future'
  | 'missing-signature'
  | 'malformed-signature'
  | 'signature-mismatch'
  | 'body-already-parsed'
  | 'body-too-large'
  | 'body-incomplete'
  | 'malformed-payload'
  | 'missing-event';

/**
 * A delivery is not authentic, not recent or not readable: see `reason`. Respond with 400, and do nothing
 * else.
 */
export class WebhookVerificationError extends PaymentPlatformError {
  static override readonly kind: string = 'WebhookVerificationError';
  /** Always `WebhookVerificationError`. */
  override readonly name = 'WebhookVerificationError';
  /** Always `webhook_verification_failed`. */
  declare readonly code: 'webhook_verification_failed';
  /** The reason for the rejection, such as `timestamp-too-old` or `signature-mismatch`. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, cause?: unknown) {
    super('webhook_verification_failed', message, { cause });
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    const { name, code, message, reason } = this;
    return { name, code, message, reason };
  }
}
