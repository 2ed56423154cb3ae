import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { transactionEvents } from '../../../src/contract/events.js';
import { findSchemas } from '../../../src/contract/schemas.js';
import { type EndpointRegistration, type Sandbox, UnknownIdError } from '../../index.js';
import {
  call,
  openCard,
  pay,
  pix,
  sandboxForTest,
  startOfYear,
  startReceiver,
  unknownId,
} from '../support.js';

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
      inspect(sandbox, { depth: 10, showHidden: true, customInspect: false });
    expect(shown).not.toContain(secret);
  });

  test('returns hmac_configured: false without a secret', async () => {
    const { hmac_secret: _, ...plain } = body;
    expect((await call(sandboxForTest(), '/v1/webhooks', { body: plain })).body.hmac_configured).toBe(false);
  });

  test('rejects an unknown event name, and suggests the most similar one', async () => {
    const events = ['payment.paid'];
    const reply = await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, events } });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('Did you mean transaction.paid?');
  });

  test('accepts an unknown event name if the check webhooks.event is off, but sends nothing for it', async () => {
    const sandbox = sandboxForTest({ checks: { 'webhooks.event': false } });
    const events = ['transaction.payd'];
    const reply = await call(sandbox, '/v1/webhooks', { body: { ...body, events } });
    expect([reply.status, reply.body.events]).toEqual([201, events]);
    await pay(sandbox, pix());
    expect(sandbox.webhooks.deliveries).toEqual([]);
  });

  test.each([
    ['an empty list of events', { events: [] }],
    ['no list of events', { events: undefined }],
  ])('subscribes the endpoint to all events if the request has %s', async (_, overrides) => {
    const reply = await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, ...overrides } });
    expect(reply.status).toBe(201);
    expect(reply.body.events).toEqual([...transactionEvents]);
  });

  test.each([
    ['http://merchant.example/hook', 400],
    ['ftp://merchant.example', 400],
    ['https://merchant example', 400],
    ['http://localhost:4000/hook', 201],
    ['http://127.0.0.1:4000/hook', 201],
    ['http://[::1]:4000/hook', 201],
  ])('with the URL %s returns a %i', async (webhook_url, status) => {
    expect((await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, webhook_url } })).status).toBe(
      status,
    );
  });

  test.each([
    [15, 400],
    [16, 201],
    [256, 201],
    [257, 400],
  ])('with a secret of %i characters returns a %i', async (length, status) => {
    expect(
      (await call(sandboxForTest(), '/v1/webhooks', { body: { ...body, hmac_secret: 's'.repeat(length) } }))
        .status,
    ).toBe(status);
  });

  test('accepts at most three endpoints', async () => {
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

  test('accepts a URL only once', async () => {
    const sandbox = sandboxForTest();
    await call(sandbox, '/v1/webhooks', { body });
    const again = await call(sandbox, '/v1/webhooks', { body });
    expect(again.body.error?.issues).toEqual([{ path: 'webhook_url', message: 'is already registered' }]);
  });

  test.each(['hmacSecret', 'secret', 'hmac'])(
    'rejects a secret in the unknown field %s, because deliveries would be unsigned',
    async (name) => {
      const sandbox = sandboxForTest();
      const body = {
        webhook_url: 'https://shop.example',
        events: ['transaction.paid'],
        [name]: 'a-long-secret',
      };
      const reply = await call(sandbox, '/v1/webhooks', { method: 'POST', body });
      expect([reply.status, reply.body.error?.issues.map(({ path }) => path)]).toEqual([400, [name]]);
      expect(sandbox.webhooks.endpoints).toEqual([]);
    },
  );

  test('lists every problem in a rejection', async () => {
    const reply = await call(sandboxForTest(), '/v1/webhooks', {
      body: { webhook_url: 'nowhere', hmac_secret: 's' },
    });
    expect(new Set(reply.body.error?.issues.map(({ path }) => path))).toEqual(
      new Set(['webhook_url', 'hmac_secret']),
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
  expect(findSchemas('webhooks.list').response?.safeParse(list.body).error).toBeUndefined();
  expect(sandbox.webhooks.endpoints).toEqual([first.body, second]);
});

describe('PUT /v1/webhooks/{id}', () => {
  const registered = async (more: object = {}) => {
    const sandbox = sandboxForTest();
    const { body: endpoint } = await call(sandbox, '/v1/webhooks', { body: { ...body, ...more } });
    const update = (changes: object, id = endpoint.id) =>
      call(sandbox, `/v1/webhooks/${id}`, { method: 'PUT', body: changes });
    return { sandbox, endpoint, update };
  };

  test('changes only the fields that are sent', async () => {
    const { sandbox, endpoint, update } = await registered();
    const empty = await update({});
    expect([empty.status, empty.body]).toEqual([200, endpoint]);
    const moved = await update({ webhook_url: 'https://new.example' });
    expect(moved.body).toEqual({ ...endpoint, endpoint: 'https://new.example' });
    expect((await update({ events: ['transaction.refused'] })).body.events).toEqual(['transaction.refused']);
    expect((await update({ events: [] })).body.events).toEqual([...transactionEvents]);
    expect(sandbox.webhooks.endpoints).toEqual([{ ...moved.body, events: [...transactionEvents] }]);
  });

  test.each([
    ['keeps the secret if hmac_secret is absent', {}, true, secret],
    [
      'replaces the secret if hmac_secret is a string',
      { hmac_secret: 'another-secret-of-theirs' },
      true,
      'another-secret-of-theirs',
    ],
    ['removes the secret if hmac_secret is null', { hmac_secret: null }, false, undefined],
  ])('%s', async (_, changes, configured, key) => {
    const receiver = await startReceiver();
    const { sandbox, update } = await registered({ webhook_url: receiver.url });
    const reply = await update(changes);
    expect(reply.body.hmac_configured).toBe(configured);
    expect(JSON.stringify([reply.body, sandbox.journal.requests])).not.toContain('secret-of');
    await pay(sandbox, openCard());
    await sandbox.webhooks.idle();
    const [delivery] = receiver.received;
    const timestamp = delivery?.headers['x-service-timestamp'];
    const expected =
      key === undefined
        ? undefined
        : createHmac('sha256', key).update(`${timestamp}.${delivery?.body}`).digest('hex');
    expect(delivery?.headers['x-service-signature']).toBe(expected);
  });

  test('sends retries to the new URL', async () => {
    const [old, other] = [await startReceiver(() => 500), await startReceiver()];
    const { sandbox, update } = await registered({ webhook_url: old.url });
    await pay(sandbox, openCard());
    await sandbox.webhooks.idle();
    await update({ webhook_url: other.url });
    await sandbox.clock.advance('30s');
    expect([old.events(), other.events()]).toEqual([['transaction.paid'], ['transaction.paid']]);
  });

  test.each([
    ['url', 'https://new.example'],
    ['webhookUrl', 'https://new.example'],
    ['endpoint', 'https://new.example'],
    ['callback', { url: 'https://new.example' }],
    ['secret', 'another-secret-of-theirs'],
    ['__proto__x', 1],
  ])('rejects the unknown field %s, and changes nothing', async (name, value) => {
    const { sandbox, endpoint, update } = await registered();
    const reply = await update({ [name]: value, events: ['transaction.refused'] });
    expect([reply.status, reply.body.error?.issues.map(({ path }) => path)]).toEqual([400, [name]]);
    expect(sandbox.webhooks.endpoints).toEqual([endpoint]);
  });

  test('reads the URL from the name that fieldNames gives it, and rejects the default name', async () => {
    const sandbox = sandboxForTest({ fieldNames: { 'webhooks.webhook_url': 'url' } });
    const { id } = sandbox.webhooks.register({ url: 'https://old.example' });
    const update = (changes: object) => call(sandbox, `/v1/webhooks/${id}`, { method: 'PUT', body: changes });
    expect((await update({ url: 'https://new.example' })).body.endpoint).toBe('https://new.example');
    expect((await update({ webhook_url: 'https://third.example' })).status).toBe(400);
  });

  test('ignores an unknown field with unknownFields: ignored', async () => {
    const sandbox = sandboxForTest({ webhooks: { unknownFields: 'ignored' } });
    const endpoint = sandbox.webhooks.register({ url: 'https://old.example' });
    const changes = { method: 'PUT', body: { url: 'https://new.example' } };
    const reply = await call(sandbox, `/v1/webhooks/${endpoint.id}`, changes);
    expect([reply.status, reply.body]).toEqual([200, endpoint]);
  });

  test('checks the rules for a new endpoint, but not the limit of three endpoints', async () => {
    const { sandbox, endpoint, update } = await registered();
    sandbox.webhooks.register({ url: 'https://b.example' });
    sandbox.webhooks.register({ url: 'https://c.example' });
    for (const changes of [
      { webhook_url: 'http://merchant.example' },
      { webhook_url: 'https://b.example' },
      { hmac_secret: 'tiny' },
      { events: 'all' },
    ]) {
      const reply = await update(changes);
      expect(reply.status).toBe(400);
      expect(new Set(reply.body.error?.issues.map(({ path }) => path))).toEqual(
        new Set(Object.keys(changes)),
      );
    }
    expect((await update({ webhook_url: body.webhook_url })).status).toBe(200);
    expect((await update({}, unknownId)).status).toBe(404);
    expect(sandbox.webhooks.endpoints[0]).toEqual(endpoint);
  });
});

describe('control.webhooks.setStatus', () => {
  test.each(['failed', 'inactive', 'suspended'] as const)(
    'stops an endpoint’s deliveries with the status %s, and resumes them with the status active',
    async (status) => {
      const sandbox = sandboxForTest();
      const receiver = await startReceiver();
      const { id } = sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'] });
      const { setStatus } = sandbox.control.webhooks;
      expect(setStatus(id, status)).toMatchObject({ id, status });
      await pay(sandbox, openCard());
      await sandbox.webhooks.idle();
      expect(sandbox.webhooks.deliveries).toEqual([]);
      expect((await call(sandbox, '/v1/webhooks')).body).toMatchObject({ data: [{ id, status }] });
      setStatus(id, 'active');
      await pay(sandbox, openCard());
      await sandbox.webhooks.idle();
      expect(receiver.events()).toEqual(['transaction.paid']);
    },
  );

  test('drops the endpoint’s retries and its waiting notifications', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(() => 500);
    const { id } = sandbox.webhooks.register({ url: receiver.url });
    await pay(sandbox, openCard());
    sandbox.control.webhooks.setStatus(id, 'inactive');
    await sandbox.clock.advance('1h');
    expect(receiver.events()).toEqual(['transaction.paid']);
    expect(sandbox.webhooks.list().map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([undefined, undefined]);
    const [delivery] = sandbox.webhooks.deliveries;
    expect(() => sandbox.webhooks.redeliver(delivery?.id ?? '')).toThrow(
      `Webhook endpoint ${id} is inactive`,
    );
    sandbox.control.webhooks.setStatus(id, 'active');
    sandbox.webhooks.redeliver(delivery?.id ?? '');
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test('accepts only the documented statuses', () => {
    const { control, webhooks } = sandboxForTest();
    const { id } = webhooks.register({ url: 'https://a.example' });
    expect(() => control.webhooks.setStatus(id, 'asleep' as never)).toThrow("not 'asleep'");
    expect(() => control.webhooks.setStatus('unknown', 'active')).toThrow(
      "There is no webhook endpoint 'unknown'",
    );
  });
});

describe('webhooks.register', () => {
  test('subscribes to all events by default', () => {
    const sandbox = sandboxForTest();
    expect(sandbox.webhooks.register({ url: 'https://a.example' }).events).toEqual([...transactionEvents]);
    expect(
      sandbox.webhooks.register({ url: 'https://b.example', events: ['transaction.paid'], secret }),
    ).toMatchObject({
      events: ['transaction.paid'],
      hmac_configured: true,
    });
  });

  test('throws if the API would return a 400, without showing the secret', () => {
    const { webhooks } = sandboxForTest();
    expect(() => webhooks.register({ url: 'http://merchant.example', secret: 'tiny' })).toThrow(
      'webhooks.register has 2 problems.\n- url must be an HTTPS URL, without white space.\n- secret must have at least 16 characters.',
    );
    webhooks.register({ url: 'https://a.example' });
    expect(() => webhooks.register({ url: 'https://a.example' })).toThrow('already registered');
  });

  test.each<[unknown, string]>([
    [{}, 'url is required'],
    [{ url: new URL('https://a.example') }, 'url must be a string'],
    [
      { url: 'https://a.example', hmac_secret: secret },
      'hmac_secret is an unknown option. Did you mean secret?',
    ],
    [{ url: 'https://a.example', secret: 1 }, 'secret must be a string'],
    [{ url: 'https://a.example', events: 'transaction.paid' }, 'events must be a list of event names'],
    [{ url: 'https://a.example', events: [1] }, 'events must be a list of event names'],
    ['https://a.example', 'must be an object'],
  ])('rejects %j', (registration, message) => {
    const { webhooks } = sandboxForTest();
    const register = () => webhooks.register(registration as EndpointRegistration);
    expect(register).toThrow(TypeError);
    expect(register).toThrow(`webhooks.register: ${message}`);
    expect(webhooks.endpoints).toEqual([]);
  });

  test('returns a copy', () => {
    const { webhooks } = sandboxForTest();
    webhooks.register({ url: 'https://a.example', events: ['transaction.paid'] }).events.push('other');
    webhooks.endpoints[0]?.events.push('other');
    expect(webhooks.endpoints[0]?.events).toEqual(['transaction.paid']);
  });
});

describe('a webhook endpoint over plain HTTP', () => {
  const register = (sandbox: Sandbox, webhook_url: string) =>
    call(sandbox, '/v1/webhooks', { body: { webhook_url, events: [] } });

  test('is allowed only for the hosts in the sandbox’s list', async () => {
    const sandbox = sandboxForTest({ httpWebhookHosts: ['app', 'other:3000'] });
    expect((await register(sandbox, 'http://app:8080/hook')).status).toBe(201);
    expect((await register(sandbox, 'http://other:3000/hook')).status).toBe(201);
    for (const url of ['http://other:3001/hook', 'http://app.evil.example/', 'ftp://app/', 'http://evil/app'])
      expect((await register(sandbox, url)).status).toBe(400);
    expect(sandbox.webhooks.register({ url: 'http://app/third' }).endpoint).toBe('http://app/third');
  });

  test('is allowed only for loopback by default', async () => {
    const sandbox = sandboxForTest();
    expect((await register(sandbox, 'http://app:8080/hook')).status).toBe(400);
    expect(() => sandbox.webhooks.register({ url: 'http://app/' })).toThrow('must be an HTTPS URL');
  });
});

test('a removed endpoint receives nothing, not even retries, and makes room for another', async () => {
  const receiver = await startReceiver(() => 500);
  const sandbox = sandboxForTest();
  const { id } = sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'] });
  await pay(sandbox, openCard());
  await sandbox.webhooks.idle();
  sandbox.control.webhooks.remove(id);
  await sandbox.clock.advance('1h');
  await pay(sandbox, openCard());
  await sandbox.webhooks.idle();
  expect(receiver.received).toHaveLength(1);
  expect(sandbox.webhooks.endpoints).toEqual([]);
  expect(sandbox.webhooks.attempts(sandbox.webhooks.list()[0]?.id ?? '')).toHaveLength(1);
  expect(() => sandbox.control.webhooks.remove(id)).toThrow(UnknownIdError);
});

test('POST /v1/webhooks rejects a URL with a user and a password, and does not repeat them', async () => {
  const sandbox = sandboxForTest();
  const webhook_url = 'https://user:canary@merchant.example/hook';
  const { status, body: response } = await call(sandbox, '/v1/webhooks', {
    body: { webhook_url, events: [] },
  });
  expect(status).toBe(400);
  expect(JSON.stringify(response)).not.toContain('canary');
});
