import type { DeliveryState } from '../defaults/transitions.js';
import type { DeliveryFault } from '../faults/delivery-faults.js';

/** One attempt to deliver a notification to an endpoint. */
export interface DeliveryAttempt {
  /** UUID of the delivery, the same for all its attempts. */
  readonly id: string;
  /** UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** The URL of the endpoint at the time of the attempt. */
  readonly url: string;
  /** The `event` of the body, such as `transaction.paid`. */
  readonly event: string;
  /** 1 for the first, 2 to 4 for the resends. */
  readonly attempt: number;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** The HTTP status of the receiver's response; undefined without a response. */
  readonly status: number | undefined;
  /** Why the attempt got no response. */
  readonly error: string | undefined;
  /** The fault of `webhooks.faults` that hit it; undefined for one that went as it should. */
  readonly fault: DeliveryFault | undefined;
  /** Exactly as sent. */
  readonly body: string;
  /** As sent, names in lower case; with the signature if the endpoint has a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** `pending` until the attempt ends, then `delivered` (2xx) or `failed`. */
  readonly state: DeliveryState;
}

export type Attempt = { -readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] };

/** A notification for one endpoint, as the sandbox keeps it. */
export interface Notification {
  readonly id: string;
  /** Its number among all notifications. */
  readonly order: number;
  readonly endpointId: string;
  readonly event: string;
  /** UUID; undefined in the state of an earlier version. */
  readonly paymentId?: string | undefined;
  readonly body: string;
  /** In the order of time. A fault may send the request of an attempt twice. */
  readonly attempts: Attempt[];
  /** Milliseconds since 1970: when it is retried; undefined if it is not. */
  resendAt: number | undefined;
}
