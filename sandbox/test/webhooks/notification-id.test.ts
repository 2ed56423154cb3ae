import { expect, test } from 'vitest';
import { transactionEvents } from '../../../src/contract/events.js';
import { type Sandbox, type SandboxOptions, testCards } from '../../index.js';
import { boleto, call, openCard, pay, pix, sandboxForTest, startReceiver } from '../support.js';

interface Notification {
  event: string;
  id: string;
  status: string;
  notificationId: string;
}

/** Creates a sandbox with a receiver that fails its first two requests. */
async function withReceivers(options?: SandboxOptions) {
  const sandbox = sandboxForTest(options);
  const receivers = [await startReceiver((nth) => (nth < 3 ? 500 : 200)), await startReceiver()];
  for (const { url } of receivers) sandbox.webhooks.register({ url });
  return { sandbox, bodies: () => receivers.map(({ received }) => received.map(({ body }) => body)) };
}

const read = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body) as Notification);

async function payThenRefund(sandbox: Sandbox): Promise<string> {
  const { body } = await pay(sandbox, openCard());
  await sandbox.clock.advance('1h');
  sandbox.control.payments.refund(String(body.id));
  await sandbox.clock.advance('1h');
  return String(body.id);
}

test('all notifications of one status change, including retries, have the same notificationId', async () => {
  const { sandbox, bodies } = await withReceivers();
  const id = await payThenRefund(sandbox);
  const all = read(bodies().flat());
  expect(all).toHaveLength(10);
  const listIds = (status: string) =>
    new Set(all.filter((one) => one.status === status).map(({ notificationId }) => notificationId));
  const [paid, refunded] = [listIds('paid'), listIds('refunded')];
  expect([paid.size, refunded.size]).toEqual([1, 1]);
  expect(new Set([...paid, ...refunded, id]).size).toBe(3);
  expect([...paid][0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the two notifications of a status change differ only in the event’s name, and a redelivery has the same body', async () => {
  const { sandbox, bodies } = await withReceivers();
  await payThenRefund(sandbox);
  const [first = [], second = []] = bodies();
  expect(new Set(first)).toEqual(new Set(second));
  const [specific, generic] = read(second);
  expect(specific?.event).toBe('transaction.paid');
  expect({ ...generic, event: specific?.event }).toEqual(specific);
  const [delivery] = sandbox.webhooks.deliveries;
  sandbox.webhooks.redeliver(delivery?.id ?? '');
  await sandbox.webhooks.idle();
  expect(sandbox.webhooks.deliveries.at(-1)?.body).toBe(delivery?.body);
});

test('a notification’s field id contains the id of its payment', async () => {
  const { sandbox, bodies } = await withReceivers();
  const id = await payThenRefund(sandbox);
  expect(new Set(read(bodies().flat()).map((one) => one.id))).toEqual(new Set([id]));
});

test('notification ids depend on the seed, and not on the list of registered endpoints', async () => {
  const one = await withReceivers();
  await payThenRefund(one.sandbox);
  const other = sandboxForTest();
  await pay(other, pix());
  const late = await startReceiver();
  other.webhooks.register({ url: late.url });
  const { body } = await pay(other, openCard());
  await other.clock.advance('1m');
  const [paid, refunded] = [
    ...new Set(read(one.bodies().flat()).map(({ notificationId }) => notificationId)),
  ];
  const [second] = read(late.received.map((request) => request.body));
  expect(second).toMatchObject({ id: body.id, notificationId: refunded });
  expect(paid).not.toBe(refunded);
});

test.each([
  ['a Pix', pix()],
  ['a boleto', boleto()],
  ['a paid card', openCard()],
  ['a declined card', openCard(testCards.refused)],
  ['a card in analysis', openCard(testCards.inAnalysis)],
])('neither the response to %s nor its replay contains a notificationId', async (_, payment) => {
  const { sandbox, bodies } = await withReceivers();
  const first = await pay(sandbox, payment, 'key');
  await sandbox.webhooks.idle();
  const replay = await pay(sandbox, payment, 'key');
  expect([first.status, replay.status]).toEqual([201, 200]);
  expect(replay.body.id).toBe(first.body.id);
  const [notification] = read(bodies().flat());
  expect(notification).toMatchObject({ id: first.body.id, notificationId: expect.any(String) });
  for (const { body } of [first, replay]) {
    expect(body).not.toHaveProperty('notificationId');
    expect(JSON.stringify(body)).not.toContain(notification?.notificationId);
  }
});

test.each([
  ['listed', 1],
  ['all', 2],
] as const)(
  'with subscriptions: %s, an endpoint for one event receives %i of a status change’s two events',
  async (subscriptions, count) => {
    const sandbox = sandboxForTest({ subscriptions });
    const receiver = await startReceiver();
    const body = { webhook_url: receiver.url, events: ['transaction.paid'] };
    const created = await call(sandbox, '/v1/webhooks', { body });
    expect(created.body.events).toEqual(['transaction.paid']);
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1m');
    expect(receiver.events()).toEqual(['transaction.paid', 'transaction.status.updated'].slice(0, count));
  },
);

test('subscriptions: all makes an active endpoint receive every transaction event', async () => {
  const sandbox = sandboxForTest({ subscriptions: 'all' });
  const receiver = await startReceiver();
  const { id } = sandbox.webhooks.register({ url: receiver.url, events: ['transaction.expired'] });
  const { payments } = sandbox.control;
  for (const act of ['pay', 'refuse', 'cancel', 'expire'] as const) {
    payments[act](String((await pay(sandbox, pix())).body.id));
  }
  for (const act of ['refund', 'chargeback'] as const) {
    payments[act](String((await pay(sandbox, openCard())).body.id));
  }
  await pay(sandbox, openCard('5555555555554444'));
  await sandbox.clock.advance('1m');
  expect(new Set(receiver.events())).toEqual(new Set(transactionEvents));
  sandbox.control.webhooks.setStatus(id, 'inactive');
  const before = receiver.received.length;
  await pay(sandbox, pix());
  await sandbox.clock.advance('1m');
  expect(receiver.received).toHaveLength(before);
});
