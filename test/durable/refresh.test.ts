import type { DurableOptions, RecordOptions } from 'payment-platform/durable';
import { describe, expect, test } from 'vitest';
import { durable, observed, order, rejection } from '../support/durable.js';

const key = 'order-1';
const day = 24 * 60 * 60_000;

describe('refresh of a durable payment', () => {
  test('sends the same bytes and idempotency key, returns the new status and makes no second charge (row 78)', async () => {
    const { sandbox, payments } = durable();
    const { payment } = await payments.create(order, { key });
    sandbox.control.payments.pay(payment.id);
    expect((await payments.find(key))?.payment?.status).toBe('waiting_payment');
    const refreshed = await payments.refresh(key);
    expect(refreshed.payment).toMatchObject({ id: payment.id, status: 'paid' });
    expect((await payments.find(key))?.payment?.status).toBe('paid');
    const sent = sandbox.journal.requests.map((request) => [request.bodyDigest, request.idempotencyKey]);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('rejects if the platform returns a different payment for the idempotency key, and sends nothing more (row 82)', async () => {
    const { sandbox, payments, reported } = durable();
    const { payment } = await payments.create(order, { key });
    const second = { ...payment, id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', status: 'paid' };
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 200, body: second } });
    expect(await rejection(payments.refresh(key))).toMatchObject({
      code: 'second_payment',
      outcome: 'unknown',
      record: { inDoubt: true, paymentId: payment.id, error: { code: 'second_payment' } },
    });
    expect(reported.errors).toMatchObject([[{}, { during: 'conflict', key }]]);
    expect((await payments.refresh(key)).payment.id).toBe(payment.id);
    expect(sandbox.journal.requests).toHaveLength(2);
  });

  test('sends nothing after giveUpAfter, and returns the recorded payment', async () => {
    const { sandbox, payments, clock } = durable({ giveUpAfter: day });
    const { payment } = await payments.create(order, { key });
    sandbox.control.payments.pay(payment.id);
    clock.now += day;
    expect(await payments.refresh(key)).toMatchObject({
      payment: { status: 'waiting_payment' },
      isCurrent: false,
    });
    expect(sandbox.journal.requests).toHaveLength(1);
  });

  test.each<[string, Partial<DurableOptions>, Partial<RecordOptions>]>([
    ['the options', { giveUpAfter: 60_000, refreshFor: 40 * day }, {}],
    ['the payment itself', {}, { giveUpAfter: 60_000, refreshFor: 40 * day }],
  ])(
    'asks for longer than a payment is sent if %s say so, and says that the status is current',
    async (_, options, own) => {
      const { sandbox, payments, clock } = durable(options);
      const { payment, record } = await payments.create(order, { key, ...own });
      expect(record.deadline.getTime() - record.createdAt.getTime()).toBe(60_000);
      expect(record.refreshUntil.getTime() - record.createdAt.getTime()).toBe(40 * day);
      sandbox.control.payments.pay(payment.id);
      clock.now += 3 * day;
      expect(await payments.refresh(key)).toMatchObject({ payment: { status: 'paid' }, isCurrent: true });
      clock.now += 40 * day;
      expect(await payments.refresh(key)).toMatchObject({ payment: { status: 'paid' }, isCurrent: false });
      expect(sandbox.journal.requests).toHaveLength(2);
    },
  );

  test('a payment with its own giveUpAfter ends then, and not after a day', async () => {
    const { sandbox, payments, clock } = durable();
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 429 } });
    await rejection(payments.create(order, { key, giveUpAfter: 60_000 }));
    clock.now += 60_001;
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'failed', error: { status: 429 } });
  });

  test('create says whether the platform returned the status for this call', async () => {
    const { payments } = durable();
    expect((await payments.create(order, { key })).isCurrent).toBe(true);
    expect((await payments.create(order, { key })).isCurrent).toBe(false);
    expect((await payments.settle(key)).isCurrent).toBe(false);
  });

  test('sends nothing for a payment whose payload was erased by forget', async () => {
    const { sandbox, payments } = durable();
    await payments.create(order, { key });
    await payments.forget(key);
    expect((await payments.refresh(key)).payment.status).toBe('waiting_payment');
    expect(sandbox.journal.requests).toHaveLength(1);
  });

  test('rejects with the client’s error, and leaves the record unchanged', async () => {
    const { sandbox, payments } = durable();
    await payments.create(order, { key });
    const before = await payments.find(key);
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
    expect(await rejection(payments.refresh(key))).toMatchObject({ name: 'ServerError' });
    expect(await payments.find(key)).toEqual(before);
  });

  test('settles a payment that is not settled yet, and rejects a key that has no record', async () => {
    const { sandbox, payments } = durable();
    await payments.enqueue(order, { key });
    expect((await payments.refresh(key)).payment.status).toBe('waiting_payment');
    expect(sandbox.ledger.charges).toHaveLength(1);
    expect(await rejection(payments.refresh('order-2'))).toMatchObject({ code: 'payment_not_found' });
  });

  test('sends a request for a payment that a notification settled only if mayCharge is true (row 81)', async () => {
    const { sandbox, payments } = durable();
    sandbox.faults.add({ operation: 'payments.create', phase: 'before-commit', fault: 'reset' });
    await rejection(payments.create(order, { key }));
    const another = { event: 'transaction.paid', id: 'p-9', externalReference: key, amount: 1990 };
    expect(await observed(payments, another as never)).toMatchObject({ state: 'settled', inDoubt: true });
    expect((await payments.refresh(key)).payment.id).toBe('p-9');
    expect(sandbox.ledger.charges).toEqual([]);
    expect(sandbox.journal.requests).toHaveLength(1);
    expect(await rejection(payments.refresh(key, { mayCharge: true }))).toMatchObject({
      code: 'second_payment',
    });
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('requests the status of a payment again even if a notification has already updated it', async () => {
    const { sandbox, payments } = durable();
    const { payment } = await payments.create(order, { key });
    const paid = { ...payment, event: 'transaction.paid', status: 'paid' };
    expect(await observed(payments, paid as never)).toMatchObject({ inDoubt: false });
    sandbox.control.payments.pay(payment.id);
    sandbox.control.payments.refund(payment.id);
    expect((await payments.refresh(key)).payment.status).toBe('refunded');
  });

  test('rejects an unknown option', async () => {
    const { payments } = durable();
    expect(await rejection(payments.refresh(key, { mayCharg: true } as never))).toMatchObject({
      name: 'ValidationError',
    });
  });
});
