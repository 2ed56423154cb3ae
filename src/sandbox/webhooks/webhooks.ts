import { type EventName, transactionEvents } from '../../contract/events.js';
import type { WebhookEndpoint } from '../../contract/webhooks/types.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Deliveries, Delivery } from './deliveries.js';

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
  /** Every attempt so far, in order; of all merchants. */
  readonly deliveries: readonly Delivery[];
  /** Of all merchants, each merchant's in the order of registration. */
  readonly endpoints: readonly WebhookEndpoint[];
  /**
   * Registers an endpoint of the sandbox's own merchant without a call to the API.
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
   * @throws Error when there is no such delivery, and when its endpoint is not active.
   */
  redeliver(deliveryId: string): void;
}

export function webhooksOf(merchants: Merchants, deliveries: Deliveries): SandboxWebhooks {
  return Object.freeze({
    get deliveries() {
      return deliveries.list();
    },
    get endpoints() {
      return merchants.list().flatMap(({ endpoints }) => endpoints.list());
    },
    register: ({ url, events = transactionEvents, secret }: EndpointRegistration) =>
      merchants.first.endpoints.register({
        webhook_url: url,
        events,
        ...(secret !== undefined && { hmac_secret: secret }),
      }),
    idle: () => deliveries.idle(),
    redeliver: (deliveryId: string) => deliveries.redeliver(deliveryId),
  });
}
