import { expect, test } from 'vitest';
import type { SandboxOptions } from '../index.js';
import { call, openCard, pay, pix, sandboxForTest, startReceiver } from './support.js';

const secret = 'a-secret-of-the-test';

test('a new sandbox starts with the configured merchants, endpoints and faults, and a reset restores them', async () => {
  const receiver = await startReceiver();
  const sandbox = sandboxForTest({
    $schema: 'any',
    merchants: [{ clientId: 'shop-2', clientSecret: 'secret-2', features: { split: true } }],
    endpoints: [{ url: receiver.url, events: ['transaction.paid'], secret }],
    faults: [{ operation: 'payments.create', fault: { status: 503, body: {} } }],
    deliveryFaults: [{ fault: 'drop' }],
  });
  const headers = { 'client-id': 'shop-2', 'client-secret': 'secret-2' };
  for (const turn of [1, 2]) {
    expect((await pay(sandbox, openCard())).status).toBe(503);
    expect((await pay(sandbox, openCard())).status).toBe(201);
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(turn - 1);
    await sandbox.clock.advance('1m');
    expect(receiver.received).toHaveLength(turn);
    expect(receiver.received.at(-1)?.headers).toHaveProperty('x-service-signature');
    expect((await call(sandbox, '/v1/webhooks', { headers })).status).toBe(200);
    await sandbox.reset();
  }
});

test('a restored sandbox takes its data from the saved state, and its faults from the options', async () => {
  const options: SandboxOptions = {
    merchants: [{ clientId: 'shop-2' }],
    endpoints: [{ url: 'https://shop.example/hook' }],
    faults: [{ fault: { status: 503 } }],
  };
  const first = sandboxForTest(options);
  const [endpoint] = first.webhooks.endpoints;
  first.control.webhooks.remove(String(endpoint?.id));
  const next = sandboxForTest({ ...options, now: undefined, state: first.save() });
  expect(next.webhooks.endpoints).toEqual([]);
  expect((await pay(next, pix())).status).toBe(503);
  await next.reset();
  expect(next.webhooks.endpoints).toHaveLength(1);
});

test.each<[object, string]>([
  [
    { merchants: {} },
    'createSandbox: merchants must be a list of merchants, such as [{ "clientId": "shop-2" }]',
  ],
  [
    { merchants: [{}, { clientID: 'a' }] },
    'createSandbox: merchants.1: clientID is an unknown option. Did you mean clientId?',
  ],
  [
    { merchants: [{ clientId: 'a' }, { clientId: 'a' }] },
    'createSandbox: merchants.1: A merchant with the client id',
  ],
  [{ endpoints: [{ url: 'http://shop.example/hook' }] }, 'createSandbox: endpoints.0: '],
  [{ endpoints: [{ ulr: 'x' }] }, 'createSandbox: endpoints.0: '],
  [{ faults: [{ fault: 'resset' }] }, 'createSandbox: faults.0: fault must be'],
  [{ deliveryFaults: ['drop'] }, 'createSandbox: deliveryFaults must be a list of faults of deliveries'],
])('createSandbox rejects the initial data %j', (options, message) => {
  expect(() => sandboxForTest(options)).toThrow(message);
});
