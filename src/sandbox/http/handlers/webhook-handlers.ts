import type { Issue } from '../../../input/issue.js';
import type { AcceptedUpdate, AcceptedWebhook } from '../../webhooks/endpoint.js';
import { firstProblems, found, json, problem } from '../answers.js';
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
    run: ({ merchant, params, body, ignored }) => {
      const endpoint = found(
        merchant.endpoints.findOwn(params.id ?? ''),
        'This merchant has no such webhook endpoint.',
      );
      // Under another name a field has no effect, and 200 would say that it had one.
      if (ignored.length > 0 && merchant.behaviour.webhooks.unknownUpdateFields === 'refused') {
        const issues = ignored.map((path) => ({ path, message: 'is not a field of this update' }));
        return problem(400, 'invalid_request', firstProblems(issues), issues);
      }
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
