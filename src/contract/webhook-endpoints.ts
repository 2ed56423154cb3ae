import { z } from 'zod';
import { type Open, uuid } from './common.js';
import type { EventName } from './events.js';
import { limits } from './limits.js';
import { operation } from './operation.js';

/** The body of POST /v1/webhooks. */
export interface CreateWebhook {
  /** HTTPS. */
  webhook_url: string;
  events: readonly EventName[];
  /** 16 to 256 characters. When given, every delivery is signed with it. */
  hmac_secret?: string;
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

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** HTTPS, as the document states; plain http passes for loopback, which only a sandbox can reach. */
function isReachable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}

const { min, max } = limits.webhookSecretLength;

const CreateWebhookSchema = z.looseObject({
  webhook_url: z.string().refine(isReachable, 'must be an HTTPS URL'),
  events: z.array(z.string()),
  hmac_secret: z
    .string()
    .min(min, `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .optional(),
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
