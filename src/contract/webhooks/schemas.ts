import { limits } from '../limits.js';
import { isLoopback } from '../patterns.js';
import { filled, once, titled, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import * as z from '../zod.js';
import type { createWebhook, listWebhooks, updateWebhook } from './operations.js';

/** Whether a text is an HTTPS URL, as the API document requires. Plain http is allowed for loopback, which only a sandbox can reach. */
function isReachable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const address = new URL(text);
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address));
}

const { min, max } = limits.webhookSecretLength;

const url = () => z.string().check(z.refine(isReachable, 'must be an HTTPS URL'));
const events = () => z.array(filled);
const secret = () =>
  z
    .string()
    .check(z.minLength(min, `must have at least ${min} characters`))
    .check(z.maxLength(max, `must have at most ${max} characters`));

const endpoint = once(() =>
  titled(
    'WebhookEndpoint',
    z.strictObject({
      id: uuid,
      endpoint: z.string(),
      status: z.enum(['active', 'failed', 'inactive', 'suspended']),
      created_at: z.string(),
      events: z.array(z.string()),
      hmac_configured: z.boolean(),
    }),
  ),
);

export const webhookSchemas = {
  'webhooks.create': schemasFor<typeof createWebhook>()(() => ({
    request: titled(
      'CreateWebhook',
      z.looseObject({ webhook_url: url(), events: events(), hmac_secret: z.optional(secret()) }),
    ),
    response: endpoint(),
  })),
  'webhooks.update': schemasFor<typeof updateWebhook>()(() => ({
    request: titled(
      'UpdateWebhook',
      z.looseObject({
        webhook_url: z.optional(url()),
        events: z.optional(events()),
        hmac_secret: z.optional(z.nullable(secret())),
      }),
    ),
  })),
  'webhooks.list': schemasFor<typeof listWebhooks>()(() => ({
    response: titled('WebhookEndpointList', z.strictObject({ data: z.array(endpoint()) })),
  })),
};
