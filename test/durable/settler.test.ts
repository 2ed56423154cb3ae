import { AsyncLocalStorage } from 'node:async_hooks';
import { PaymentPlatform, type WebhookEvent } from 'payment-platform';
import {
  createDurablePayments,
  memoryPayments,
  type PaymentRecord,
  type PaymentStore,
} from 'payment-platform/durable';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { durable, merchant, order, rejection } from '../support/durable.js';
import { eventually } from '../support/eventually.js';

const key = 'order-1';
const minute = 60_000;

describe('a row that was claimed too slowly', () => {
  /** Lets this many milliseconds pass for this process after each claim. */
  function claimSlowly(store: ReturnType<typeof durable>['store'], delay: number) {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const claim = store.claim.bind(store);
    store.claim = async (request) => {
      const rows = await claim(request);
      vi.advanceTimersByTime(delay);
      return rows;
    };
    return () => {
      store.claim = claim;
    };
  }

  test.each([
    ['is released and not sent if less than the timeout is left of its lease', 60, 10, 51, 0],
    ['is sent if exactly the timeout is left of its lease', 60, 10, 50, 1],
    ['is sent with a long timeout if half of its lease is left', 30, 29, 14, 1],
    ['is released with a long timeout if less than half of its lease is left', 30, 29, 16, 0],
  ] as const)('%s', async (_, lease, timeout, delay, sent) => {
    const { payments, sandbox, store, reported } = durable({
      lease: lease * 1_000,
      timeout: timeout * 1_000,
    });
    await payments.enqueue(order, { key });
    const claimQuickly = claimSlowly(store, delay * 1_000);
    await payments.settleDue();
    expect(sandbox.journal.requests).toHaveLength(sent);
    const state = sent === 0 ? 'recorded' : 'settled';
    expect(await payments.find(key)).toMatchObject({ state, inDoubt: false });
    if (sent > 0) return;
    expect((await payments.find(key))?.dueAt).toBeInstanceOf(Date);
    expect(reported.errors).toMatchObject([[{}, { during: 'claim', key }]]);
    expect(String(reported.errors[0]?.[0])).toContain('stood still');
    claimQuickly();
    await payments.settleDue();
    expect(await payments.find(key)).toMatchObject({ state: 'settled' });
  });

  test.each([
    ['the rest of its lease', {}, 20_000],
    ['the rest of giveUpAfter', { giveUpAfter: 24_000 }, 14_000],
  ] as const)('is sent with %s as its timeout, if that is shorter', async (_, options, rest) => {
    const { platform, store } = durable();
    const timeouts: unknown[] = [];
    const failing = (_payment: unknown, { timeout }: { timeout: number }) => {
      timeouts.push(timeout);
      return Promise.reject(new Error('nobody responds'));
    };
    const client = {
      merchant: platform.merchant,
      payments: { validate: platform.payments.validate, create: failing, reconcile: failing },
    };
    const payments = createDurablePayments(client as never, {
      store,
      lease: 30_000,
      timeout: 24_000,
      onError: () => undefined,
      ...options,
    });
    await payments.enqueue(order, { key });
    claimSlowly(store, 10_000);
    await payments.settleDue();
    expect(timeouts).toEqual([rest]);
  });
});

test('a durable payment sends its extra body with every attempt, and only if it has one', async () => {
  const { payments, sandbox, clock } = durable({ encryptionKeys: new Uint8Array(32) });
  const bodies = () => sandbox.journal.requests.map(({ body }) => JSON.stringify(body));
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
  await rejection(payments.create(order, { key, extraBody: { campaign_of_contract: 'natal' } }));
  clock.now += minute;
  await payments.settleDue();
  await payments.create(order, { key: 'order-2' });
  const [first, second, other] = bodies();
  expect(first).toContain('campaign_of_contract');
  expect(second).toBe(first);
  expect(other).not.toContain('campaign_of_contract');
});

test('the record that a hook receives has the time of the next attempt', async () => {
  const blocked: PaymentRecord[] = [];
  const { payments, sandbox, clock } = durable({ onBlocked: (record) => blocked.push(record) });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 401 }, times: 5 });
  await payments.enqueue(order, { key });
  await payments.settleDue();
  await eventually(() => expect(blocked).toHaveLength(1));
  const found = await payments.find(key);
  expect(found?.dueAt?.getTime()).toBeGreaterThan(clock.now);
  expect(Math.abs((blocked[0]?.dueAt?.getTime() ?? 0) - (found?.dueAt?.getTime() ?? 0))).toBeLessThan(2);
  expect(blocked[0]?.error).toMatchObject({ status: 401 });
});

test('a response without an id leaves a durable payment in doubt, although an earlier attempt was not executed', async () => {
  const { payments, sandbox, clock } = durable();
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 201, body: { status: 'paid' } } });
  await rejection(payments.create(order, { key }));
  expect(await payments.find(key)).toMatchObject({ state: 'unknown', inDoubt: true, attempts: 1 });
  clock.now += minute;
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 400 } });
  await payments.settleDue();
  expect(await payments.find(key)).toMatchObject({ state: 'unknown', inDoubt: true });
});

test('a refresh whose response has no id returns the recorded payment, and sends no more', async () => {
  const { payments, sandbox } = durable();
  const { payment } = await payments.create(order, { key });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 200, body: { status: 'paid' } } });
  expect(await payments.refresh(key)).toMatchObject({ payment: { id: payment.id }, isCurrent: false });
  expect(await payments.find(key)).toMatchObject({ payment: { status: 'waiting_payment' } });
});

test('a process without the encryption key changes no payment that it settles, observes or forgets', async () => {
  const store = memoryPayments();
  const first = durable({ store, encryptionKeys: new Uint8Array(32).fill(1) });
  const { payment } = await first.payments.create(order, { key });
  const stranger = createDurablePayments(first.platform, {
    store,
    encryptionKeys: new Uint8Array(32).fill(2),
    onError: () => undefined,
  });
  const before = await store.find(merchant, key);
  const event = {
    event: 'transaction.paid',
    id: payment.id,
    externalReference: key,
    status: 'paid',
    amount: 1990,
    paymentMethod: 'pix',
  } as unknown as WebhookEvent;
  for (const call of [() => stranger.observe(event), () => stranger.forget(key), () => stranger.settle(key)])
    expect(String((await rejection(call())).message)).toMatch(/encrypt/);
  const { now: _, ...after } = (await store.find(merchant, key)) ?? {};
  expect(before).toMatchObject(after);
});

/** Replaces the stored payment of a settled row, as a notification or an older version left it. */
async function storePayment(
  store: PaymentStore,
  payment: Readonly<Record<string, unknown>> & { readonly id: string },
  inDoubt = false,
) {
  const { revision = 0 } = (await store.find(merchant, key)) ?? {};
  const stored = { payment: JSON.stringify(payment), paymentId: payment.id };
  await store.update(
    { merchant, key, revision },
    { state: 'settled', ...stored, error: null, inDoubt, dueIn: null },
  );
}

describe('a second payment of a durable payment’s key', () => {
  const secondId = '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b';

  async function withSecond(status: string, id: string) {
    const setup = durable();
    const { payment } = await setup.payments.create(order, { key });
    const body = { ...payment, id, status };
    setup.sandbox.faults.add({ operation: 'payments.create', fault: { status: 200, body } });
    const error = await rejection(setup.payments.refresh(key, { mayCharge: true }));
    const [message] = setup.reported.errors.map(([reported]) => String(reported));
    return { ...setup, payment, error, message };
  }

  test('is reported with both ids, and the first one stays', async () => {
    const { payments, payment, error, message } = await withSecond('paid', secondId);
    expect(error).toMatchObject({ code: 'second_payment', outcome: 'unknown' });
    expect(message).toContain(`(${payment.id} and ${secondId}). The first is kept`);
    expect(await payments.find(key)).toMatchObject({ paymentId: payment.id, inDoubt: true });
  });

  test.each([
    ['waiting_payment', 'paid', 'second'],
    ['paid', 'paid', 'second'],
    ['paid', 'waiting_payment', 'first'],
    ['waiting_payment', 'a_new_status', 'first'],
    ['a_new_status', 'waiting_payment', 'second'],
  ])(
    'of a payment that only a notification settled as %s, with the status %s: the %s is kept',
    async (known, news, kept) => {
      const { payments, store, sandbox, reported } = durable();
      const { payment } = await payments.create(order, { key });
      await storePayment(store, { ...payment, status: known }, true);
      const body = { ...payment, id: secondId, status: news };
      sandbox.faults.add({ operation: 'payments.create', fault: { status: 200, body } });
      await rejection(payments.refresh(key, { mayCharge: true }));
      expect(String(reported.errors[0]?.[0])).toContain(`The ${kept} is kept`);
      expect(await payments.find(key)).toMatchObject({
        paymentId: kept === 'first' ? payment.id : secondId,
        payment: { status: kept === 'first' ? known : news },
      });
    },
  );

  test('is reported without an id that is no UUID', async () => {
    const { payment, message } = await withSecond('paid', 'ana@example.com');
    expect(message).toContain(`(${payment.id} and another id)`);
  });
});

describe('a notification about a recorded payment without an amount and a method', () => {
  const event = (fields: object) =>
    ({ event: 'transaction.paid', status: 'paid', ...fields }) as unknown as WebhookEvent;

  /** Settles a payment, and removes these fields from its row, as an older notification left it. */
  async function withoutAmount(prepare: (payments: ReturnType<typeof durable>['payments']) => unknown) {
    const setup = durable();
    const { payment } = await setup.payments.create(order, { key });
    await prepare(setup.payments);
    const stored = { id: payment.id, status: 'waiting_payment' };
    await storePayment(setup.store, stored);
    return { ...setup, id: payment.id };
  }

  test('does not match if the payload was erased', async () => {
    const { payments, reported, id } = await withoutAmount(({ forget }) => forget(key));
    expect((await payments.observe(event({ id, amount: 1990 }))).outcome).toBe('mismatch');
    expect(String(reported.errors[0]?.[0])).toContain('whose payload was erased');
  });

  test('is compared with the payload, whose amount and method stay after forget', async () => {
    const { payments, id } = await withoutAmount(() => undefined);
    expect((await payments.observe(event({ id, amount: 1 }))).outcome).toBe('mismatch');
    const matching = event({ id, amount: 1990, paymentMethod: 'pix' });
    expect((await payments.observe(matching)).outcome).toBe('applied');
    expect(await payments.forget(key)).toBe(true);
    expect((await payments.find(key))?.payment).toEqual({
      id,
      status: 'paid',
      amount: 1990,
      paymentMethod: 'pix',
    });
  });

  test('leaves its amount and method in the row after forget', async () => {
    const { payments, id } = await withoutAmount(() => undefined);
    expect(await payments.forget(key)).toBe(true);
    expect((await payments.find(key))?.payment).toEqual({
      id,
      status: 'waiting_payment',
      amount: 1990,
      paymentMethod: 'pix',
    });
  });

  test('does not match a payment that is not settled, if somebody changed its payload', async () => {
    const { payments, store, reported } = durable();
    await payments.enqueue(order, { key });
    const { findByPayment } = store;
    store.findByPayment = async (...args) =>
      (await findByPayment.apply(store, args)).map((row) => ({
        ...row,
        payload: String(row.payload).replaceAll('1990', '1991'),
      }));
    const { outcome } = await payments.observe(event({ id: 'p-9', externalReference: key }));
    expect(outcome).toBe('mismatch');
    expect(String(reported.errors[0]?.[0])).toContain('whose payload was changed');
  });
});

test('a response replaces the externalReference of a notification, without a report', async () => {
  const { payments, store, reported } = durable();
  const { payment } = await payments.create(order, { key });
  await storePayment(store, { ...payment, externalReference: 'noticed' });
  await payments.refresh(key, { mayCharge: true });
  expect(reported.errors).toEqual([]);
  expect((await payments.find(key))?.payment).toMatchObject({ externalReference: key });
});

test('a process without the key of the payload applies a notification about a payment that it can read', async () => {
  const store = memoryPayments();
  const [old, current] = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const { payments, platform } = durable({ store, encryptionKeys: old });
  const { payment } = await payments.create(order, { key });
  const about = (name: string, status: string) =>
    ({ event: name, id: payment.id, status, amount: 1990, paymentMethod: 'pix' }) as unknown as WebhookEvent;
  const rotating = createDurablePayments(platform, { store, encryptionKeys: [current, old] as never });
  expect((await rotating.observe(about('transaction.paid', 'paid'))).outcome).toBe('applied');
  const rotated = createDurablePayments(platform, { store, encryptionKeys: current });
  const { outcome, record } = await rotated.observe(about('transaction.refunded', 'refunded'));
  expect([outcome, record?.payment?.status]).toEqual(['applied', 'refunded']);
});

describe('the due payments of another client in the table', () => {
  test('are reported once, and not counted again within a minute', async () => {
    const store = memoryPayments();
    const other = durable({ store });
    const client = { clientId: 'another', clientSecret: 'another-secret' };
    const others = createDurablePayments(
      new PaymentPlatform({ ...other.sandbox.clientOptions(), ...client }),
      { store },
    );
    const { counts } = store;
    let counted = 0;
    store.counts = (...args) => {
      counted++;
      return counts.apply(store, args);
    };
    await other.payments.settleDue();
    expect(counted).toBe(1);
    await others.enqueue(order, { key });
    await other.payments.settleDue();
    expect(counted).toBe(1);
    expect(other.reported.errors).toEqual([]);
    const second = createDurablePayments(other.platform, {
      store,
      onError: (error, failure) => other.reported.errors.push([error, failure]),
    });
    for (let turn = 0; turn < 3; turn++) await second.settleDue();
    await eventually(() => expect(other.reported.errors).toHaveLength(1));
    expect(other.reported.errors).toMatchObject([[{}, { during: 'foreign' }]]);
    expect(String(other.reported.errors[0]?.[0])).toContain('1 due payments');
  });
});

test('a failure that is not of this package leaves a durable payment in doubt, without its text in the row', async () => {
  const { platform, store } = durable();
  const broken = {
    merchant: platform.merchant,
    payments: {
      validate: platform.payments.validate,
      create: () => Promise.reject(new Error('secret of Ana')),
      reconcile: () => Promise.reject(new Error('secret of Ana')),
    },
  };
  const payments = createDurablePayments(broken as never, { store, onError: () => undefined });
  await payments.enqueue(order, { key });
  await payments.settleDue();
  expect(await payments.find(key)).toMatchObject({
    state: 'unknown',
    inDoubt: true,
    error: { code: 'unexpected_error' },
  });
  expect(JSON.stringify(await store.find(merchant, key))).not.toContain('secret of Ana');
});

test.each([
  [405, 'blocked'],
  [500, 'unknown'],
  [409, 'unknown'],
])('a first attempt that gets %i ends in the state %s', async (status, state) => {
  const { payments, sandbox } = durable({ onBlocked: () => undefined });
  sandbox.faults.add({ operation: 'payments.create', fault: { status } });
  await payments.enqueue(order, { key });
  await payments.settleDue();
  expect(await payments.find(key)).toMatchObject({ state });
});

test('hooks run in the async context of createDurablePayments, and never find a caller’s transaction', async () => {
  const context = new AsyncLocalStorage<string>();
  const found: unknown[] = [];
  const find = () => found.push(context.getStore());
  const { payments, sandbox, clock } = context.run('own', () =>
    durable({ onSettled: find, onFailed: find, onBlocked: find, onError: find }),
  );
  sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 422 } });
  sandbox.faults.add({ operation: 'payments.create', nth: 3, fault: { status: 401 } });
  await context.run('a transaction', async () => {
    await payments.create(order, { key: 'settled' });
    for (const failing of ['failed', 'blocked']) await payments.enqueue(order, { key: failing });
    await payments.settleDue();
    await payments.observe({ event: 'transaction.paid', externalReference: 'blocked', id: 'a', amount: 1 });
  });
  await context.run('a worker', async () => {
    clock.now += 600_000;
    await payments.settleDue();
  });
  await eventually(() => expect(found.length).toBeGreaterThanOrEqual(4));
  expect(new Set(found)).toEqual(new Set(['own']));
});
