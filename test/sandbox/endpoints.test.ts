import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { transactionEvents } from '../../src/contract/events.js';
import { listWebhooks } from '../../src/contract/webhook-endpoints.js';
import { call, sandboxForTest, startOfYear } from './support.js';

const secret = 'a-secret-of-the-merchant';
const body = {
  webhook_url: 'https://merchant.example/hook',
  events: ['transaction.paid'],
  hmac_secret: secret,
};

describe('POST /v1/webhooks', () => {
  test('registers an endpoint and never returns the secret', async () => {
    const sandbox = sandboxForTest();
    const reply = await call(sandbox, '/v1/webhooks', { body });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endpoint: body.webhook_url,
      status: 'active',
      created_at: startOfYear,
      events: ['transaction.paid'],
      hmac_configured: true,
    });
    const list = await call(sandbox, '/v1/webhooks');
    const shown =
      JSON.stringify([list.body, sandbox.webhooks.endpoints, sandbox.journal.requests]) +
      inspect(sandbox, { depth: 10, showHidden: true });
    expect(shown).not.toContain(secret);
  });

  test('without a secret hmac_configured is false', async () => {
    const { hmac_secret: _, ...plain } = body;
    expect((await call(sandboxForTest(), '/v1/webhooks', { body: plain })).body.hmac_configured).toBe(false);
  });

  test('an empty list of events subscribes to all of them', async () => {
    const reply = await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, events: [] } });
    expect(reply.body.events).toEqual([...transactionEvents]);
  });

  test.each([
    ['http://merchant.example/hook', 400],
    ['ftp://merchant.example', 400],
    ['https://merchant example', 400],
    ['http://localhost:4000/hook', 201],
    ['http://127.0.0.1:4000/hook', 201],
    ['http://[::1]:4000/hook', 201],
  ])('%s answers %i', async (webhook_url, status) => {
    expect((await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, webhook_url } })).status).toBe(
      status,
    );
  });

  test.each([
    [15, 400],
    [16, 201],
    [256, 201],
    [257, 400],
  ])('a secret of %i characters answers %i', async (length, status) => {
    expect(
      (await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, hmac_secret: 's'.repeat(length) } }))
        .status,
    ).toBe(status);
  });

  test('three endpoints are the limit', async () => {
    const sandbox = sandboxForTest();
    for (const name of ['a', 'b', 'c']) {
      const reply = await call(sandbox, '/v1/webhooks', {
        body: { ...body, webhook_url: `https://${name}.example` },
      });
      expect(reply.status).toBe(201);
    }
    const fourth = await call(sandbox, '/v1/webhooks', {
      body: { ...body, webhook_url: 'https://d.example' },
    });
    expect(fourth.status).toBe(400);
    expect(fourth.body.error?.issues).toEqual([{ path: '', message: expect.stringContaining('3') }]);
    expect(sandbox.webhooks.endpoints).toHaveLength(3);
  });

  test('a URL is registered once', async () => {
    const sandbox = sandboxForTest();
    await call(sandbox, '/v1/webhooks', { body });
    const again = await call(sandbox, '/v1/webhooks', { body });
    expect(again.body.error?.issues).toEqual([{ path: 'webhook_url', message: 'is registered already' }]);
  });

  test('every problem is listed', async () => {
    const reply = await call(sandboxForTest(), '/v1/webhooks', {
      body: { webhook_url: 'nowhere', hmac_secret: 's' },
    });
    expect(new Set(reply.body.error?.issues.map(({ path }) => path))).toEqual(
      new Set(['webhook_url', 'events', 'hmac_secret']),
    );
  });
});

test('GET /v1/webhooks lists the endpoints in the shape of the contract', async () => {
  const sandbox = sandboxForTest();
  expect((await call(sandbox, '/v1/webhooks')).body).toEqual({ data: [] });
  const first = await call(sandbox, '/v1/webhooks', { body });
  const second = sandbox.webhooks.register({ url: 'https://other.example' });
  const list = await call(sandbox, '/v1/webhooks');
  expect(list.body).toEqual({ data: [first.body, second] });
  expect(
    typeof listWebhooks.response === 'object' && listWebhooks.response.safeParse(list.body).error,
  ).toBeUndefined();
  expect(sandbox.webhooks.endpoints).toEqual([first.body, second]);
});

describe('webhooks.register', () => {
  test('subscribes to everything unless told otherwise', () => {
    const sandbox = sandboxForTest();
    expect(sandbox.webhooks.register({ url: 'https://a.example' }).events).toEqual([...transactionEvents]);
    expect(
      sandbox.webhooks.register({ url: 'https://b.example', events: ['transaction.paid'], secret }),
    ).toMatchObject({
      events: ['transaction.paid'],
      hmac_configured: true,
    });
  });

  test('throws where the API answers 400, without showing the secret', () => {
    const { webhooks } = sandboxForTest();
    expect(() => webhooks.register({ url: 'http://merchant.example', secret: 'tiny' })).toThrow(
      /webhook_url must be an HTTPS URL; hmac_secret must have at least 16 characters/,
    );
    webhooks.register({ url: 'https://a.example' });
    expect(() => webhooks.register({ url: 'https://a.example' })).toThrow('registered already');
  });

  test('what is returned is a copy', () => {
    const { webhooks } = sandboxForTest();
    webhooks.register({ url: 'https://a.example', events: ['transaction.paid'] }).events.push('other');
    webhooks.endpoints[0]?.events.push('other');
    expect(webhooks.endpoints[0]?.events).toEqual(['transaction.paid']);
  });
});
