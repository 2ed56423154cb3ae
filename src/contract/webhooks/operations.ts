import { operation } from '../operation.js';
import { updateWebhookFields } from './fields.js';
import type { CreateWebhook, UpdateWebhook, WebhookEndpoint } from './types.js';

export const createWebhook = operation<{ body: CreateWebhook; result: WebhookEndpoint }>()({
  id: 'webhooks.create',
  secrets: ['hmac_secret'],
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Register a webhook endpoint',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'never',
  onUnknown: 'look at webhooks.list before you send it again',
});

export const updateWebhook = operation<{ body: UpdateWebhook; result: Partial<WebhookEndpoint> }>()({
  id: 'webhooks.update',
  secrets: ['hmac_secret'],
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  summary: 'Change a webhook endpoint',
  encoding: 'json',
  idempotencyKey: 'none',
  replay: 'natural',
  params: { id: 'uuid' },
  fields: { request: updateWebhookFields },
  result: 'unspecified',
});

export const listWebhooks = operation<{ result: { data: WebhookEndpoint[] } }>()({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List webhook endpoints',
  encoding: 'none',
  idempotencyKey: 'none',
});

export const webhookOperations = [createWebhook, updateWebhook, listWebhooks] as const;
