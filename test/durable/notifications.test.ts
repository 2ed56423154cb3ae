import { PaymentPlatform, type WebhookEvent } from 'payment-platform';
import { createDurablePayments, memoryPayments } from 'payment-platform/durable';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandboxForTest } from '../../sandbox/test/support.js';
import { durable, merchant, observed, order, rejection } from '../support/durable.js';
import { eventually } from '../support/eventually.js';
import { paymentStores } from '../support/payment-stores.js';

const key = 'order-1';

/** Creates a payment that was made, but whose response was lost. */
async function lost() {
  const setup = durable();
  setup.sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
  await rejection(setup.payments.create(order, { key }));
  const id = setup.sandbox.ledger.charges[0]?.paymentId as string;
  const about = (event: string, fields: object = {}) =>
    ({ event, id, externalReference: key, amount: 1990, ...fields }) as WebhookEvent;
  return { ...setup, id, about };
}

test('create returns the status of a notification that arrives before the response', async () => {
  const sandbox = sandboxForTest();
  const { fetch, ...client } = sandbox.clientOptions();
  const platform = new PaymentPlatform({
    ...client,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const { id } = (await response.clone().json()) as { id: string };
      await payments.observe({ event: 'transaction.paid', id, externalReference: key } as WebhookEvent);
      return response;
    },
  });
  const payments = createDurablePayments(platform, { store: memoryPayments() });
  const { payment, record } = await payments.create(order, { key });
  expect(payment).toMatchObject({ status: 'paid', amount: 1990, paymentMethod: 'pix' });
  expect(record.payment).toMatchObject({ status: 'paid' });
});

test('a notification settles a payment whose response was lost, without a further request (row 81)', async () => {
  const { payments, sandbox, about, id, reported } = await lost();
  expect(await observed(payments, about('transaction.waiting_payment'))).toMatchObject({
    state: 'settled',
    paymentId: id,
    payment: { id, status: 'waiting_payment' },
  });
  await payments.settleDue();
  const { payment } = await payments.create(order, { key });
  expect(payment).toMatchObject({ id, status: 'waiting_payment' });
  expect(sandbox.journal.requests).toHaveLength(1);
  expect(reported.settled).toHaveLength(1);
});

test('a response after a notification adds the customer, but does not reset the newer status', async () => {
  const { payments, sandbox, about, clock, reported, store } = await lost();
  clock.now += 3_600_000;
  const claim = store.claim.bind(store);
  // The notification arrives while the next attempt is in flight.
  store.claim = async (request) => {
    const rows = await claim(request);
    await observed(payments, about('transaction.paid', { status: 'paid' }));
    return rows;
  };
  await payments.settleDue();
  expect(await payments.find(key)).toMatchObject({
    state: 'settled',
    payment: { status: 'paid', customer: { name: 'Ana Souza' } },
  });
  expect(reported.settled).toHaveLength(1);
  expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
});

test('notifications can move the status of a settled payment only forward, for example from paid to refunded', async () => {
  const { payments, about } = await lost();
  const statuses: unknown[] = [];
  for (const [event, status] of [
    ['transaction.waiting_payment', 'waiting_payment'],
    ['transaction.paid', undefined],
    ['transaction.waiting_payment', 'waiting_payment'],
    ['transaction.status.updated', 'refunded'],
    ['transaction.paid', 'paid'],
    ['transaction.chargedback', undefined],
  ] as const)
    statuses.push((await observed(payments, about(event, status && { status })))?.payment?.status);
  expect(statuses).toEqual(['waiting_payment', 'paid', 'paid', 'refunded', 'refunded', 'chargedback']);
});

describe.each(paymentStores)('with $name', ({ isThere, open }) => {
  test.skipIf(!isThere)(
    'a paid event is applied if the record then has its status, also again, and outdated after a refund',
    async () => {
      const { store, close } = await open();
      onTestFinished(() => close() as never);
      const { payments } = durable({ store });
      const { payment } = await payments.create(order, { key });
      const about = (event: string, status?: string) =>
        payments.observe({ event, id: payment.id, externalReference: key, status } as WebhookEvent);
      const outcomes: unknown[] = [];
      for (const [event, status] of [
        ['transaction.paid', 'paid'],
        ['transaction.paid', 'paid'],
        ['transaction.waiting_payment', 'waiting_payment'],
        ['transaction.refunded', undefined],
        ['transaction.paid', 'paid'],
        ['transaction.status.updated', 'paid'],
        ['transaction.paid', 'refunded'],
        ['transaction.chargedback', 'paid'],
        ['transaction.paid', undefined],
      ] as const) {
        const { outcome, record } = await about(event, status);
        outcomes.push([outcome, record?.payment?.status]);
      }
      expect(outcomes).toEqual([
        ['applied', 'paid'],
        ['applied', 'paid'],
        ['outdated', 'paid'],
        ['applied', 'refunded'],
        ['outdated', 'refunded'],
        ['outdated', 'refunded'],
        ['outdated', 'refunded'],
        ['applied', 'chargedback'],
        ['outdated', 'chargedback'],
      ]);
      await payments.forget(key);
      expect(await about('transaction.paid', 'paid')).toMatchObject({ outcome: 'outdated' });
    },
  );
});

test('a notification settles a payment that the SDK had already given up', async () => {
  const { payments, about, clock, reported } = await lost();
  clock.now += 48 * 3_600_000;
  await payments.settleDue();
  expect(reported.givenUp).toHaveLength(1);
  expect(await observed(payments, about('transaction.paid'))).toMatchObject({ state: 'settled' });
});

test('an unrelated notification changes no payment', async () => {
  const { payments, about } = await lost();
  await payments.enqueue(order, { key: 'order-2' });
  for (const event of [
    about('transaction.paid', { externalReference: 'another' }),
    about('transaction.paid', { externalReference: undefined }),
    about('transaction.paid', { id: undefined }),
    about('transaction.paid', { id: '' }),
    { event: 'seller.approved', seller: 1 } as unknown as WebhookEvent,
  ])
    expect(await observed(payments, event)).toBeUndefined();
  expect((await payments.list()).map(({ state }) => state)).toEqual(['unknown', 'recorded']);
});

test('a notification is rejected if several payments have its externalId, and one of them has no id yet (row 81)', async () => {
  const { payments, sandbox } = durable();
  const same = { ...order, externalId: 'cart-9' };
  for (let index = 0; index < 11; index++) await payments.create(same, { key: `order-${index}` });
  sandbox.faults.add({ operation: 'payments.create', phase: 'before-commit', fault: 'reset' });
  await rejection(payments.create(same, { key: 'order-11' }));
  const event = (id: unknown) =>
    ({ event: 'transaction.paid', id, externalReference: 'cart-9' }) as WebhookEvent;
  expect(await observed(payments, event(sandbox.ledger.charges[0]?.paymentId))).toMatchObject({
    key: 'order-0',
  });
  expect(
    (await rejection(payments.observe(event('3f2504e0-4f89-41d3-9a0c-0305e82c3301')))).message,
  ).toContain('cannot be assigned yet');
  expect(await payments.find('order-11')).toMatchObject({ state: 'unknown' });
});

test('a notification whose amount or method differs from the recorded payment does not settle it', async () => {
  const { payments, about } = await lost();
  for (const other of [{ amount: 1 }, { amount: '1990' }, { paymentMethod: 'boleto' }])
    expect(await payments.observe(about('transaction.paid', { id: 'p-9', ...other }))).toMatchObject({
      outcome: 'mismatch',
      record: { state: 'unknown' },
    });
  expect(
    await observed(payments, about('transaction.paid', { paymentMethod: 'pix', customer: null })),
  ).toMatchObject({ state: 'settled' });
});

test('a field that is null in a notification keeps its recorded value', async () => {
  const { payments, sandbox, about } = await lost();
  await payments.settle(key);
  const { payment } =
    (await observed(payments, about('transaction.paid', { amount: null, customer: null }))) ?? {};
  expect(payment).toMatchObject({ status: 'paid', amount: 1990, customer: { name: 'Ana Souza' } });
  expect(sandbox.ledger.charges).toHaveLength(1);
});

test.each([
  ['amount', { amount: 100 }],
  ['paymentMethod', { paymentMethod: 'boleto' }],
])(
  'a notification with another %s does not change a settled payment, and is reported',
  async (field, other) => {
    const { payments, about, reported } = await lost();
    await payments.settle(key);
    const { outcome, record } = await payments.observe(about('transaction.paid', other));
    expect(outcome).toBe('mismatch');
    expect(record?.payment).toMatchObject({ status: 'waiting_payment', amount: 1990, paymentMethod: 'pix' });
    expect((await payments.find(key))?.payment?.status).toBe('waiting_payment');
    expect(reported.errors).toMatchObject([
      [{ message: expect.stringContaining(`but has another ${field}`) }, { during: 'conflict', key }],
    ]);
  },
);

test('a notification with another externalReference keeps the recorded one, and is reported', async () => {
  const { payments, about, reported } = await lost();
  await payments.settle(key);
  const other = { externalReference: 'order-2', customer: 'Bob' };
  const record = await observed(payments, about('transaction.paid', other));
  expect(record?.payment).toMatchObject({
    status: 'paid',
    externalReference: key,
    customer: { name: 'Ana Souza' },
  });
  expect(reported.errors).toMatchObject([
    [{ message: expect.stringContaining('another externalReference') }, { during: 'conflict', key }],
  ]);
});

test('a notification about a payment that another system created has the outcome unknown', async () => {
  const { payments } = durable();
  const event = { event: 'transaction.paid', id: 'p-9', externalReference: 'elsewhere' } as WebhookEvent;
  expect(await payments.observe(event)).toEqual({ outcome: 'unknown' });
});

test.each([
  ['transaction.paid', 'paid', 'p-9', ['second_payment']],
  ['transaction.status.updated', 'paid', 'p-9', ['second_payment']],
  ['transaction.waiting_payment', 'waiting_payment', 'p-9', []],
  ['payout.created', 'paid', 'p-9', []],
  ['transaction.paid', 'paid', undefined, []],
])(
  'the event %s with the status %s about the payment %s, for the externalId of a settled one, reports %j and changes nothing',
  async (event, status, id, codes) => {
    const { payments, reported } = durable();
    const { payment } = await payments.create(order, { key });
    const fields = { event, id, status, externalReference: key, amount: 1990 };
    expect(await payments.observe(fields as WebhookEvent)).toEqual({ outcome: 'unknown' });
    expect(reported.errors.map(([error]) => (error as { code?: string }).code)).toEqual(codes);
    for (const [error, failure] of reported.errors) {
      expect(error).toMatchObject({ name: 'DurablePaymentError', record: { paymentId: payment.id } });
      expect(failure).toEqual({ during: 'conflict', key });
      expect(String(error)).not.toContain('Souza');
    }
    expect(await payments.find(key)).toMatchObject({ paymentId: payment.id, error: undefined });
    expect((await payments.observe({ ...fields, id: payment.id } as WebhookEvent)).outcome).toBe('applied');
  },
);

test('a paid notification for the externalId of a rejected payment is reported, and changes nothing', async () => {
  const { payments, sandbox, reported } = durable();
  const body = { error: { code: 'invalid', message: 'The request is invalid.' } };
  sandbox.faults.add({
    operation: 'payments.create',
    phase: 'after-commit',
    fault: { status: 422, body },
  });
  await rejection(payments.create(order, { key }));
  const id = sandbox.ledger.charges[0]?.paymentId;
  const fields = { id, externalReference: key, amount: 1990 };
  const about = (event: string, status: string) => ({ event, status, ...fields }) as WebhookEvent;
  expect(await payments.observe(about('transaction.waiting_payment', 'waiting_payment'))).toEqual({
    outcome: 'unknown',
  });
  expect(reported.errors).toEqual([]);
  expect(await payments.observe(about('transaction.paid', 'paid'))).toEqual({ outcome: 'unknown' });
  expect(reported.errors).toMatchObject([
    [
      { message: expect.stringContaining('although the recorded payment was rejected') },
      { during: 'conflict', key },
    ],
  ]);
  expect(await payments.find(key)).toMatchObject({ state: 'failed' });
});

test('an undefined client is rejected, because the notification would be applied outside the transaction', async () => {
  const { payments, about } = await lost();
  expect(await rejection(payments.observe(about('transaction.paid'), { client: undefined }))).toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('options.client is undefined. Pass your open transaction'),
  });
  expect(await payments.find(key)).toMatchObject({ state: 'unknown' });
});

test.each([
  ['', {}],
  [', although its payload is encrypted', { encryptionKeys: `${'A'.repeat(43)}=` }],
])('a notification finds a payment by its externalId as soon as it was sent%s', async (_, options) => {
  const { payments, sandbox, reported } = durable(options);
  const externalId = 'invoice 7';
  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
  await rejection(payments.create({ ...order, externalId }, { key }));
  const id = sandbox.ledger.charges[0]?.paymentId;
  const event = {
    event: 'transaction.paid',
    id,
    externalReference: externalId,
    amount: 1990,
  } as WebhookEvent;
  expect(await payments.observe(event)).toMatchObject({ outcome: 'applied', record: { key, paymentId: id } });
  expect(reported.settled).toHaveLength(1);
});

test('a payment that another system has made under the externalId is not sent any more', async () => {
  const { payments, sandbox } = durable();
  await payments.enqueue({ ...order, externalId: 'invoice 7' }, { key });
  const event = {
    event: 'transaction.paid',
    id: 'p-9',
    externalReference: 'invoice 7',
    amount: 1990,
  } as WebhookEvent;
  const refused = { ...event, event: 'transaction.refused' } as WebhookEvent;
  expect(await payments.observe(refused)).toEqual({ outcome: 'unknown' });
  expect(await payments.observe(event)).toMatchObject({ outcome: 'applied', record: { key, inDoubt: true } });
  await payments.settleDue();
  expect(sandbox.ledger.charges).toEqual([]);
});

test('a notification is rejected while several sent payments have its externalId, and found once their ids are known', async () => {
  const { payments, sandbox, clock } = durable();
  const keys = ['order-1', 'order-1-2'];
  for (const each of keys) {
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    await rejection(payments.create({ ...order, externalId: 'order-1' }, { key: each }));
  }
  const id = sandbox.ledger.charges[1]?.paymentId;
  const event = { event: 'transaction.paid', id, externalReference: 'order-1', amount: 1990 } as WebhookEvent;
  expect((await rejection(payments.observe(event))).message).toMatch(
    /2 recorded payments have its externalId/,
  );
  clock.now += 3_600_000;
  await payments.settleDue();
  expect(await payments.observe(event)).toMatchObject({ outcome: 'applied', record: { key: 'order-1-2' } });
});

test('create returns a payment that a notification settled first, and not the payment in its response', async () => {
  const { payments, sandbox, reported } = durable();
  const paid = { event: 'transaction.paid', id: 'p-9', externalReference: key, amount: 1990 } as WebhookEvent;
  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: { slow: 300 } });
  const created = payments.create(order, { key });
  await eventually(async () => expect(await observed(payments, paid)).toBeDefined());
  expect((await created).payment).toMatchObject({ id: 'p-9', status: 'paid' });
  expect(await payments.find(key)).toMatchObject({ paymentId: 'p-9', error: { code: 'second_payment' } });
  expect(reported.settled).toHaveLength(1);
});

test('a notification does not remove nested fields that it does not contain', async () => {
  const { payments, about } = await lost();
  await payments.settle(key);
  const boleto = { url: 'https://bank.example/1.pdf', barcode: '001', digitableLine: null };
  await observed(payments, about('transaction.waiting_payment', { boleto }));
  const { payment } =
    (await observed(
      payments,
      about('transaction.paid', {
        boleto: { digitableLine: '001 2' },
        customer: { name: null, email: null },
      }),
    )) ?? {};
  expect(payment).toMatchObject({
    status: 'paid',
    boleto: { ...boleto, digitableLine: '001 2' },
    customer: { name: 'Ana Souza' },
  });
});

test('a notification that is older than the recorded status does not replace nested fields', async () => {
  const { payments, about } = await lost();
  await observed(payments, about('transaction.paid', { boleto: { digitableLine: 'new' } }));
  const record = await observed(
    payments,
    about('transaction.waiting_payment', { boleto: { digitableLine: 'old', barcode: '001' } }),
  );
  expect(record?.payment).toMatchObject({ status: 'paid', boleto: { digitableLine: 'new', barcode: '001' } });
});

test.each([null, undefined])('a notification whose amount is %s settles its payment', async (amount) => {
  const { payments, about } = await lost();
  expect(await observed(payments, about('transaction.paid', { amount }))).toMatchObject({ state: 'settled' });
});

test('a notification about the charge of a cancelled payment settles that payment, and onSettled is called', async () => {
  const { payments, about, clock, reported } = await lost();
  clock.now += 48 * 3_600_000;
  await payments.settleDue();
  expect(await payments.cancel(key)).toBe(true);
  expect(await observed(payments, about('transaction.paid'))).toMatchObject({ state: 'settled' });
  expect(reported.settled).toHaveLength(1);
});

test('a second payment for one idempotency key is reported, and does not replace the first one', async () => {
  const { payments, sandbox, reported, store } = durable();
  const { payment } = await payments.create(order, { key });
  // This row was read before the first payment was known.
  const row = await store.find(merchant, key);
  store.findByPayment = () => [{ ...row, paymentId: null, state: 'unknown', revision: 1 } as never];
  expect(
    await payments.observe({
      event: 'transaction.paid',
      id: 'p-2',
      externalReference: key,
      amount: 1990,
    } as WebhookEvent),
  ).toEqual({ outcome: 'unknown' });
  expect(await payments.find(key)).toMatchObject({ paymentId: payment.id });
  expect(reported.errors).toMatchObject([
    [{ message: expect.stringContaining('Two payments') }, { during: 'conflict', key }],
  ]);
  expect(sandbox.ledger.charges).toHaveLength(1);
});

test('a notification about a second payment never replaces the first one, even if that one is in doubt', async () => {
  const { payments, about, reported, store, id } = await lost();
  await payments.observe(about('transaction.waiting_payment'));
  const row = await store.find(merchant, key);
  expect(row).toMatchObject({ state: 'settled', inDoubt: true, paymentId: id });
  // This row was read before the first payment was known.
  store.findByPayment = () => [{ ...row, paymentId: null, state: 'unknown', revision: 1 } as never];
  await payments.observe(about('transaction.paid', { id: 'p-2' }));
  expect(await store.find(merchant, key)).toEqual({ ...row, now: expect.any(Number) });
  expect(reported.errors.at(-1)).toMatchObject([
    { message: expect.stringContaining('The first is kept') },
    { during: 'conflict', key },
  ]);
});

test('a payment whose row the store does not change, without another change, is returned with its response', async () => {
  const { payments, sandbox, store } = durable();
  let settlements = 0;
  const update = store.update.bind(store);
  store.update = (id, change) => (change.state === 'settled' ? ++settlements < 0 : update(id, change));
  expect((await payments.create(order, { key })).payment.status).toBe('waiting_payment');
  expect(settlements).toBe(1);
  expect(sandbox.ledger.charges).toHaveLength(1);
});

test.each([
  ['transaction.chargedback', 'paid', 'chargedback'],
  ['transaction.refunded', 'paid', 'refunded'],
  ['transaction.expired', 'waiting_payment', 'expired'],
  ['transaction.paid', 'refunded', 'refunded'],
  ['transaction.status.updated', 'paid', 'paid'],
])('the event %s with the status %s sets the payment’s status to %s', async (event, status, expected) => {
  const { payments, about } = await lost();
  expect(await observed(payments, about(event, { status }))).toMatchObject({ payment: { status: expected } });
});

test.each([
  ['a Promise', Promise.resolve({}), 'event is a Promise'],
  ['undefined', undefined, 'event must be an object'],
  ['a delivery', { event: { event: 'transaction.paid' } }, 'event must be an event of your receiver'],
])('observe rejects an event that is %s', async (_, event, message) => {
  const { payments } = durable();
  await expect(observed(payments, event as never)).rejects.toThrow(message);
});

test.each(['payout.created', 'split.created', 'transaction.fee.updated'])(
  'the event %s settles no payment, even if it has the payment’s reference and amount',
  async (event) => {
    const { payments, about } = await lost();
    expect(await payments.observe(about(event, { id: 'other' }))).toEqual({ outcome: 'unknown' });
    expect(await observed(payments, about('transaction.paid'))).toMatchObject({ state: 'settled' });
  },
);

test('observe compares the payload’s amount and method until the platform has returned both', async () => {
  const { payments, about, reported } = await lost();
  const early = about('transaction.waiting_payment', { amount: undefined, paymentMethod: undefined });
  expect(await payments.observe(early)).toMatchObject({ outcome: 'applied' });
  for (const other of [{ amount: 100 }, { paymentMethod: 'boleto' }])
    expect(await payments.observe(about('transaction.paid', other as never))).toMatchObject({
      outcome: 'mismatch',
    });
  expect(reported.errors.map(([error]) => (error as Error).message)).toMatchObject([
    expect.stringContaining('another amount'),
    expect.stringContaining('another paymentMethod'),
  ]);
  expect(await payments.observe(about('transaction.paid'))).toMatchObject({ outcome: 'applied' });
  // The compared fields remain after the payload.
  expect(await payments.forget(key)).toBe(true);
  expect(await payments.observe(about('transaction.refunded', { amount: 100 }))).toMatchObject({
    outcome: 'mismatch',
  });
  expect(await payments.observe(about('transaction.refunded'))).toMatchObject({ outcome: 'applied' });
});

test('observe reports a notification about a payment whose payload was erased by forget', async () => {
  const { payments, about, reported, clock } = await lost();
  clock.now += 100 * 24 * 3_600_000;
  await payments.settleDue();
  await payments.cancel(key);
  expect(await payments.forget(key)).toBe(true);
  expect(await payments.observe(about('transaction.paid'))).toMatchObject({ outcome: 'mismatch' });
  expect(reported.errors.at(-1)).toMatchObject([
    { message: expect.stringContaining('whose payload was erased') },
    { during: 'conflict', key },
  ]);
});

test('observe rejects if the store fails, so that the platform retries the notification', async () => {
  const { payments, about, store } = await lost();
  store.update = () => Promise.reject(new Error('the database is away'));
  expect((await rejection(observed(payments, about('transaction.paid')))).message).toBe(
    'the database is away',
  );
});

test.each([
  ['transaction.paid', 'the payment in the event', 'p-9'],
  ['transaction.waiting_payment', 'the returned payment', undefined],
])('after %s, refresh rejects a different payment for the key, and keeps %s', async (event, _, kept) => {
  const { payments, sandbox, about, id, reported } = await lost();
  expect(await observed(payments, about(event, { id: 'p-9', status: undefined }))).toMatchObject({
    inDoubt: true,
  });
  const second = { code: 'second_payment' };
  const paymentId = kept ?? id;
  expect(await rejection(payments.refresh(key, { mayCharge: true }))).toMatchObject({
    ...second,
    record: { paymentId, inDoubt: true, error: second },
  });
  expect((await payments.refresh(key, { mayCharge: true })).payment.id).toBe(paymentId);
  expect(await observed(payments, about('transaction.refunded', { id: paymentId }))).toMatchObject({
    paymentId,
    error: second,
  });
  expect(sandbox.journal.requests).toHaveLength(2);
  expect(reported.errors).toMatchObject([
    [{ message: expect.stringContaining('Two payments') }, { during: 'conflict', key }],
  ]);
  expect(sandbox.ledger.charges).toHaveLength(1);
});
