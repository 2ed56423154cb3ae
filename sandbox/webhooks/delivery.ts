import type { DeliveryState } from '../defaults/transitions.js';
import type { DeliveryFault } from '../faults/delivery-faults.js';

/** An attempt to deliver a notification to an endpoint. */
export interface DeliveryAttempt {
  /** UUID of the delivery, the same for all its attempts. */
  readonly id: string;
  /** UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** The endpoint's URL at the time of the attempt. */
  readonly url: string;
  /** The `event` of the body, such as `transaction.paid`. */
  readonly event: string;
  /** 1 for the first attempt, 2 to 4 for the retries. */
  readonly attempt: number;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** The HTTP status of the receiver's response; undefined without a response. */
  readonly status: number | undefined;
  /** Why the attempt got no response. */
  readonly error: string | undefined;
  /** The fault of `webhooks.faults` that hit the attempt; undefined without a fault. */
  readonly fault: DeliveryFault | undefined;
  /** The body exactly as sent. */
  readonly body: string;
  /**
   * The headers as sent, with names in lower case. They include the signature if the endpoint has a secret.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** `pending` until the attempt ends, then `delivered` (2xx) or `failed`. */
  readonly state: DeliveryState;
}

export type Attempt = { -readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] };

export interface Notification {
  readonly id: string;
  /** Its number among all notifications. */
  readonly order: number;
  readonly endpointId: string;
  readonly event: string;
  /** Undefined in an earlier version's state. */
  readonly paymentId?: string | undefined;
  readonly body: string;
  /** In chronological order. A fault can send an attempt's request twice. */
  readonly attempts: Attempt[];
  /** In milliseconds since 1970; undefined without a retry. */
  resendAt: number | undefined;
}
