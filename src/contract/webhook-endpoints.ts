import { z } from 'zod';
import { filled, type Open, uuid } from './common.js';
import type { EventName } from './events.js';
import { limits } from './limits.js';
import { operation } from './operation.js';
import { isLoopback } from './patterns.js';

/** The body of POST /v1/webhooks. */
export interface CreateWebhook {
  /** HTTPS. */
  webhook_url: string;
  events: readonly EventName[];
  /** 16 to 256 characters. When given, every delivery is signed with it. */
  hmac_secret?: string | undefined;
}

/** The body of PUT /v1/webhooks/{id}. What is left out stays as it is. */
export interface UpdateWebhook {
  /** HTTPS. Assumed name: the document shows none for the update. */
  webhook_url?: string | undefined;
  events?: readonly EventName[] | undefined;
  /**
   * Absent: the current secret is kept. A string of 16 to 256 characters: it is set or replaced. `null`:
   * it is cleared, and later deliveries carry no signature.
   */
  hmac_secret?: string | null | undefined;
}

/** A registered endpoint (API document, Webhook endpoint). The secret is never returned. */
export interface WebhookEndpoint {
  /** UUID. */
  id: string;
  endpoint: string;
  status: Open<'active' | 'failed' | 'inactive' | 'suspended'>;
  /** ISO 8601, UTC. */
  created_at: string;
  events: EventName[];
  hmac_configured: boolean;
}

/** HTTPS, as the document states; plain http passes for loopback, which only a sandbox can reach. */
function isReachable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const address = new URL(text);
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address));
}

const { min, max } = limits.webhookSecretLength;

const url = z.string().refine(isReachable, 'must be an HTTPS URL');
const events = z.array(filled);
const secret = z
  .string()
  .min(min, `must have at least ${min} characters`)
  .max(max, `must have at most ${max} characters`);

const CreateWebhookSchema = z.looseObject({ webhook_url: url, events, hmac_secret: secret.optional() });

const UpdateWebhookSchema = z.looseObject({
  webhook_url: url.optional(),
  events: events.optional(),
  hmac_secret: secret.nullable().optional(),
});

const WebhookEndpointSchema = z.strictObject({
  id: uuid,
  endpoint: z.string(),
  status: z.enum(['active', 'failed', 'inactive', 'suspended']),
  created_at: z.string(),
  events: z.array(z.string()),
  hmac_configured: z.boolean(),
});

export const createWebhook = operation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  section: 'POST /v1/webhooks',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'never',
  conflict: 'unspecified',
  request: CreateWebhookSchema,
  response: WebhookEndpointSchema,
});

export const updateWebhook = operation({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  section: 'PUT /v1/webhooks/{id}',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  names: 'webhooks',
  params: { id: uuid },
  request: UpdateWebhookSchema,
  response: 'unspecified',
});

export const listWebhooks = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  section: 'GET /v1/webhooks',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  response: z.strictObject({ data: z.array(WebhookEndpointSchema) }),
});
