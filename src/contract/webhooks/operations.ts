import { closestName } from '../../input/closest-name.js';
import type { Issue } from '../../input/issue.js';
import { transactionEvents } from '../events.js';
import { type Fields, operation } from '../operation.js';
import type { CreateWebhook, UpdateWebhook, WebhookEndpoint } from './types.js';

/** An issue for each event that the API document does not list. */
function eventRules({ events }: Fields): Issue[] {
  const known: readonly unknown[] = transactionEvents;
  return (Array.isArray(events) ? events : []).flatMap((event: unknown, index) => {
    if (typeof event !== 'string' || event.trim() === '' || known.includes(event)) return [];
    const name = event.slice(event.lastIndexOf('.') + 1);
    const meant = transactionEvents.find((each) => each === `transaction.${name}`);
    const near = meant ?? closestName(event, transactionEvents);
    const hint = near === undefined ? '' : `did you mean ${near}? `;
    const message = `is not an event of the API document (${hint}known: ${transactionEvents.join(', ')}): for another event of your platform, turn off the check 'webhooks.event'`;
    return [{ path: `events.${index}`, message, check: 'webhooks.event' }];
  });
}

export const createWebhook = operation<{ body: CreateWebhook; result: WebhookEndpoint }>()({
  id: 'webhooks.create',
  rules: eventRules,
  method: 'POST',
  path: '/v1/webhooks',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'never',
  adviceIfUnknown: 'look at webhooks.list before you send it again',
});

export const updateWebhook = operation<{ body: UpdateWebhook; result: Partial<WebhookEndpoint> }>()({
  id: 'webhooks.update',
  rules: eventRules,
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  params: { id: 'uuid' },
  result: 'unspecified',
});

export const listWebhooks = operation<{ result: { data: WebhookEndpoint[] } }>()({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const webhookOperations = [createWebhook, updateWebhook, listWebhooks] as const;
