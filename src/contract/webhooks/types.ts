import type { EventName } from '../events.js';
import type { Open } from '../types.js';

/** The body of POST /v1/webhooks. */
export interface CreateWebhook {
  /** The HTTPS URL that receives the deliveries. */
  webhook_url: string;
  /**
   * The events that the endpoint receives, such as `transaction.paid`. In another section, the API docs say
   * that an endpoint is subscribed to all available events.
   */
  events?: readonly EventName[] | undefined;
  /**
   * The webhook secret, 16 to 256 characters. If you set a secret, the platform signs every delivery with it.
   */
  hmac_secret?: string | undefined;
}

/**
 * The body of PUT /v1/webhooks/{id}. The API docs say that the platform keeps the current `hmac_secret`
 * if you leave it out. Send the URL and the events each time, because the PUT might replace the whole
 * endpoint.
 */
export interface UpdateWebhook {
  /** The HTTPS URL. The name is assumed, because it is undocumented for the update. */
  webhook_url?: string | undefined;
  /** Event names, as in `CreateWebhook`. */
  events?: readonly EventName[] | undefined;
  /**
   * If you leave this field out, the platform keeps the current secret. A string of 16 to 256 characters sets
   * or replaces the secret. `null` clears the secret, so later deliveries are not signed.
   */
  hmac_secret?: string | null | undefined;
}

/** A registered endpoint (API docs, Webhook endpoint), without its secret. */
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
