import { answerStatus } from '../choices/values.js';
import { json, problem } from '../http/answers.js';
import type { Handlers } from '../http/router.js';
import type { AcceptedUpdate, AcceptedWebhook } from './endpoints.js';

/** Handlers of webhook endpoints. Bodies have passed the contract's schema, so the casts are safe. */
export const webhookHandlers = {
  'webhooks.create': {
    issues: ({ merchant, body }) => merchant.endpoints.issues(body),
    run: ({ merchant, body }) =>
      json(answerStatus.webhookCreated, merchant.endpoints.add(body as AcceptedWebhook)),
  },
  'webhooks.update': {
    issues: ({ merchant, params, body }) => merchant.endpoints.updateIssues(params.id ?? '', body),
    run: ({ merchant, params, body }) => {
      const endpoint = merchant.endpoints.find(params.id ?? '');
      if (endpoint === undefined)
        return problem(404, 'not_found', 'This merchant has no such webhook endpoint.');
      endpoint.update(body as AcceptedUpdate);
      return json(200, endpoint.show());
    },
  },
  'webhooks.list': {
    run: ({ merchant }) => json(200, { data: merchant.endpoints.list() }),
  },
} satisfies Partial<Handlers>;
