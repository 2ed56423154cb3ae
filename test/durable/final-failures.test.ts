import { memoryPayments, type PaymentRecord } from 'payment-platform/durable';
import { describe, expect, test, vi } from 'vitest';
import { endedWithoutHook } from '../../src/durable/durable-error.js';
import { durable, order, rejection } from '../support/durable.js';
import { eventually } from '../support/eventually.js';

const key = 'order-1042';
const minute = 60_000;
const silent = { onFailed: undefined, onGivenUp: undefined, onError: undefined };

describe('a payment that ends without a hook for its state', () => {
  test('as failed in run prints one line with its key, state and error code, and no personal data', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { sandbox, payments } = durable({ ...silent, store: memoryPayments() });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 400 } });
    await payments.enqueue(order, { key });
    const controller = new AbortController();
    const running = payments.run({ signal: controller.signal, pollInterval: 1 });
    await eventually(() => expect(print).toHaveBeenCalled());
    controller.abort();
    await running;
    expect(print.mock.calls).toEqual([
      [
        'payment-platform: durable payments: send failed (order-1042):',
        'The payment order-1042 has ended as failed (bad_request). Nothing was executed, and nothing more is sent. Pass onFailed to handle it.',
      ],
    ]);
  });

  test('as given_up in settleDue prints one line, once', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { sandbox, payments, clock } = durable({ ...silent, giveUpAfter: minute });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 }, times: 9 });
    await payments.enqueue(order, { key });
    await payments.settleDue();
    for (let turn = 0; turn < 2; turn++) {
      clock.now += 2 * minute;
      await payments.settleDue();
    }
    expect(print.mock.calls).toEqual([
      [
        'payment-platform: durable payments: send failed (order-1042):',
        expect.stringMatching(
          /^The payment order-1042 has ended as given_up \([a-z_]+\)\. Check on the platform whether the customer was charged\./,
        ),
      ],
    ]);
  });

  test('in settle goes to onError, and as the error of create does not', async () => {
    const { sandbox, payments, reported } = durable({ onFailed: undefined });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 422 }, times: 2 });
    expect(await rejection(payments.create(order, { key: 'order-1' }))).toMatchObject({
      record: { state: 'failed' },
    });
    expect(reported.errors).toEqual([]);
    await payments.enqueue(order, { key });
    await rejection(payments.settle(key));
    await rejection(payments.settle(key));
    expect(reported.errors).toMatchObject([
      [
        { code: 'payment_not_settled', record: { key, state: 'failed' } },
        { during: 'send', key },
      ],
    ]);
  });
});

test('a payment that a person cancelled in doubt is not reported as not executed', async () => {
  const { payments } = durable();
  await payments.enqueue(order, { key });
  const record = (await payments.find(key)) as PaymentRecord;
  expect(endedWithoutHook({ ...record, state: 'failed', inDoubt: true })).toMatchObject({
    outcome: 'unknown',
    message: expect.stringContaining('Check on the platform whether the customer was charged.'),
  });
});

describe('a duration below timeout, such as hours instead of milliseconds', () => {
  test.each(['giveUpAfter', 'refreshFor'])('is rejected as the option %s', (name) => {
    expect(() => durable({ [name]: 24 })).toThrow(
      `createDurablePayments: ${name} must be at least timeout (30000 milliseconds), got 24 milliseconds.`,
    );
    durable({ timeout: 24, [name]: 24 });
  });

  test.each(['giveUpAfter', 'refreshFor'])(
    'is rejected as %s of a payment, and nothing is recorded',
    async (name) => {
      const { payments } = durable({ timeout: 10_000 });
      for (const record of [payments.create, payments.enqueue])
        expect(await rejection(record(order, { key, [name]: 24 }))).toMatchObject({
          name: 'ValidationError',
          message: expect.stringContaining(
            `options.${name} must be at least timeout (10000 milliseconds), got 24 milliseconds`,
          ),
        });
      expect(await payments.find(key)).toBeUndefined();
      await payments.create(order, { key, [name]: 10_000 });
    },
  );
});
