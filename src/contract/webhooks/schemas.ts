import { z } from 'zod';
import { limits } from '../limits.js';
import { isLoopback } from '../patterns.js';
import { filled, once, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type { createWebhook, listWebhooks, updateWebhook } from './operations.js';

/** Whether a text is an HTTPS URL, as the API document requires. Plain http is allowed for loopback, which only a sandbox can reach. */
function isReachable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const address = new URL(text);
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address));
}

const { min, max } = limits.webhookSecretLength;

const url = () => z.string().refine(isReachable, 'must be an HTTPS URL');
const events = () => z.array(filled);
const secret = () =>
  z.string().min(min, `must have at least ${min} characters`).max(max, `must have at most ${max} characters`);

const endpoint = once(() =>
  z
    .strictObject({
      id: uuid,
      endpoint: z.string(),
      status: z.enum(['active', 'failed', 'inactive', 'suspended']),
      created_at: z.string(),
      events: z.array(z.string()),
      hmac_configured: z.boolean(),
    })
    .meta({ title: 'WebhookEndpoint' }),
);

export const webhookSchemas = {
  'webhooks.create': schemasFor<typeof createWebhook>()(() => ({
    request: z
      .looseObject({ webhook_url: url(), events: events(), hmac_secret: secret().optional() })
      .meta({ title: 'CreateWebhook' }),
    response: endpoint(),
  })),
  'webhooks.update': schemasFor<typeof updateWebhook>()(() => ({
    request: z
      .looseObject({
        webhook_url: url().optional(),
        events: events().optional(),
        hmac_secret: secret().nullable().optional(),
      })
      .meta({ title: 'UpdateWebhook' }),
  })),
  'webhooks.list': schemasFor<typeof listWebhooks>()(() => ({
    response: z.strictObject({ data: z.array(endpoint()) }).meta({ title: 'WebhookEndpointList' }),
  })),
};
