import { type EventName, transactionEvents } from '../../src/contract/events.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import {
  anything,
  functionReader,
  type OptionReaders,
  required,
  validIf,
} from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import { UnknownIdError } from '../arguments/control-errors.js';
import type { SandboxDeliveryFaults } from '../faults/delivery-faults.js';
import { findClientId, type MerchantReference } from '../merchants/merchant-reference.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { DeliveryAttempt } from '../webhooks/delivery.js';
import {
  type DeliveryDetails,
  type DeliveryQuery,
  type DeliverySummary,
  freezeAttempt,
  listAttemptsInOrder,
  listDeliveries,
  summarizeDelivery,
} from '../webhooks/delivery-list.js';
import type { InProcessReceivers, WebhookFunction } from '../webhooks/in-process-receivers.js';

/** Options of `webhooks.register`. */
export interface EndpointRegistration {
  /** An https URL, or http on loopback or a host in `httpWebhookHosts`. */
  url: string;
  /** Default: all transaction events. */
  events?: readonly EventName[] | undefined;
  /** The webhook secret, 16 to 256 characters. Without a secret, deliveries are not signed. */
  secret?: string | undefined;
  /**
   * The `internalId` of the sub-account that owns the endpoint. The endpoint is notified of payments that the
   * sub-account owns, depending on `createSandbox({ webhooks: { audience } })`. Default: the merchant owns
   * it.
   */
  submerchant?: string | undefined;
}

/** Options of `webhooks.connect`. */
export interface ConnectOptions {
  /** Default: all transaction events. */
  events?: readonly EventName[] | undefined;
  /** The receiver's webhook secret, 16 to 256 characters. Without a secret, deliveries are not signed. */
  secret?: string | undefined;
  /** The merchant that owns the endpoint. Default: the sandbox's first one. */
  merchant?: MerchantReference | undefined;
}

const eventNames = validIf<readonly EventName[]>(
  (value) => Array.isArray(value) && value.every((event) => typeof event === 'string'),
  'must be a list of event names',
);

const optionReaders: OptionReaders<EndpointRegistration> = {
  url: required(aText),
  events: eventNames,
  secret: aText,
  submerchant: aText,
};

const connectReaders: OptionReaders<ConnectOptions> = {
  events: eventNames,
  secret: aText,
  merchant: anything(),
};

const receiverReader = functionReader<WebhookFunction>();

/** Sends webhooks, and lists endpoints and deliveries (API docs, Events). */
export interface SandboxWebhooks {
  /** Every attempt so far, of all merchants, in chronological order. */
  readonly deliveries: readonly DeliveryAttempt[];
  /**
   * Lists notifications in the order they were sent, with the outcome of their latest attempt.
   *
   * @throws TypeError that names every problem in the query, or UnknownIdError for an unknown `before`.
   */
  list(query?: DeliveryQuery): DeliverySummary[];
  /** Returns a delivery, even before its first attempt. Throws UnknownIdError for an unknown delivery. */
  retrieve(deliveryId: string): DeliveryDetails;
  /** Lists a delivery's attempts in chronological order. Throws UnknownIdError for an unknown delivery. */
  attempts(deliveryId: string): DeliveryAttempt[];
  /**
   * Faults on the way to the receivers: requests that are lost, late, sent twice, out of order or altered.
   */
  readonly faults: SandboxDeliveryFaults;
  /** The endpoints of all merchants, grouped by merchant in the order of registration. */
  readonly endpoints: readonly WebhookEndpoint[];
  /**
   * Registers an endpoint of the sandbox's first merchant without an API request.
   *
   * @throws TypeError for an unknown option, and for a value of another type.
   * @throws UnknownIdError for an unknown `submerchant`.
   * @throws Error if POST /v1/webhooks would respond with 400: for a fourth endpoint, and for values out of
   * their limits.
   */
  register(endpoint: EndpointRegistration): WebhookEndpoint;
  /**
   * Registers a function as an endpoint: `connect(receiver.fetch, { secret })`. Each delivery calls the
   * function in this process with a Request, so no port is needed. In all other ways, the endpoint works like
   * any other. It counts towards the limit, the function has 30 seconds to respond, and failed deliveries are
   * retried. `idle()` waits for the function, and `clock.advance` for up to `webhooks.receiverPatience`. `control.webhooks.setStatus(id, 'inactive')`
   * disconnects the endpoint. If you change its URL, deliveries go over the network.
   *
   * @returns the endpoint. Its URL works only in this sandbox.
   * @throws TypeError if `receive` is not a function, and for an unknown option, a value of another type or
   * an unknown merchant.
   * @throws Error if POST /v1/webhooks would respond with 400: for a fourth endpoint, and for a secret out of
   * its limits.
   */
  connect(receive: WebhookFunction, options?: ConnectOptions): WebhookEndpoint;
  /** Resolves when no attempt is in flight. Retries that wait for the clock do not count. */
  idle(): Promise<void>;
  /**
   * Sends a delivery's notification again, with the same body and a new signature. Await `idle()` for the
   * outcome of the attempt.
   *
   * @param deliveryId the delivery's id, which all its attempts share.
   * @throws Error for an unknown delivery, and if its endpoint is not active.
   */
  redeliver(deliveryId: string): void;
}

export function createWebhookControl(
  merchants: Merchants,
  deliveries: Deliveries,
  receivers: InProcessReceivers,
): SandboxWebhooks {
  const buildUrl = (id: string) =>
    merchants.findOwner(({ endpoints }) => endpoints.find(id))?.found.shown.endpoint;
  return Object.freeze({
    get deliveries() {
      return listAttemptsInOrder(deliveries.notifications);
    },
    faults: deliveries.faults,
    get endpoints() {
      return merchants.list().flatMap(({ endpoints }) => endpoints.list());
    },
    list: (query: DeliveryQuery = {}) => listDeliveries(deliveries.notifications, query, buildUrl),
    retrieve: (deliveryId: string) => {
      const notification = deliveries.notification(deliveryId);
      return Object.freeze({ ...summarizeDelivery(notification, buildUrl), body: notification.body });
    },
    attempts: (deliveryId: string) => deliveries.notification(deliveryId).attempts.map(freezeAttempt),
    register: (registration: EndpointRegistration) => {
      const {
        url = '',
        events = transactionEvents,
        secret,
        submerchant,
      } = readCheckedOptions('webhooks.register', registration, optionReaders);
      const { endpoints, accounts } = merchants.first;
      if (submerchant !== undefined && accounts.find(submerchant) === undefined) {
        throw new UnknownIdError(
          `webhooks.register: submerchant '${submerchant}' is not the internalId of a sub-account of the first merchant. control.submerchants.list() returns them`,
        );
      }
      return endpoints.register(
        { webhook_url: url, events, ...(secret !== undefined && { hmac_secret: secret }) },
        'webhooks.register',
        submerchant,
      );
    },
    connect: (receive: WebhookFunction, options: ConnectOptions = {}) => {
      const [issue] = receiverReader.read(receive).issues;
      if (issue !== undefined) {
        throw new TypeError(`webhooks.connect: the receiver ${issue.message}, such as receiver.fetch`);
      }
      const {
        events = transactionEvents,
        secret,
        merchant,
      } = readCheckedOptions('webhooks.connect', options, connectReaders);
      const { endpoints } = merchants.get(findClientId(merchant));
      return endpoints.register(
        {
          webhook_url: receivers.add(receive),
          events,
          ...(secret !== undefined && { hmac_secret: secret }),
        },
        'webhooks.connect',
      );
    },
    idle: () => deliveries.idle(),
    redeliver: (deliveryId: string) => deliveries.redeliver(deliveryId),
  });
}
