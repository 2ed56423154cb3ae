import type { EventName } from '../events.js';
import type { Open } from '../types.js';

/** The body of POST /v1/webhooks. */
export interface CreateWebhook {
  /** HTTPS. */
  webhook_url: string;
  /**
   * The events that the endpoint receives, such as `transaction.paid`. The API docs also state the opposite:
   * that every endpoint receives all events.
   */
  events?: readonly EventName[] | undefined;
  /** 16 to 256 characters. If set, every delivery is signed with the secret. */
  hmac_secret?: string | undefined;
}

/**
 * The body of PUT /v1/webhooks/{id}. The API docs say only that the current `hmac_secret` is kept if you
 * leave it out. Send the URL and the events each time, because the platform can replace the whole endpoint
 * with the body of the PUT.
 */
export interface UpdateWebhook {
  /** HTTPS. The name is assumed: it is undocumented for the update. */
  webhook_url?: string | undefined;
  /** Event names, as in `CreateWebhook`. */
  events?: readonly EventName[] | undefined;
  /**
   * If you leave this field out, the platform keeps the current secret. A string of 16 to 256 characters sets
   * or replaces the secret. `null` clears the secret, and later deliveries are not signed.
   */
  hmac_secret?: string | null | undefined;
}

/** A registered endpoint (API docs, Webhook endpoint). The secret is never returned. */
export interface WebhookEndpoint {
  /** The endpoint's UUID. */
  id: string;
  /** The registered HTTPS URL. */
  endpoint: string;
  /** `active`, `failed`, `inactive` or `suspended`. */
  status: Open<'active' | 'failed' | 'inactive' | 'suspended'>;
  /** When the endpoint was registered, in ISO 8601, UTC. */
  created_at: string;
  /** The names of the subscribed events. */
  events: EventName[];
  /** Whether a signing secret is stored. */
  hmac_configured: boolean;
}
