import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../../test/support/free-port.js';
import { testCards } from '../../index.js';
import {
  boleto,
  openCard,
  pay,
  pix,
  type Received,
  sandboxForTest,
  signal,
  startReceiver,
  subAccount,
} from '../support.js';

const secret = 'a-secret-of-the-merchant';
const generic = 'transaction.status.updated';

/** Checks a signature without the code under test. */
function isSigned({ headers, body }: Received, encoding: 'hex' | 'base64' = 'hex'): boolean {
  const expected = createHmac('sha256', secret)
    .update(`${headers['x-service-timestamp']}.${body}`)
    .digest(encoding);
  return headers['x-service-signature'] === expected;
}

describe('a notification from the sandbox', () => {
  test('is a POST of JSON with the event and the payment, and its user agent is Service-Webhook/1.0', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    const { body } = await pay(sandbox, openCard());
    await sandbox.webhooks.idle();
    const [specific, twin] = receiver.received;
    expect(specific).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' },
    });
    const { upsell: _, ...shown } = body;
    expect(JSON.parse(specific?.body ?? '')).toEqual({
      event: 'transaction.paid',
      ...shown,
      notificationId: expect.any(String),
    });
    expect(specific?.headers).not.toHaveProperty('x-service-signature');
    expect(specific?.headers).not.toHaveProperty('x-service-timestamp');
    // The specific and the generic event differ only in their name.
    expect(twin?.body).toBe(specific?.body.replace('transaction.paid', generic));
  });

  test.each([
    ['no delivery by default', undefined, false, false],
    ['deliveries to the merchant with upsell.notified: merchant', 'merchant', true, false],
    ['every delivery with upsell.notified: all', 'all', true, true],
  ] as const)('includes the upsell token in %s', async (_, notified, own, theirs) => {
    const sandbox = sandboxForTest({ upsell: { notified } });
    const [forMerchant, forSeller] = [await startReceiver(), await startReceiver()];
    const submerchant = await subAccount(sandbox, '12345678909');
    sandbox.webhooks.register({ url: forMerchant.url });
    sandbox.webhooks.register({ url: forSeller.url, submerchant });
    const subMerchant = { document: { number: '12345678909', type: 'cpf' } };
    const { body } = await pay(sandbox, openCard(testCards.approved, { subMerchant }));
    await sandbox.webhooks.idle();
    const { token } = body.upsell as { token: string };
    const has = ({ received }: typeof forMerchant) => received.map((one) => one.body.includes(token));
    expect([has(forMerchant), has(forSeller)]).toEqual([
      [own, own],
      [theirs, theirs],
    ]);
  });

  test('does not contain the upsell token by default, even in a retry or a redelivery', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 200));
    sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'] });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('30s');
    sandbox.webhooks.redeliver(sandbox.webhooks.list()[0]?.id ?? '');
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received.filter(({ body }) => body.includes('upsell'))).toEqual([]);
  });

  test('is sent for every status, first with the specific event and then with the general one', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    const ids = [];
    for (const body of [pix(), openCard(testCards.inAnalysis), openCard(), pix(), pix()]) {
      ids.push(String((await pay(sandbox, body)).body.id));
      await sandbox.webhooks.idle();
    }
    const [paid = '', declined = '', disputed = '', cancelled = '', expired = ''] = ids;
    const { payments } = sandbox.control;
    payments.pay(paid);
    payments.refund(paid);
    payments.refuse(declined);
    payments.chargeback(disputed);
    payments.cancel(cancelled);
    payments.expire(expired);
    await sandbox.webhooks.idle();
    const specific = [
      'waiting_payment',
      'in_analysis',
      'paid',
      'waiting_payment',
      'waiting_payment',
      'paid',
      'refunded',
      'refused',
      'chargedback',
      'cancelled',
      'expired',
    ];
    expect(receiver.events()).toEqual(specific.flatMap((status) => [`transaction.${status}`, generic]));
    const statuses = receiver.received.map(({ body }) => JSON.parse(body).status);
    expect(statuses).toEqual(specific.flatMap((status) => [status, status]));
  });

  test('is not sent for a request that only returns an existing payment again', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    for (let index = 0; index < 3; index++) await pay(sandbox, pix(), 'key');
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test('is sent when an unknown outcome is resolved as created', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    await pay(sandbox, openCard(testCards.unknown), 'key');
    await sandbox.webhooks.idle();
    expect(receiver.received).toEqual([]);
    sandbox.control.payments.resolve('key', 'created');
    await sandbox.webhooks.idle();
    expect(receiver.events()).toEqual(['transaction.paid', generic]);
  });

  test('contains a boleto’s digitable line', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    const { body } = await pay(sandbox, boleto());
    await sandbox.webhooks.idle();
    const digitableLine = sandbox.control.payments.details(String(body.id)).boleto?.digitableLine;
    expect(digitableLine).toMatch(/^\d{47}$/);
    expect(receiver.received.map(({ body }) => JSON.parse(body).boleto)).toEqual([
      { digitableLine },
      { digitableLine },
    ]);
  });

  test.each([
    ['a Pix', pix()],
    ['a card payment', openCard()],
  ])('about %s contains no digitable line', async (_, payment) => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    expect((await pay(sandbox, payment)).status).toBe(201);
    await sandbox.webhooks.idle();
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body).not.toHaveProperty('boleto');
  });

  test('is sent only to endpoints that are subscribed', async () => {
    const sandbox = sandboxForTest({ checks: { 'webhooks.event': false } });
    const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    const subscriptions = [['transaction.paid'], [generic], ['transaction.refused', 'account.opened']];
    receivers.forEach(({ url }, index) => {
      sandbox.webhooks.register({ url, events: subscriptions[index] ?? [] });
    });
    await pay(sandbox, openCard());
    await sandbox.webhooks.idle();
    expect(receivers.map(({ events }) => events())).toEqual([['transaction.paid'], [generic], []]);
  });

  test('is not sent for changes that happened before the endpoint was registered', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix());
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    await sandbox.webhooks.idle();
    expect(receiver.received).toEqual([]);
  });
});

describe('a delivery’s signature', () => {
  test('is HMAC-SHA256 over timestamp and body, in hex and seconds by default', async () => {
    const sandbox = sandboxForTest({ now: '2026-01-01T00:00:00.999Z' });
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url, secret });
    await pay(sandbox, pix({ items: [{ title: 'Pão de açúcar ✓', quantity: 1, unitPrice: 100 }] }));
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(2);
    for (const request of receiver.received) {
      expect(request.headers['x-service-timestamp']).toBe('1767225600');
      expect(isSigned(request)).toBe(true);
      expect(isSigned({ ...request, body: `${request.body} ` })).toBe(false);
    }
  });

  test.each([
    ['seconds', '1767225600'],
    ['milliseconds', '1767225600000'],
    ['iso', '2026-01-01T00:00:00.000Z'],
  ] as const)('can be encoded in base64 and sign a timestamp in %s', async (timestamp, expected) => {
    const sandbox = sandboxForTest({ signature: { encoding: 'base64', timestamp } });
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url, secret, events: [generic] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    const [request] = receiver.received;
    expect(request?.headers['x-service-timestamp']).toBe(expected);
    expect(request && isSigned(request, 'base64')).toBe(true);
  });
});

describe('a failed delivery', () => {
  test('is retried three times with exponential backoff within one call to clock.advance', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(() => 500);
    sandbox.webhooks.register({ url: receiver.url, events: [generic], secret });
    await pay(sandbox, pix({ pix: { expiration: 86_400 } }));
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries).toMatchObject([
      { attempt: 1, state: 'failed', status: 500, error: undefined },
    ]);
    await sandbox.clock.advance('1h');
    expect(sandbox.webhooks.deliveries.map(({ attempt, at, state }) => [attempt, at, state])).toEqual([
      [1, '2026-01-01T00:00:00.000Z', 'failed'],
      [2, '2026-01-01T00:00:30.000Z', 'failed'],
      [3, '2026-01-01T00:01:30.000Z', 'failed'],
      [4, '2026-01-01T00:03:30.000Z', 'failed'],
    ]);
    // The body is always the same, but each delivery is signed with its own timestamp.
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(
      receiver.received.map(({ headers }) => Number(headers['x-service-timestamp']) - 1_767_225_600),
    ).toEqual([0, 30, 90, 210]);
    expect(receiver.received.every((request) => isSigned(request))).toBe(true);
    expect(new Set(sandbox.webhooks.deliveries.map(({ id }) => id)).size).toBe(1);
    await sandbox.clock.advance('1d');
    expect(
      receiver.received.filter(({ body }) => JSON.parse(body).status === 'waiting_payment'),
    ).toHaveLength(4);
  });

  test('is not retried before its time', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(() => 500);
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    await sandbox.clock.advance(29_999);
    expect(receiver.received).toHaveLength(1);
    await sandbox.clock.advance(1);
    expect(receiver.received).toHaveLength(2);
  });

  test('is not retried after the first success', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth < 3 ? 503 : 204));
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1d');
    expect(sandbox.webhooks.deliveries.map(({ status, state }) => [status, state])).toEqual([
      [503, 'failed'],
      [503, 'failed'],
      [204, 'delivered'],
    ]);
  });

  test.each([200, 201, 204, 299])(
    'is not recorded if the receiver responds with the status %i',
    async (status) => {
      const sandbox = sandboxForTest();
      const receiver = await startReceiver(() => status);
      sandbox.webhooks.register({ url: receiver.url, events: [generic] });
      await pay(sandbox, pix());
      await sandbox.webhooks.idle();
      expect(sandbox.webhooks.deliveries).toMatchObject([{ status, state: 'delivered' }]);
    },
  );

  test.each([301, 302, 307, 308, 304, 400, 404, 410, 429, 503])(
    'is recorded if the receiver responds with the status %i, and no redirect is followed',
    async (status) => {
      const sandbox = sandboxForTest();
      const receiver = await startReceiver(() => status);
      sandbox.webhooks.register({ url: receiver.url, events: [generic] });
      await pay(sandbox, pix());
      await sandbox.webhooks.idle();
      expect(sandbox.webhooks.deliveries).toMatchObject([{ status, state: 'failed' }]);
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    },
  );

  test('is recorded if the connection is refused, and causes no unhandled rejection', async () => {
    const sandbox = sandboxForTest();
    const url = `http://127.0.0.1:${await findFreePort()}/webhooks`;
    sandbox.webhooks.register({ url, events: [generic] });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1h');
    expect(sandbox.webhooks.deliveries.map(({ attempt, state }) => [attempt, state])).toEqual(
      [1, 2, 3, 4].map((attempt) => [attempt, 'failed']),
    );
    expect(sandbox.webhooks.deliveries[0]).toMatchObject({
      status: undefined,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('the sandbox’s deliveries', () => {
  test('record each attempt exactly as it was sent', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    const { id } = sandbox.webhooks.register({ url: receiver.url, events: [generic], secret });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    const [delivery] = sandbox.webhooks.deliveries;
    const [request] = receiver.received;
    expect(delivery).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endpointId: id,
      url: receiver.url,
      event: generic,
      attempt: 1,
      at: '2026-01-01T00:00:00.000Z',
      status: 200,
      error: undefined,
      body: request?.body,
      headers: expect.any(Object),
      state: 'delivered',
    });
    expect(request?.headers).toMatchObject(delivery?.headers ?? {});
    expect(Object.keys(delivery?.headers ?? {})).toEqual([
      'content-type',
      'user-agent',
      'x-service-timestamp',
      'x-service-signature',
    ]);
  });

  test('are listed in the order of the notifications, however slow the receivers are', async () => {
    const sandbox = sandboxForTest();
    const { promise, fire } = signal<number>();
    const [slow, quick] = [await startReceiver(() => promise), await startReceiver()];
    const ids = [slow, quick].map(({ url }) => sandbox.webhooks.register({ url }).id);
    await pay(sandbox, openCard());
    await quick.until(2);
    fire(200);
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries.map(({ event, endpointId }) => [event, endpointId])).toEqual(
      ['transaction.paid', generic].flatMap((event) => ids.map((id) => [event, id])),
    );
  });

  test('run at most deliveries.concurrency attempts at once, and the next one starts when one ends', async () => {
    const sandbox = sandboxForTest({ deliveries: { concurrency: 2 } });
    const gates = [signal<number>(), signal<number>(), signal<number>(), signal<number>()];
    const receiver = await startReceiver((nth) => gates[nth - 1]?.promise ?? 200);
    sandbox.webhooks.register({ url: receiver.url, events: ['transaction.waiting_payment'] });
    for (let index = 0; index < 4; index += 1) await pay(sandbox, pix());
    await receiver.until(2);
    const began = () => sandbox.webhooks.deliveries.length;
    expect(began()).toBe(2);
    gates[1]?.fire(200);
    await receiver.until(3);
    expect(began()).toBe(3);
    for (const gate of gates) gate.fire(200);
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.list().map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
  });

  test('that were still waiting when a sandbox was saved arrive from the restored sandbox', async () => {
    const gate = signal<number>();
    const receiver = await startReceiver(() => gate.promise);
    const sandbox = sandboxForTest({ deliveries: { concurrency: 3 } });
    sandbox.webhooks.register({ url: receiver.url, events: ['transaction.waiting_payment'] });
    for (let index = 0; index < 5; index += 1) await pay(sandbox, pix());
    await receiver.until(3);
    const restored = sandboxForTest({
      now: undefined,
      state: sandbox.save(),
      deliveries: { concurrency: 3 },
    });
    gate.fire(200);
    await Promise.all([restored.webhooks.idle(), sandbox.webhooks.idle()]);
    await restored.clock.advance('1h');
    expect(restored.webhooks.list().map(({ state }) => state)).toEqual(Array(5).fill('delivered'));
  });

  test('are listed in the order of their attempts', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 200));
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('10s');
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1m');
    expect(sandbox.webhooks.deliveries.map(({ at, attempt }) => [at.slice(17, 19), attempt])).toEqual([
      ['00', 1],
      ['10', 1],
      ['30', 2],
    ]);
  });

  test('do not make clock.advance wait after they have succeeded', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    await pay(sandbox, openCard());
    await sandbox.webhooks.idle();
    void sandbox.clock.advance('1h');
    expect(sandbox.clock.now().toISOString()).toBe('2026-01-01T01:00:00.000Z');
  });

  test('do not make webhooks.idle wait for a retry that is due later', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver(() => 500);
    sandbox.webhooks.register({ url: receiver.url, events: [generic] });
    await sandbox.webhooks.idle();
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('webhooks.redeliver', () => {
  test('sends the same body with a new signature, as a new delivery', async () => {
    const sandbox = sandboxForTest();
    const receiver = await startReceiver((nth) => (nth === 2 ? 500 : 200));
    sandbox.webhooks.register({ url: receiver.url, events: [generic], secret });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('10m');
    const [first] = sandbox.webhooks.deliveries;
    sandbox.webhooks.redeliver(first?.id ?? '');
    await sandbox.clock.advance('10m');
    const [, second, third] = sandbox.webhooks.deliveries;
    expect(second).toMatchObject({
      attempt: 1,
      at: '2026-01-01T00:10:00.000Z',
      body: first?.body,
      state: 'failed',
    });
    expect(second?.id).not.toBe(first?.id);
    expect(third).toMatchObject({ id: second?.id, attempt: 2, state: 'delivered' });
    expect(receiver.received.every((request) => isSigned(request))).toBe(true);
  });

  test('throws for an unknown delivery', () => {
    expect(() => sandboxForTest().webhooks.redeliver('unknown')).toThrow("There is no delivery 'unknown'");
  });
});
