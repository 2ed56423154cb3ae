import { closestName } from '../../validation/closest-name.js';
import type { Issue } from '../../validation/issue.js';
import { describePastedCharacter } from '../../validation/pasted.js';
import { isRecord } from '../../validation/record.js';
import { transactionEvents } from '../events.js';
import { type Fields, operation } from '../operation.js';
import type { CreateWebhook, UpdateWebhook, WebhookEndpoint } from './types.js';

/** Other unknown names can be new events, so they are accepted. */
function eventIssues({ events }: Fields): Issue[] {
  const known: readonly unknown[] = transactionEvents;
  return (Array.isArray(events) ? events : []).flatMap((event: unknown, index) => {
    if (typeof event !== 'string' || event.trim() === '' || known.includes(event)) return [];
    // `paid` and `payment.paid` mean `transaction.paid`.
    const name = event.trim().replace(/^(?:payments?\.)?(?=\w+$)/i, 'transaction.');
    const near = closestName(name, transactionEvents, 2);
    if (near === undefined) return [];
    const message = `is not an event of the API docs. Did you mean ${near}? For an event of your platform, turn off the check 'webhooks.event'`;
    return [{ path: `events.${index}`, message, check: 'webhooks.event' }];
  });
}

function secretIssues({ hmac_secret: secret }: Fields): Issue[] {
  const message = typeof secret === 'string' ? describePastedCharacter(secret) : undefined;
  return message === undefined ? [] : [{ path: 'hmac_secret', message, check: 'webhooks.secret' }];
}

/** Such as `process.env.WEBHOOK_SECRET` of an unset variable. The platform would accept the endpoint without signatures. */
const missingSecretIssues = (given: unknown): Issue[] =>
  isRecord(given) && Object.hasOwn(given, 'hmac_secret') && given.hmac_secret === undefined
    ? [
        {
          path: 'hmac_secret',
          message:
            'is undefined, so deliveries would have no signature. Pass the secret, or leave the field out',
          check: 'webhooks.secret',
        },
      ]
    : [];

const webhookRules = (fields: Fields): Issue[] => [...eventIssues(fields), ...secretIssues(fields)];

export const createWebhookOperation = operation<{ body: CreateWebhook; result: WebhookEndpoint }>()({
  id: 'webhooks.create',
  rules: (fields, given) => [...webhookRules(fields), ...missingSecretIssues(given)],
  method: 'POST',
  path: '/v1/webhooks',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'never',
  adviceIfUnknown: 'The endpoint may exist. Check webhooks.list before you retry.',
});

export const updateWebhookOperation = operation<{ body: UpdateWebhook; result: Partial<WebhookEndpoint> }>()({
  id: 'webhooks.update',
  rules: webhookRules,
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  params: { id: 'uuid' },
  result: 'unspecified',
});

export const listWebhooksOperation = operation<{ result: { data: WebhookEndpoint[] } }>()({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const webhookOperations = [
  createWebhookOperation,
  updateWebhookOperation,
  listWebhooksOperation,
] as const;
