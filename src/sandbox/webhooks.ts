import { type EventName, transactionEvents } from '../contract/events.js';
import type { WebhookEndpoint } from '../contract/webhook-endpoints.js';
import type { Deliveries, Delivery } from './deliveries.js';
import type { Endpoints } from './endpoints.js';
import type { PaymentRecord } from './payment-record.js';
import type { Payments } from './payments.js';

/** A webhook endpoint to register. */
export interface EndpointRegistration {
  /** HTTPS, or http on loopback. */
  url: string;
  /** Default: all transaction events. */
  events?: readonly EventName[];
  /** 16 to 256 characters. With it every delivery is signed. */
  secret?: string;
}

/** The sending side of webhooks (API document, Events). */
export interface SandboxWebhooks {
  /** Every attempt so far, in order. */
  readonly deliveries: readonly Delivery[];
  readonly endpoints: readonly WebhookEndpoint[];
  /**
   * Registers an endpoint without a call to the API.
   *
   * @throws Error where POST /v1/webhooks answers 400: at most three endpoints, and the rules of their fields.
   */
  register(endpoint: EndpointRegistration): WebhookEndpoint;
  /** Resolves when nothing is in flight right now. Resends that wait for the clock do not count. */
  idle(): Promise<void>;
  /**
   * Sends the notification of a delivery once more, as the platform may do at any time: with the same
   * body, signed anew. It is in flight when this returns; await `idle()`.
   *
   * @throws Error when there is no such delivery.
   */
  redeliver(deliveryId: string): void;
}

export function webhooksOf(endpoints: Endpoints, deliveries: Deliveries): SandboxWebhooks {
  return Object.freeze({
    get deliveries() {
      return deliveries.list();
    },
    get endpoints() {
      return endpoints.list();
    },
    register: ({ url, events = transactionEvents, secret }: EndpointRegistration) =>
      endpoints.register({ webhook_url: url, events, ...(secret !== undefined && { hmac_secret: secret }) }),
    idle: () => deliveries.idle(),
    redeliver: (deliveryId: string) => deliveries.redeliver(deliveryId),
  });
}

/** Tells every endpoint of a new status: the specific event first, then its generic twin. */
export function notify(
  record: PaymentRecord,
  { payments, endpoints, deliveries }: { payments: Payments; endpoints: Endpoints; deliveries: Deliveries },
): void {
  const payment = payments.show(record);
  const line = record.boleto && { boleto: { digitableLine: record.boleto.digitableLine } };
  for (const event of [`transaction.${record.status}`, 'transaction.status.updated']) {
    const receivers = endpoints.receivers(event);
    if (receivers.length === 0) continue;
    const body = JSON.stringify({ event, ...payment, ...line });
    for (const endpoint of receivers) deliveries.send(endpoint, event, body);
  }
}
