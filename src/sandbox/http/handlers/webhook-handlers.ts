import type { Issue } from '../../../input/issue.js';
import type { AcceptedUpdate, AcceptedWebhook } from '../../webhooks/endpoint.js';
import { found, json } from '../answers.js';
import type { Call, Handlers } from '../handler.js';

/** Handlers of webhook endpoints. Bodies have passed the contract's schema, so the casts are safe. */
export const webhookHandlers = {
  'webhooks.create': {
    accepts,
    issues: ({ merchant, body }) => merchant.endpoints.issues(body),
    run: ({ merchant, body }) =>
      json(merchant.behaviour.statuses.webhookCreated, merchant.endpoints.add(body as AcceptedWebhook)),
  },
  'webhooks.update': {
    accepts,
    issues: ({ merchant, params, body }) => merchant.endpoints.updateIssues(params.id ?? '', body),
    run: ({ merchant, params, body }) => {
      const endpoint = found(
        merchant.endpoints.findOwn(params.id ?? ''),
        'This merchant has no such webhook endpoint.',
      );
      return json(200, merchant.endpoints.update(endpoint, body as AcceptedUpdate));
    },
  },
  'webhooks.list': {
    run: ({ merchant }) => json(200, { data: merchant.endpoints.listOwn() }),
  },
} satisfies Partial<Handlers>;

function accepts({ path }: Issue, { merchant, body }: Call): boolean {
  return path === 'webhook_url' && merchant.endpoints.allows(body);
}
