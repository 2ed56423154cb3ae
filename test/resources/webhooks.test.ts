import { expect, test } from 'vitest';
import { clientOn } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { id } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

test('webhooks.update sends hmac_secret only if the caller sets a new secret or null', async () => {
  const server = opens(await formServer((response) => json(response, 200, {})));
  const platform = opens(clientOn('node', server.url));
  await platform.webhooks.update(id, { events: [] });
  await platform.webhooks.update(id, { events: [], hmac_secret: undefined });
  await platform.webhooks.update(id, { hmac_secret: '0123456789abcdef' });
  await platform.webhooks.update(id, { hmac_secret: null });
  expect(server.received.map(({ body }) => body.toString())).toEqual([
    '{"events":[]}',
    '{"events":[]}',
    '{"hmac_secret":"0123456789abcdef"}',
    '{"hmac_secret":null}',
  ]);
});

test('webhooks.create rejects a secret that is undefined, because the endpoint would have no signatures', async () => {
  const server = opens(await formServer((response) => json(response, 200, {})));
  const endpoint = { webhook_url: 'https://shop.example/hooks', hmac_secret: process.env.NOT_SET };
  const platform = opens(clientOn('node', server.url));
  await expect(platform.webhooks.create(endpoint)).rejects.toThrow(
    'hmac_secret is undefined, so deliveries would have no signature. Pass the secret, or leave the field out',
  );
  expect(server.received).toEqual([]);
  const unchecked = opens(clientOn('node', server.url, { checks: { 'webhooks.secret': false } }));
  await unchecked.webhooks.create(endpoint);
  await platform.webhooks.create({ webhook_url: endpoint.webhook_url });
  expect(server.received.map(({ body }) => body.toString())).toEqual([
    '{"webhook_url":"https://shop.example/hooks"}',
    '{"webhook_url":"https://shop.example/hooks"}',
  ]);
});

test('fieldNames renames webhook_url in a webhook update, but not in webhooks.create', async () => {
  const server = opens(await formServer((response) => json(response, 200, {})));
  const platform = opens(clientOn('node', server.url, { fieldNames: { 'webhooks.webhook_url': 'url' } }));
  const webhook_url = 'https://shop.example/hooks';
  await platform.webhooks.update(id, { webhook_url });
  await platform.webhooks.create({ webhook_url, events: [] });
  expect(server.received.map(({ body }) => body.toString())).toEqual([
    `{"url":"${webhook_url}"}`,
    `{"webhook_url":"${webhook_url}","events":[]}`,
  ]);
});

test('webhooks.update is retried, because repeating its PUT changes nothing', async () => {
  const server = opens(
    await formServer((response, index) => json(response, index === 0 ? 503 : 200, { id })),
  );
  const platform = opens(clientOn('node', server.url, { maxRetries: 10 }));
  await expect(platform.webhooks.update(id, { events: [] })).resolves.toEqual({ id });
  expect(server.received).toHaveLength(2);
});
