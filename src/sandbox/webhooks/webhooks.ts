import { type EventName, transactionEvents } from '../../contract/events.js';
import type { WebhookEndpoint } from '../../contract/webhooks/types.js';
import { type Readers, readIf, required } from '../../input/options.js';
import { aText, checkedOptions } from '../checked-options.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Deliveries, DeliveryAttempt } from './deliveries.js';
import { type DeliveryQuery, type DeliverySummary, listDeliveries } from './delivery-list.js';

/** Options of `webhooks.register`. */
export interface EndpointRegistration {
  /** An https URL, or http on loopback. */
  url: string;
  /** Default: all transaction events. */
  events?: readonly EventName[] | undefined;
  /** 16 to 256 characters. With it every delivery is signed, without it none. */
  secret?: string | undefined;
}

const readers: Readers<EndpointRegistration> = {
  url: required(aText),
  events: readIf(
    (given) => Array.isArray(given) && given.every((event) => typeof event === 'string'),
    'must be a list of event names',
  ),
  secret: aText,
};

/** The sending side of webhooks (API document, Events). */
export interface SandboxWebhooks {
  /** Every attempt so far, of all merchants, in the order of time. */
  readonly deliveries: readonly DeliveryAttempt[];
  /**
   * A line for each notification, with the outcome of its latest attempt, in the order they were sent.
   *
   * @throws TypeError that names every problem of the query, UnknownIdError for an unknown `before`.
   */
  list(query?: DeliveryQuery): DeliverySummary[];
  /** Every attempt of a delivery, in the order of time. Throws UnknownIdError for an unknown delivery. */
  attempts(deliveryId: string): DeliveryAttempt[];
  /** Of all merchants, by merchant in the order of registration. */
  readonly endpoints: readonly WebhookEndpoint[];
  /**
   * Registers an endpoint of the sandbox's first merchant without a call to the API.
   *
   * @throws TypeError for an unknown option, and for a value of another type.
   * @throws Error where POST /v1/webhooks answers 400: for a fourth endpoint, and for values out of their
   * limits.
   */
  register(endpoint: EndpointRegistration): WebhookEndpoint;
  /** Resolves when no attempt is in flight. Resends that wait for the clock do not count. */
  idle(): Promise<void>;
  /**
   * Sends the notification of a delivery again, as the platform may do at any time: with the same body,
   * signed anew. The attempt is in flight when this returns; await `idle()`.
   *
   * @param deliveryId the `id` of its attempts.
   * @throws Error for an unknown delivery, and if its endpoint is not active.
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
    list: (query: DeliveryQuery = {}) => listDeliveries(deliveries, query),
    attempts: (deliveryId: string) => deliveries.attemptsOf(deliveryId),
    register: (registration: EndpointRegistration) => {
      const {
        url = '',
        events = transactionEvents,
        secret,
      } = checkedOptions('webhooks.register', registration, readers);
      return merchants.first.endpoints.register({
        webhook_url: url,
        events,
        ...(secret !== undefined && { hmac_secret: secret }),
      });
    },
    idle: () => deliveries.idle(),
    redeliver: (deliveryId: string) => deliveries.redeliver(deliveryId),
  });
}
