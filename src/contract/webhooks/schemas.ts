import * as z from 'zod/mini';
import { limits } from '../limits.js';
import { isReachable } from '../patterns.js';
import { assumed, atLeast, atMost, filled, once, secret, titled, uuid } from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import type { createWebhookOperation, listWebhooksOperation, updateWebhookOperation } from './operations.js';

const { min, max } = limits.webhookSecretLength;

const url = () => z.string().check(z.refine(isReachable, 'must be an HTTPS URL, without white space'));
const events = () => z.array(filled);
const signingSecret = () => z.string().check(atLeast(min)).check(atMost(max));

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
  'webhooks.create': defineSchemas<typeof createWebhookOperation>()(() => ({
    summary: 'Register a webhook endpoint',
    request: titled(
      'CreateWebhook',
      z.looseObject({
        webhook_url: url(),
        events: z.optional(events()),
        hmac_secret: secret(z.optional(signingSecret())),
      }),
    ),
    response: endpoint(),
  })),
  'webhooks.update': defineSchemas<typeof updateWebhookOperation>()(() => ({
    summary: 'Change a webhook endpoint',
    request: titled(
      'UpdateWebhook',
      z.looseObject({
        webhook_url: assumed(
          'webhooks.webhook_url',
          'The request that creates an endpoint uses `webhook_url`. For updates, the API docs do not name the field.',
          z.optional(url()),
        ),
        events: z.optional(events()),
        hmac_secret: secret(z.optional(z.nullable(signingSecret()))),
      }),
    ),
  })),
  'webhooks.list': defineSchemas<typeof listWebhooksOperation>()(() => ({
    summary: 'List webhook endpoints',
    response: titled('WebhookEndpointList', z.strictObject({ data: z.array(endpoint()) })),
  })),
};
