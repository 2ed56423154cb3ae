import type { Issue } from '../../../src/validation/issue.js';
import type { AcceptedUpdate, AcceptedWebhook } from '../../webhooks/endpoints.js';
import type { Call, Handlers } from '../handler.js';
import { createProblem, firstProblems, json, requireFound } from '../responses.js';

/** Bodies have passed the contract's schema, so the casts are safe. */
export const webhookHandlers = {
  'webhooks.create': {
    accepts,
    issues: ({ merchant, body }) => merchant.endpoints.issues(body),
    run: (call) => {
      const { merchant, body } = call;
      return (
        unknownFieldProblem(call) ??
        json(merchant.behaviour.statuses.webhookCreated, merchant.endpoints.add(body as AcceptedWebhook))
      );
    },
  },
  'webhooks.update': {
    accepts,
    issues: ({ merchant, params, body }) => merchant.endpoints.updateIssues(params.id ?? '', body),
    run: (call) => {
      const { merchant, params, body } = call;
      const endpoint = requireFound(
        merchant.endpoints.findOwn(params.id ?? ''),
        'This merchant has no such webhook endpoint.',
      );
      return (
        unknownFieldProblem(call) ?? json(200, merchant.endpoints.update(endpoint, body as AcceptedUpdate))
      );
    },
  },
  'webhooks.list': {
    run: ({ merchant }) => json(200, { data: merchant.endpoints.listOwn() }),
  },
} satisfies Partial<Handlers>;

function accepts({ path }: Issue, { merchant, body }: Call): boolean {
  return path === 'webhook_url' && merchant.endpoints.allows(body);
}

/** It would be ignored, and a success would hide that. */
function unknownFieldProblem({ merchant, ignored }: Call) {
  if (ignored.length === 0 || merchant.behaviour.webhooks.unknownFields === 'ignored') return undefined;
  const issues = ignored.map((path) => ({ path, message: 'is not a field of a webhook endpoint' }));
  return createProblem(400, 'invalid_request', firstProblems(issues), issues);
}
