import { assumed, documented, fieldTable } from '../fields.js';
import type { UpdateWebhook } from './types.js';

/** The body of PUT /v1/webhooks/{id}. */
export const updateWebhookFields = fieldTable<UpdateWebhook>()('webhooks', 'request', {
  webhook_url: assumed(
    'The body of the creation has `webhook_url`; for the update the name is undocumented.',
  ),
  events: documented,
  hmac_secret: documented,
});
