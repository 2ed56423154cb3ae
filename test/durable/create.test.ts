import { type PaymentPlatformError, responseOf } from 'payment-platform';
import { DurablePaymentError, type PaymentRow } from 'payment-platform/durable';
import type { FaultRule } from 'payment-platform/sandbox';
import { describe, expect, test } from 'vitest';
import { durable, merchant, order, rejection } from '../support/durable.js';

describe('payments.create of durable payments', () => {
  test.each(['a\0b', 'a\ud800b'])(
    'rejects the externalId %j, which PostgreSQL would not keep',
    async (externalId) => {
      const error = await rejection(durable().payments.create({ ...order, externalId }, { key: 'order-1' }));
      expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'externalId' }] });
    },
  );

  test('names no key of metadata in a conflict, because it can be a person', async () => {
    const { payments } = durable({ encryptionKeys: new Uint8Array(32) });
    const paid = (name: string) => payments.create({ ...order, metadata: { [name]: 1 } }, { key: 'order-1' });
    await paid('marianafigueiredo');
    const { message } = await rejection(paid('joanaprado'));
    expect(message).toContain('another metadata.');
    expect(message).not.toMatch(/joanaprado|marianafigueiredo/);
  });

  test('returns the object that responseOf knows', async () => {
    const { payments } = durable();
    const { payment } = await payments.create(order, { key: 'order-1' });
    expect(responseOf(payment)).toMatchObject({ status: 201, idempotencyKey: 'order-1' });
  });

  test('records a payment before its first byte is sent, and settles the payment with the response', async () => {
    const seen: (PaymentRow | undefined)[] = [];
    const { sandbox, payments, store, reported } = durable({
      client: {
        hooks: {
          onRequest: async ({ idempotencyKey }) => seen.push(await store.find(merchant, `${idempotencyKey}`)),
        },
      },
    });
    const { payment, record } = await payments.create(order, { key: 'order-1' });
    expect(seen).toMatchObject([{ key: 'order-1', state: 'sending', attempts: 1, inDoubt: false }]);
    expect(payment).toMatchObject({ status: 'waiting_payment', externalReference: 'order-1' });
    expect(record).toMatchObject({
      key: 'order-1',
      state: 'settled',
      externalId: 'order-1',
      paymentId: payment.id,
    });
    expect(await payments.find('order-1')).toEqual(record);
    expect(sandbox.ledger.chargesFor('order-1')).toHaveLength(1);
    expect(reported.settled).toEqual([record]);
  });

  test('sends and stores the caller’s externalId', async () => {
    const { payments } = durable();
    const { payment, record } = await payments.create({ ...order, externalId: 'cart-9' }, { key: 'order-1' });
    expect([payment.externalReference, record.externalId]).toEqual(['cart-9', 'cart-9']);
  });

  test('returns the recorded payment without a new request, even if the payload’s properties are reordered', async () => {
    const { sandbox, payments } = durable();
    const first = await payments.create(order, { key: 'order-1' });
    const turned = Object.fromEntries(Object.entries(order).reverse()) as typeof order;
    const again = await payments.create(turned, { key: 'order-1' });
    expect(again.payment).toEqual(first.payment);
    expect(await payments.enqueue(order, { key: 'order-1' })).toMatchObject({ state: 'settled' });
    expect(sandbox.journal.requests).toHaveLength(1);
  });

  test.each([
    ['amount', { ...order, amount: 2990 }, {}],
    ['clientIp', { ...order, clientIp: '203.0.113.7' }, {}],
    ['channel', order, { extraBody: { channel: 'app' } }],
    ['customer.name', { ...order, customer: { name: 'Bob' } }, {}],
    ['metadata', { ...order, metadata: { 'ana@example.com': '1', 'a\nb': '2' } }, {}],
  ])(
    'rejects the same key with another %s, names the field and sends no request',
    async (field, payment, options) => {
      const { sandbox, payments } = durable({ encryptionKeys: new Uint8Array(32) });
      await payments.create(order, { key: 'order-1' });
      for (const call of [payments.create, payments.enqueue] as ((
        ...args: Parameters<typeof payments.enqueue>
      ) => Promise<unknown>)[]) {
        const error = await rejection(call(payment, { key: 'order-1', ...options }));
        expect(error).toMatchObject({
          name: 'IdempotencyConflictError',
          outcome: 'not-executed',
          idempotencyKey: 'order-1',
        });
        expect(error.message).toBe(
          `The key order-1 was recorded with another ${field}. Its state is settled. Nothing was sent now. The recorded payment may exist. A new key charges again, so refund the recorded payment first, or keep the order as it was.`,
        );
      }
      expect(sandbox.journal.requests).toHaveLength(1);
    },
  );

  test('makes one charge for two simultaneous calls with one key, and each call returns the payment', async () => {
    const { sandbox, payments } = durable();
    const [one, other] = await Promise.all([
      payments.create(order, { key: 'order-1' }),
      payments.create(order, { key: 'order-1' }),
    ]);
    expect(one.payment.id).toBe(other.payment.id);
    expect(sandbox.journal.requests).toHaveLength(1);
  });

  test.each<[string, FaultRule['fault'], string, string]>([
    ['a 400', { status: 400 }, 'failed', 'not-executed'],
    ['a 422', { status: 422 }, 'failed', 'not-executed'],
    ['a 401', { status: 401 }, 'blocked', 'unknown'],
    ['a 403', { status: 403 }, 'blocked', 'unknown'],
    ['a 429', { status: 429 }, 'recorded', 'unknown'],
    ['a 409', { status: 409 }, 'unknown', 'unknown'],
    ['a 500', { status: 500 }, 'unknown', 'unknown'],
    ['a 413', { status: 413 }, 'failed', 'not-executed'],
    ['a 404 of a gateway', { status: 404 }, 'blocked', 'unknown'],
    ['a 405', { status: 405 }, 'blocked', 'unknown'],
    ['a 421', { status: 421 }, 'blocked', 'unknown'],
    ['a broken connection', 'reset', 'unknown', 'unknown'],
    ['a truncated response', 'truncate', 'unknown', 'unknown'],
    ['an empty response', 'empty', 'unknown', 'unknown'],
  ])('records the payment’s state and outcome after %s', async (_, fault, state, outcome) => {
    const { sandbox, payments } = durable();
    sandbox.faults.add({ operation: 'payments.create', fault, times: 9 });
    const error = await rejection(payments.create(order, { key: 'order-1' }));
    expect(error).toBeInstanceOf(DurablePaymentError);
    expect(error).toMatchObject({ code: 'payment_not_settled', outcome, record: { state } });
    expect((error.cause as PaymentPlatformError).name).toBe(
      (error as unknown as DurablePaymentError).record?.error?.name,
    );
    expect(await payments.find('order-1')).toMatchObject({
      state,
      attempts: 1,
      inDoubt: state === 'unknown',
    });
  });

  test('rejects with the outcome unknown as long as the recorded payment can still be sent', async () => {
    const { sandbox, payments } = durable();
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 429 }, times: 9 });
    const error = await rejection(payments.create(order, { key: 'order-1' }));
    expect(error).toMatchObject({ outcome: 'unknown', record: { state: 'recorded' } });
    expect(error.message).toContain('Cancel it before you use another key.');
    expect(await payments.cancel('order-1')).toBe(true);
    expect(await rejection(payments.settle('order-1'))).toMatchObject({ outcome: 'not-executed' });
    sandbox.faults.clear();
    await payments.settleDue();
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test('reports a response whose amount differs from the payload, and returns the payment', async () => {
    const { sandbox, payments, reported } = durable();
    const paid = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', status: 'paid', externalReference: 'order-1' };
    for (const [other, key] of [
      [{ amount: 100, paymentMethod: 'pix' }, 'order-1'],
      [{ amount: 1990, paymentMethod: 'boleto' }, 'order-2'],
    ] as const) {
      const body = { ...paid, ...other, externalReference: key };
      sandbox.faults.add({ operation: 'payments.create', fault: { status: 200, body } });
      expect((await payments.create(order, { key })).payment).toMatchObject(other);
      expect(reported.errors.pop()).toMatchObject([
        { message: expect.stringContaining('another amount or method than its payload') },
        { during: 'conflict', key },
      ]);
    }
  });

  test.each([{}, { id: '' }, { id: 7 }, { id: null, status: 'paid' }, { error: 'x' }])(
    'leaves the outcome unknown after a response without a payment id: %j',
    async (body) => {
      const { sandbox, payments } = durable();
      sandbox.faults.add({
        operation: 'payments.create',
        phase: 'after-commit',
        fault: { status: 201, body },
      });
      expect(await rejection(payments.create(order, { key: 'order-1' }))).toMatchObject({
        outcome: 'unknown',
        record: { state: 'unknown', error: { code: 'answer_without_id' } },
      });
      expect((await payments.settle('order-1')).payment.status).toBe('waiting_payment');
      expect(sandbox.ledger.charges).toHaveLength(1);
    },
  );

  test.each([
    [{ ...order, externalId: '' }, {}],
    [{ ...order, externalId: 'a\0b' }, {}],
    [order, { extraBody: { externalId: 'another' } }],
  ])('rejects an externalId that could not match any notification', async (payment, options) => {
    const { payments } = durable({ encryptionKeys: new Uint8Array(32) });
    const error = await rejection(payments.create(payment, { key: 'order-1', ...options }));
    expect(error.message).toMatch(/externalId must be/);
    expect(await payments.list()).toEqual([]);
  });

  test.each([undefined, {}, { key: undefined }])(
    'rejects the options %j with an error that asks for the key',
    async (options) => {
      const { payments } = durable();
      const error = await rejection(payments.create(order, options as never));
      expect(error.message).toBe(
        'The durable payment: options.key is required. Pass the idempotency key, such as your order number. Nothing was sent.',
      );
    },
  );

  test('settles a payment with an unknown outcome in a second call, with only one charge', async () => {
    const { sandbox, payments } = durable();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    await rejection(payments.create(order, { key: 'order-1' }));
    const { payment } = await payments.create(order, { key: 'order-1' });
    expect(sandbox.ledger.chargesFor('order-1')).toMatchObject([{ paymentId: payment.id }]);
  });

  test('keeps the outcome unknown if the platform rejects a retry after a lost response', async () => {
    const { sandbox, payments } = durable();
    sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 400 } });
    await rejection(payments.create(order, { key: 'order-1' }));
    expect(await rejection(payments.create(order, { key: 'order-1' }))).toMatchObject({
      outcome: 'unknown',
      record: { state: 'unknown', error: { status: 400 } },
    });
    expect((await payments.settle('order-1')).record.state).toBe('settled');
    expect(sandbox.ledger.chargesFor('order-1')).toHaveLength(1);
  });

  test.each([
    ['a missing key', {}],
    ['an empty key', { key: '' }],
    ['a key made from a missing value', { key: `order-${undefined}` }],
    ['a key with a line break', { key: 'order\n1' }],
    ['a key with non-ASCII characters', { key: 'pedido-ação' }],
    ['a key that is too long', { key: 'k'.repeat(256) }],
    ['an unknown option', { key: 'order-1', idempotencyKey: 'order-1' }],
    ['missing options', undefined],
  ])('rejects %s, and records nothing', async (_, options) => {
    const { payments, sandbox } = durable();
    for (const call of [payments.create, payments.enqueue] as ((
      ...args: Parameters<typeof payments.enqueue>
    ) => Promise<unknown>)[])
      expect((await rejection(call(order, options as never))).name).toBe('ValidationError');
    expect([await payments.list(), sandbox.journal.requests]).toEqual([[], []]);
  });

  test('rejects the option client, because the row must be committed before the payment is sent', async () => {
    const { payments, sandbox } = durable();
    const error = await rejection(payments.create(order, { key: 'order-1', client: {} } as never));
    expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'options.client' }] });
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('rejects a split rule with an undefined field, with and without a record', async () => {
    const { payments, platform, sandbox } = durable();
    const split = [
      { recipient: 'a', amount: 1_000 },
      { recipient: 'b', amount: undefined },
    ];
    for (const call of [
      payments.create({ ...order, split }, { key: 'order-1' }),
      payments.enqueue({ ...order, split }, { key: 'order-1' }),
      platform.payments.create({ ...order, externalId: 'order-1', split }),
    ])
      expect(await rejection(call)).toMatchObject({
        name: 'ValidationError',
        issues: [{ path: 'split.1.amount', check: 'field.undefined' }],
      });
    expect([await payments.list(), sandbox.journal.requests]).toEqual([[], []]);
  });

  test('rejects a payment that breaks a documented rule, and records nothing', async () => {
    const { payments } = durable();
    const error = await rejection(payments.enqueue({ ...order, amount: 50 }, { key: 'order-1' }));
    expect(error).toMatchObject({ name: 'ValidationError', issues: [{ path: 'amount' }] });
    expect(await payments.list()).toEqual([]);
  });

  test('ignores changes that the caller makes to the payment after the call', async () => {
    const { payments, sandbox } = durable();
    const mine = structuredClone(order);
    const call = payments.create(mine, { key: 'order-1' });
    mine.amount = 99_900;
    await call;
    expect(sandbox.ledger.charges).toMatchObject([{ amount: 1990 }]);
  });
});

test('a lost response is recorded with the advice for durable payments, and logged with the attempts and the reason', async () => {
  const { payments, sandbox } = durable();
  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
  const error = await rejection(payments.create(order, { key: 'order-1' }));
  const { message } = (await payments.find('order-1'))?.error ?? {};
  expect(message).toContain('`run` and `settle` send it again with the same key.');
  expect(message).not.toContain('reconcile');
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    code: 'payment_not_settled',
    idempotencyKey: 'order-1',
    state: 'unknown',
    attempts: 1,
    reason: 'connection_failed',
  });
});

test.each(['create', 'enqueue'] as const)(
  '%s rejects with the error of a getter of the order, unchanged',
  async (method) => {
    const { payments } = durable();
    const own = new RangeError('mine');
    const broken = Object.defineProperty({ ...order }, 'amount', {
      enumerable: true,
      get: () => {
        throw own;
      },
    });
    expect(await rejection(payments[method](broken, { key: 'order-1042' }))).toBe(own);
  },
);
