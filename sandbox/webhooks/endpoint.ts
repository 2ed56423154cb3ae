import { inspect } from '#sandbox-runtime';
import { type EventName, transactionEvents } from '../../src/contract/events.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import { type EndpointStatus, endpointStatuses } from '../defaults/transitions.js';
import type { EventSubscriptions } from '../defaults/webhooks.js';

export interface AcceptedWebhook {
  readonly webhook_url: string;
  readonly events?: readonly EventName[];
  readonly hmac_secret?: string;
}

/** Missing fields do not change. */
export interface AcceptedUpdate {
  readonly webhook_url?: string;
  readonly events?: readonly EventName[];
  /** `null` removes the secret. */
  readonly hmac_secret?: string | null;
}

export interface StoredEndpoint {
  readonly shown: Readonly<WebhookEndpoint>;
  readonly secret?: string | undefined;
  readonly previousSecret?: string | undefined;
  /** The `internalId` of a sub-account; undefined if the merchant owns the endpoint. */
  readonly submerchant?: string | undefined;
}

/** Its secret is private, so that it is not printed. */
export class Endpoint {
  #shown: Readonly<WebhookEndpoint>;
  #secret: string | undefined;
  #previousSecret: string | undefined;
  readonly submerchant: string | undefined;
  readonly #subscriptions: EventSubscriptions;

  constructor(
    { shown, secret, previousSecret, submerchant }: StoredEndpoint,
    subscriptions: EventSubscriptions,
  ) {
    this.submerchant = submerchant;
    this.#shown = shown;
    this.#secret = secret;
    this.#previousSecret = previousSecret;
    this.#subscriptions = subscriptions;
  }

  get shown(): Readonly<WebhookEndpoint> {
    return this.#shown;
  }

  get secret(): string | undefined {
    return this.#secret;
  }

  /** The secret before its last change; undefined if there was none. */
  get previousSecret(): string | undefined {
    return this.#previousSecret;
  }

  get isActive(): boolean {
    return this.#shown.status === 'active';
  }

  receives(event: EventName): boolean {
    return this.isActive && (this.#subscriptions === 'all' || this.#shown.events.includes(event));
  }

  /** A copy. */
  show(): WebhookEndpoint {
    return { ...this.#shown, events: [...this.#shown.events] };
  }

  update({ webhook_url, events, hmac_secret }: AcceptedUpdate): void {
    if (hmac_secret !== undefined && hmac_secret !== this.#secret) {
      this.#previousSecret = this.#secret ?? this.#previousSecret;
      this.#secret = hmac_secret ?? undefined;
    }
    this.#shown = {
      ...this.#shown,
      endpoint: webhook_url ?? this.#shown.endpoint,
      events: events === undefined ? this.#shown.events : subscribed(events),
      hmac_configured: this.#secret !== undefined,
    };
  }

  /** @throws TypeError for an unknown status */
  setStatus(status: EndpointStatus): void {
    if (!endpointStatuses.includes(status)) {
      throw new TypeError(
        `The status must be one of ${endpointStatuses.join(', ')}, not ${inspect(status)}.`,
      );
    }
    this.#shown = { ...this.#shown, status };
  }
}

/** A missing or empty list means all transaction events. */
export const subscribed = (events: readonly EventName[] = []): EventName[] =>
  events.length === 0 ? [...transactionEvents] : [...events];
