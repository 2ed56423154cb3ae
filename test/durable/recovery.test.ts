import { memoryPayments, type PaymentRow, type PaymentStore } from 'payment-platform/durable';
import { describe, expect, test, vi } from 'vitest';
import { durable, merchant, order, rejection } from '../support/durable.js';
import { eventually } from '../support/eventually.js';

const key = 'order-1';
const minute = 60_000;
const day = 24 * 60 * minute;

/** Runs until a condition holds, then stops and waits for the run to end. */
async function runUntil(payments: ReturnType<typeof durable>['payments'], isSo: () => unknown) {
  const controller = new AbortController();
  const running = payments.run({ signal: controller.signal, pollInterval: 1 });
  await vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 10_000, interval: 5 });
  controller.abort();
  await running;
}

describe('a durable payment’s recovery', () => {
  test('settles a payment whose process died while sending, with the same idempotency key and payload (row 78)', async () => {
    const { sandbox, payments, store, clock } = durable();
    const dying = durable({ store, client: sandbox.clientOptions() });
    // The process dies while the response is in flight, so the payment's row does not change.
    dying.store.update = () => Promise.reject(new Error('dead'));
    await dying.payments.create(order, { key });
    store.update = Object.getPrototypeOf(store).update;
    expect(await payments.find(key)).toMatchObject({ state: 'sending', attempts: 1 });
    expect(await payments.settleDue()).toBe(0);
    clock.now += 2 * 30_000;
    expect(await payments.settleDue()).toBe(1);
    expect(await payments.find(key)).toMatchObject({ state: 'settled', attempts: 2 });
    const bodies = sandbox.journal.requests.map(({ bodyDigest, idempotencyKey }) => [
      bodyDigest,
      idempotencyKey,
    ]);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toEqual(bodies[1]);
    expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
  });

  test('waits longer after each attempt, and at least as long as a Retry-After', async () => {
    const { sandbox, payments, clock } = durable({ retryDelay: 1_000, maxRetryDelay: 8_000 });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 }, times: 6 });
    sandbox.faults.add({
      operation: 'payments.create',
      nth: 7,
      fault: { status: 429, headers: { 'retry-after': '90' } },
    });
    await payments.enqueue(order, { key });
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      expect(await payments.settleDue()).toBe(1);
      const due = (await payments.find(key))?.dueAt?.getTime() ?? 0;
      pauses.push(due - clock.now);
      clock.now = due - 1;
      expect(await payments.settleDue()).toBe(0);
      clock.now = due;
    }
    for (const [index, longest] of [1_000, 2_000, 4_000, 8_000, 8_000, 8_000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(pauses[index]).toBeLessThanOrEqual(longest);
    }
    expect(pauses[6]).toBe(90_000);
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'settled', attempts: 8 });
  });

  test('computes a valid wait even after thousands of attempts', async () => {
    const { sandbox, payments, store, clock } = durable({ retryDelay: 0, giveUpAfter: 60 * minute });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
    await payments.enqueue(order, { key });
    const claim = store.claim.bind(store);
    store.claim = async (request) => (await claim(request)).map((row) => ({ ...row, attempts: 5_000 }));
    await payments.settleDue();
    expect((await payments.find(key))?.dueAt?.getTime()).toBe(clock.now);
  });

  test('gives up a payment with an unknown outcome after giveUpAfter, and reports it once', async () => {
    const { sandbox, payments, clock, reported } = durable({ giveUpAfter: 10 * minute });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 500 }, times: 1_000 });
    await payments.enqueue(order, { key });
    for (let turn = 0; turn < 30; turn++, clock.now += minute) await payments.settleDue();
    expect(reported.givenUp).toMatchObject([
      { key, state: 'given_up', error: { status: 500 }, inDoubt: true },
    ]);
    expect(await payments.find(key)).toMatchObject({ state: 'given_up', dueAt: undefined });
    const requests = sandbox.journal.requests.length;
    clock.now += day;
    expect(await payments.settleDue()).toBe(0);
    expect(await rejection(payments.create(order, { key }))).toMatchObject({
      outcome: 'unknown',
      record: { state: 'given_up' },
    });
    expect(sandbox.journal.requests).toHaveLength(requests);
  });

  test('marks a payment as failed after giveUpAfter if it was certainly not executed', async () => {
    const { payments, clock, reported, sandbox } = durable({ giveUpAfter: minute });
    await payments.enqueue(order, { key });
    clock.now += day;
    await payments.settleDue();
    expect(reported.failed).toMatchObject([{ key, error: { code: 'deadline_passed' } }]);
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('settles all other payments if some are rejected, fail or have a damaged row (row 80)', async () => {
    const { sandbox, payments, store, reported } = durable({ retryDelay: 3_600_000 });
    for (let index = 0; index < 60; index++) await payments.enqueue(order, { key: `order-${index}` });
    const claim = store.claim.bind(store);
    store.claim = async (request) =>
      (await claim(request)).map((row) => (row.key === 'order-7' ? { ...row, payload: 'broken' } : row));
    sandbox.faults.add({ operation: 'payments.create', nth: 3, times: 5, fault: { status: 500 } });
    sandbox.faults.add({ operation: 'payments.create', nth: 9, fault: { status: 400 } });
    await runUntil(payments, async () =>
      (await payments.counts()).every(({ state }) => state !== 'recorded' && state !== 'sending'),
    );
    const states = (await payments.list()).map(({ state }) => state);
    const count = (state: string) => states.filter((one) => one === state).length;
    expect([count('settled'), count('unknown'), count('failed'), count('given_up')]).toEqual([53, 5, 1, 1]);
    expect(reported.errors).toEqual([]);
  });

  test('reports a failing store only once, and continues when the store works again', async () => {
    const { payments, store, reported } = durable();
    const claim = store.claim.bind(store);
    let failures = 3;
    store.claim = async (request) => {
      if (failures-- > 0) throw new Error('the database is away');
      return claim(request);
    };
    await payments.enqueue(order, { key });
    await runUntil(payments, () => reported.settled.length === 1);
    expect(reported.errors.map(([, { during }]) => during)).toEqual(['claim']);
  });

  test('sends at most `concurrency` payments at once, and waits for them after an abort', async () => {
    let underWay = 0;
    let most = 0;
    const { sandbox, payments } = durable();
    const { fetch, ...options } = sandbox.clientOptions();
    const slow = durable({
      client: {
        ...options,
        fetch: async (input, init) => {
          most = Math.max(most, ++underWay);
          await new Promise((resolve) => setImmediate(resolve));
          return fetch(input as Request, init).finally(() => underWay--);
        },
      },
    });
    for (let index = 0; index < 40; index++) await slow.payments.enqueue(order, { key: `order-${index}` });
    const controller = new AbortController();
    const running = slow.payments.run({ signal: controller.signal, concurrency: 4, pollInterval: 1 });
    await vi.waitFor(() => expect(slow.reported.settled.length).toBeGreaterThan(10), {
      interval: 1,
      timeout: 120_000,
    });
    controller.abort();
    await running;
    expect([most, underWay]).toEqual([4, 0]);
    expect((await slow.payments.counts()).filter(({ state }) => state === 'sending')).toEqual([]);
    expect(await payments.list()).toEqual([]);
  });
});

describe('durable payments with a failing store or hook (row 79)', () => {
  test('send nothing if the insert fails, and the error says what to do', async () => {
    const { payments, store, sandbox } = durable();
    store.insert = () => Promise.reject(new Error('the database is away'));
    expect(await rejection(payments.create(order, { key }))).toMatchObject({
      name: 'DurablePaymentError',
      code: 'payment_store_failed',
      outcome: 'unknown',
      idempotencyKey: key,
      message: expect.stringContaining('Call create again with the same key and payload'),
      cause: { message: 'the database is away' },
    });
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('make only one charge if the database commits an insert but reports an error', async () => {
    const { payments, store, sandbox, clock } = durable();
    const insert = store.insert.bind(store);
    store.insert = async (row) => {
      await insert(row);
      throw new Error('the connection was lost at COMMIT');
    };
    await rejection(payments.create(order, { key }));
    store.insert = insert;
    clock.now += minute;
    const [{ payment }] = await Promise.all([payments.create(order, { key }), payments.settleDue()]);
    expect(sandbox.ledger.chargesFor(key)).toMatchObject([{ paymentId: payment.id }]);
  });

  test('return the payment even if its row cannot be updated, and settle the row later', async () => {
    const { payments, store, sandbox, clock, reported } = durable();
    const update = store.update.bind(store);
    store.update = () => Promise.reject(new Error('the database is away'));
    const { payment } = await payments.create(order, { key });
    expect(payment.status).toBe('waiting_payment');
    expect(reported.errors).toMatchObject([[{ message: 'the database is away' }, { during: 'update', key }]]);
    store.update = update;
    clock.now += minute;
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'settled', paymentId: payment.id });
    expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
  });

  test('do not repeat a committed update whose response was lost', async () => {
    const { payments, store, reported, clock } = durable();
    const update = store.update.bind(store);
    store.update = async (...args) => {
      await update(...args);
      throw new Error('the connection was lost at COMMIT');
    };
    await payments.create(order, { key });
    store.update = update;
    clock.now += minute;
    expect(await payments.settleDue()).toBe(0);
    expect(await payments.find(key)).toMatchObject({ state: 'settled', attempts: 1 });
    expect(reported.errors).toHaveLength(1);
  });

  test('report an error of the hook onSettled, and still settle the payment', async () => {
    const { payments, reported } = durable({
      onSettled: () => {
        throw new Error('of the shop');
      },
    });
    await payments.create(order, { key });
    await eventually(() =>
      expect(reported.errors).toMatchObject([[{ message: 'of the shop' }, { during: 'hook', key }]]),
    );
  });
});

describe('the methods that manage durable payments', () => {
  test('cancel a payment that was not executed, but not a settled one', async () => {
    const { payments, sandbox } = durable();
    await payments.enqueue(order, { key });
    expect(await payments.cancel(key)).toBe(true);
    expect(await payments.settleDue()).toBe(0);
    expect(await payments.find(key)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    await payments.create(order, { key: 'order-2' });
    for (const other of ['order-2', 'missing']) expect(await payments.cancel(other)).toBe(false);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('do not cancel a payment that may have been executed', async () => {
    const { payments, sandbox } = durable();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    await rejection(payments.create(order, { key }));
    expect(await payments.cancel(key)).toBe(false);
  });

  test('let retry send a given-up payment again, and let cancel mark it as failed', async () => {
    const { payments, sandbox, clock, reported } = durable({ giveUpAfter: minute });
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset', times: 2 });
    for (const one of [key, 'order-2']) await rejection(payments.create(order, { key: one }));
    clock.now += day;
    await payments.settleDue();
    expect(reported.givenUp).toHaveLength(2);
    expect(await payments.retry(key)).toBe(true);
    expect(await payments.cancel('order-2')).toBe(true);
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'settled' });
    expect(await payments.find('order-2')).toMatchObject({ state: 'failed' });
    expect(await payments.retry(key)).toBe(false);
    expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
  });

  test('let retry send a payment again for its own giveUpAfter, however often it is called', async () => {
    const { payments, sandbox, clock } = durable();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset', times: 9 });
    await rejection(payments.create(order, { key, giveUpAfter: minute }));
    for (const _ of ['first', 'second']) {
      clock.now += day / 2;
      await payments.settleDue();
      expect(await payments.find(key)).toMatchObject({ state: 'given_up' });
      expect(await payments.retry(key)).toBe(true);
      expect((await payments.find(key))?.deadline).toEqual(new Date(clock.now + minute));
    }
  });

  test('treat a rejected payment as never executed when `retry` sends it again', async () => {
    const { payments, sandbox } = durable();
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 400 } });
    await rejection(payments.create(order, { key }));
    expect(await payments.retry(key)).toBe(true);
    expect((await payments.settle(key)).record).toMatchObject({ state: 'settled', inDoubt: false });
  });

  test('warn that a cancelled payment may have been charged if its outcome was unknown', async () => {
    const { payments, sandbox, clock } = durable({ giveUpAfter: minute });
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    await rejection(payments.create(order, { key }));
    clock.now += day;
    await payments.settleDue();
    await payments.cancel(key);
    const error = await rejection(payments.create(order, { key }));
    expect(error).toMatchObject({ outcome: 'unknown', record: { state: 'failed', inDoubt: true } });
    expect(error.message).toContain('may have been charged. Check on the platform whether it was.');
    expect(error.message).not.toContain('not executed');
  });

  test('keep a payment’s outcome unknown, even after cancel and retry', async () => {
    const { payments, sandbox, clock } = durable({ giveUpAfter: minute });
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 400 } });
    await rejection(payments.create(order, { key }));
    clock.now += day;
    await payments.settleDue();
    expect([await payments.cancel(key), await payments.retry(key)]).toEqual([true, true]);
    expect(await payments.find(key)).toMatchObject({ state: 'unknown', inDoubt: true });
    // The payment can have been charged, so it does not count as never executed.
    expect(await payments.cancel(key)).toBe(false);
    expect(await rejection(payments.settle(key))).toMatchObject({ record: { state: 'unknown' } });
    expect((await payments.settle(key)).record.state).toBe('settled');
    expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
  });

  test('reject a call to settle with a key that has no record', async () => {
    const { payments } = durable();
    expect(await rejection(payments.settle('missing'))).toMatchObject({ code: 'payment_not_found' });
  });

  test('send a payment at once if settle is called before the next attempt is due', async () => {
    const { payments, sandbox } = durable({ retryDelay: 3_600_000 });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
    await payments.enqueue(order, { key });
    expect(await rejection(payments.settle(key))).toMatchObject({ outcome: 'unknown' });
    expect((await payments.settle(key)).payment.status).toBe('waiting_payment');
  });

  test('list payments by state and age, and count only unsettled payments', async () => {
    const { payments, clock } = durable();
    for (const one of ['b', 'a', 'c']) await payments.enqueue(order, { key: one });
    await payments.settle('c');
    clock.now += minute;
    await payments.enqueue(order, { key: 'd' });
    expect(
      (await payments.list({ state: 'recorded', olderThan: minute })).map((record) => record.key),
    ).toEqual(['a', 'b']);
    expect((await payments.list({ after: 'a', limit: 2 })).map((record) => record.key)).toEqual(['b', 'c']);
    expect(await payments.counts()).toEqual([{ state: 'recorded', count: 3, oldest: minute }]);
  });
});

test('durable payments name each invalid option in the error', async () => {
  const { payments } = durable();
  for (const [call, path] of [
    [() => payments.settleDue({ limit: 0 }), 'options.limit'],
    [() => payments.settleDue({ limt: 5 } as never), 'options.limt'],
    [() => payments.list({ state: 'paid' as never }), 'options.state'],
    [() => payments.list({ olderThan: -1 }), 'options.olderThan'],
    [() => payments.list({ after: 7 as never }), 'options.after'],
  ] as const)
    expect(await rejection(call())).toMatchObject({ name: 'ValidationError', issues: [{ path }] });
  expect((await rejection(payments.run({ concurrency: 0 }))).name).toBe('ConfigurationError');
});

test('durable payments reject a key that is not a string', async () => {
  const { payments } = durable();
  for (const call of [payments.find, payments.settle, payments.retry, payments.cancel, payments.forget])
    expect((await rejection(call({ a: 1 } as never))).name).toBe('ValidationError');
});

test('durable payments do not change a row that a later version of the package wrote', async () => {
  const store: PaymentStore = memoryPayments();
  const { payments } = durable({ store, timeout: 300 });
  const insert = store.insert.bind(store);
  store.insert = (row) => insert({ ...row, version: 2 });
  await payments.enqueue(order, { key });
  expect(await payments.settleDue()).toBe(0);
  expect(await rejection(payments.settle(key))).toMatchObject({ record: { state: 'recorded' } });
  expect([await payments.cancel(key), await payments.retry(key)]).toEqual([false, false]);
});

test('durable payments neither send nor change a settled row that a later version of the package wrote', async () => {
  const store = memoryPayments();
  const { payments, sandbox } = durable({ store });
  const { payment } = await payments.create(order, { key });
  const { find, findByPayment } = store;
  const later = (row: PaymentRow) => ({ ...row, version: 2 });
  store.find = async (...values) => {
    const row = await find.apply(store, values);
    return row && later(row);
  };
  store.findByPayment = async (...values) => (await findByPayment.apply(store, values)).map(later);
  const before = await store.find(merchant, key);
  const event = { ...payment, event: 'transaction.paid', status: 'paid', amount: 1 } as const;
  expect(await rejection(payments.observe(event))).toMatchObject({
    message: expect.stringMatching(/^The payment order-1 was recorded by a later version of this package/),
  });
  expect(await payments.refresh(key)).toMatchObject({ payment: { id: payment.id }, isCurrent: false });
  expect((await payments.create(order, { key })).payment.id).toBe(payment.id);
  expect(await payments.forget(key)).toBe(false);
  expect(sandbox.journal.requests).toHaveLength(1);
  expect(await store.find(merchant, key)).toMatchObject({ ...before, now: expect.any(Number) });
});

test('a row that a later version of the package rewrote meanwhile stays, and create returns the response', async () => {
  const store = memoryPayments();
  const { payments, sandbox } = durable({ store });
  const { update, find } = store;
  vi.spyOn(store, 'update').mockImplementationOnce(async (row, change) => {
    store.find = async (...values) => {
      const present = await find.apply(store, values);
      return present && { ...present, version: 2 };
    };
    await update.call(store, row, { ...change, state: 'unknown', payment: null, paymentId: null });
    return false;
  });
  expect((await payments.create(order, { key })).payment.id).toBe(sandbox.ledger.charges[0]?.paymentId);
  expect(await payments.find(key)).toMatchObject({ state: 'unknown', payment: undefined });
});
