import { inspect } from 'node:util';
import type { DurablePaymentError, PaymentRow } from 'payment-platform/durable';
import { describe, expect, test } from 'vitest';
import { createSealer } from '../../src/auth/sealed-text.js';
import { shapes } from '../../src/contract/generated/shapes.js';
import { listSecretPaths } from '../../src/contract/runtime-schema.js';
import { RowCodec } from '../../src/durable/payload.js';
import { columnNames } from '../../src/stores/payment-columns.js';
import { durable, merchant, observed, order, rejection } from '../support/durable.js';
import { openCard } from '../support/payments.js';

const key = 'order-1';
const keys = [new Uint8Array(32).fill(7)];
const card = { ...order, paymentMethod: 'credit_card', customer: undefined } as const;
const vault = { ...card, card: { cardTokenId: 'tok_1' } } as const;

describe('the row of a durable payment', () => {
  test.each([
    ['card.number', openCard, {}],
    ['card.cvv', { ...vault, card: { cardTokenId: 'tok_1', cvv: '737' } }, {}],
    ['card.number', vault, { extraBody: { card: { number: '4111111111111111' } } }],
    ['card.cvv', vault, { extraBody: { anything: { deep: [{ cvv: '737' }] } } }],
  ])(
    'never includes %s, even with encryption, and the error suggests tokenising the card',
    async (path, payment, options) => {
      for (const encryption of [{}, { encryptionKeys: keys }]) {
        const { payments } = durable(encryption);
        const error = await rejection(payments.create(payment as never, { key, ...options }));
        expect(error.name).toBe('ValidationError');
        expect(error.message).toContain(
          `${path} must not be stored. Tokenize the card first (vault.tokenize)`,
        );
        expect(await payments.list()).toEqual([]);
      }
    },
  );

  test.each([
    ['wallet', { ...card, wallet: { token: 'of Apple Pay' } }],
    ['threeDSData', { ...vault, threeDSData: { cavv: 'once' } }],
  ])('includes %s only with encryption', async (path, payment) => {
    const plain = durable();
    const error = await rejection(plain.payments.create(payment as never, { key }));
    expect(error.message).toContain(`${path} is not stored unencrypted. Set the option encryptionKeys`);
    const { payments, store } = durable({ encryptionKeys: keys });
    await payments.enqueue(payment as never, { key });
    expect((await store.find(merchant, key))?.payload).not.toMatch(/token|cavv|credit_card/);
  });

  test.each([
    ['creditCard', { ...order, creditCard: { number: '4111111111111111' } }, {}],
    ['card.imprint', { ...vault, card: { cardTokenId: 'tok_1', imprint: '4111111111111111' } }, {}],
    ['items.0.card', { ...order, items: [{ ...order.items[0], card: '4111111111111111' }] }, {}],
    ['walletBlock', order, { extraBody: { walletBlock: {} } }],
  ])('includes %s, which is not in the API docs, only with encryption', async (path, payment, options) => {
    const plain = durable();
    const error = await rejection(plain.payments.enqueue(payment as never, { key, ...options }));
    expect(error.message).toContain(`${path} is not in the API docs, so it is not stored unencrypted`);
    const { payments, store } = durable({ encryptionKeys: keys });
    await payments.enqueue(payment as never, { key, ...options });
    expect((await store.find(merchant, key))?.payload).not.toMatch(/4111|wallet/);
  });

  test('includes metadata, split rules and the owner even without encryption', async () => {
    const { payments } = durable();
    const free = {
      metadata: { a: { b: 1 } },
      split: [{ any: 1 }],
      subMerchant: { document: { number: '52998224725', type: 'cpf' } },
    };
    expect(await payments.enqueue({ ...order, ...free }, { key })).toMatchObject({ state: 'recorded' });
  });

  test('is shown without its tokens until it is erased', async () => {
    const { payments } = durable({ encryptionKeys: keys });
    await payments.enqueue(vault as never, { key, extraBody: { threeDSData: { cavv: 'once' }, wave: 2 } });
    expect(await payments.findPayload(key)).toMatchObject({ amount: order.amount, card: {}, wave: 2 });
    expect(JSON.stringify(await payments.findPayload(key))).not.toMatch(/tok_1|cavv/);
    expect(await payments.findPayload('another')).toBeUndefined();
    await payments.cancel(key);
    await payments.forget(key);
    expect(await payments.findPayload(key)).toBeUndefined();
  });

  test('that was recorded without encryption can be read without keys after a process with keys settled it', async () => {
    const { payments, store } = durable();
    await payments.enqueue(order, { key });
    const operator = durable({ store, encryptionKeys: keys });
    await operator.payments.settle(key);
    const { payments: again } = durable({ store });
    expect((await again.find(key))?.payment).toMatchObject({ amount: order.amount });
    await operator.payments.forget(key);
    expect((await again.find(key))?.payment).toMatchObject({ amount: order.amount });
  });

  test('is shown neither without the key nor after a change', async () => {
    const { payments, store } = durable({ encryptionKeys: keys });
    await payments.enqueue(order, { key });
    const find = store.find.bind(store);
    store.find = async (...args) => ({ ...(await find(...args)), digest: 'another' }) as never;
    await expect(payments.findPayload(key)).rejects.toThrow('is not the recorded one');
    const stranger = durable({ store, encryptionKeys: new Uint8Array(32).fill(9) });
    await expect(stranger.payments.findPayload(key)).rejects.toThrow('a key that this process does not have');
  });

  test('has a storage rule for each of a payment’s six secret fields', () => {
    const { request } = shapes['payments.create'];
    expect(request && listSecretPaths(request)).toEqual([
      'card.number',
      'card.cvv',
      'card.cardTokenId',
      'card.upsellToken',
      'wallet',
      'threeDSData',
    ]);
  });

  test('contains no customer data if it is encrypted, and a new encryption key can replace the old one', async () => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const first = durable({ encryptionKeys: older });
    await first.payments.create(order, { key });
    const row = await first.store.find(merchant, key);
    expect(JSON.stringify(row)).not.toContain('Ana');
    const rotated = durable({ store: first.store, encryptionKeys: [newer, older] });
    expect((await rotated.payments.find(key))?.payment).toMatchObject({ customer: { name: 'Ana Souza' } });
    const lost = durable({ store: first.store, encryptionKeys: newer });
    expect(await rejection(lost.payments.settle(key))).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('cannot be read'),
    });
    // The worker does not overwrite a row that it cannot read.
    const id = first.sandbox.ledger.charges[0]?.paymentId;
    const event = { event: 'transaction.paid', id } as never;
    for (const call of [() => observed(lost.payments, event), () => lost.payments.forget(key)])
      expect((await rejection(call())).message).toContain(
        'encrypted with a key that this process does not have',
      );
    expect((await observed(first.payments, event))?.payment).toMatchObject({
      customer: { name: 'Ana Souza' },
    });
  });

  test('stays recorded if a process cannot decrypt it, and another process then settles it', async () => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const first = durable({ encryptionKeys: [newer, older] });
    await first.payments.enqueue(order, { key });
    const late = durable({ store: first.store, encryptionKeys: older });
    await late.payments.settleDue();
    expect(await late.payments.find(key)).toMatchObject({
      state: 'recorded',
      error: { code: 'payload_unreadable' },
    });
    expect(late.reported.errors).toMatchObject([[{}, { during: 'read', key }]]);
    expect(await first.payments.settle(key)).toMatchObject({ record: { state: 'settled', inDoubt: false } });
    expect(late.sandbox.journal.requests).toEqual([]);
  });

  test.each([
    ['failed, if it was never sent', false, 'failed'],
    ['given up, if it may have been charged', true, 'given_up'],
  ])('that no process can decrypt ends at its deadline as %s (row 80)', async (_, isSent, state) => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const first = durable({ encryptionKeys: older });
    if (isSent) {
      first.sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      await rejection(first.payments.create(order, { key }));
    } else await first.payments.enqueue(order, { key });
    const late = durable({ store: first.store, encryptionKeys: newer });
    first.clock.now += 25 * 3_600_000;
    await late.payments.settleDue();
    expect(await late.payments.find(key)).toMatchObject({ state });
    expect(late.sandbox.journal.requests).toEqual([]);
  });

  test('makes observe reject if the process cannot decrypt it, so that the platform resends the notification', async () => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const first = durable({ encryptionKeys: [newer, older] });
    first.sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
    await rejection(first.payments.create(order, { key }));
    const id = first.sandbox.ledger.charges[0]?.paymentId;
    const event = { event: 'transaction.paid', id, externalReference: key, amount: order.amount } as const;
    const late = durable({ store: first.store, encryptionKeys: older });
    expect((await rejection(late.payments.observe(event as never))).message).toContain('does not have');
    expect(await observed(first.payments, event as never)).toMatchObject({ state: 'settled', paymentId: id });
  });

  test('is not sent if the payload was changed or cannot be parsed, but counts as given up (row 80)', async () => {
    for (const change of [
      (text: string) => text.replace('1990', '9990'),
      () => 'no JSON',
      () => '[]',
      () => '',
      () => `{"payment":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ]) {
      const { payments, store, reported, sandbox } = durable();
      await payments.enqueue(order, { key });
      const find = store.claim.bind(store);
      store.claim = async (claim) =>
        (await find(claim)).map((row) => ({ ...row, payload: change(row.payload ?? '') }));
      expect(await payments.settleDue()).toBe(1);
      expect(reported.givenUp).toMatchObject([{ key, error: { code: 'payload_changed' } }]);
      expect(sandbox.journal.requests).toEqual([]);
    }
  });

  test('cannot be decrypted as the row of a withdrawal, whatever its key is', async () => {
    const sealer = createSealer('test', keys);
    const { payload } = await new RowCodec(sealer, '').encodePayload('withdrawals:w-1', { amount: 1 });
    const row = { key: 'w-1', payload } as PaymentRow;
    expect(await new RowCodec(sealer, ':withdrawals').readPayload(row)).toBe('unreadable');
  });

  test('does not let a reader of the table guess a document number, if it is encrypted', async () => {
    const { payments, store } = durable({ encryptionKeys: keys });
    await payments.create(order, { key });
    const plain = durable();
    await plain.payments.create(order, { key });
    const digest = (await plain.store.find(merchant, key))?.digest;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const isForgotten of [false, true]) {
      if (isForgotten) expect(await payments.forget(key)).toBe(true);
      expect(JSON.stringify(await store.find(merchant, key))).not.toContain(digest);
      expect((await payments.create(order, { key })).record.state).toBe('settled');
      expect((await rejection(payments.create({ ...order, amount: 100 }, { key }))).name).toBe(
        'IdempotencyConflictError',
      );
    }
    const other = durable({ store, encryptionKeys: new Uint8Array(32).fill(9) });
    expect(await rejection(other.payments.create(order, { key }))).toMatchObject({
      code: 'payment_store_failed',
      message: expect.stringContaining('a key that this process does not have'),
    });
  });

  test('is in no enumerable property of an error, which loggers write', async () => {
    const { payments } = durable();
    await payments.enqueue(order, { key });
    await payments.cancel(key);
    const error = await rejection(payments.settle(key));
    expect(error).toMatchObject({ code: 'payment_not_settled' });
    expect((error as unknown as DurablePaymentError).record?.state).toBe('failed');
    expect(Object.keys(error)).not.toContain('record');
  });

  test('loses its payload and customer through forget, but only in a final state', async () => {
    const { payments, store, sandbox } = durable();
    await payments.enqueue(order, { key });
    expect(await payments.forget(key)).toBe(false);
    await payments.settleDue();
    expect(await payments.forget(key)).toBe(true);
    expect(JSON.stringify(await store.find(merchant, key))).not.toContain('Ana');
    const { payment } = await payments.create(order, { key });
    const kept = { id: payment.id, amount: 1990, paymentMethod: 'pix' };
    expect(payment).toEqual({ ...kept, status: 'waiting_payment' });
    expect((await rejection(payments.create({ ...order, amount: 100 }, { key }))).name).toBe(
      'IdempotencyConflictError',
    );
    expect(sandbox.ledger.charges).toHaveLength(1);
    expect(await payments.forget('another')).toBe(false);
    // A later notification does not restore the customer.
    const event = {
      event: 'transaction.paid',
      id: payment.id,
      status: 'paid',
      customer: { name: 'Ana Souza' },
    };
    expect((await observed(payments, event as never))?.payment).toEqual({ ...kept, status: 'paid' });
    expect(JSON.stringify(await store.find(merchant, key))).not.toContain('Ana');
  });

  test('can be erased if the payment failed, but not if a given-up payment’s outcome is unknown', async () => {
    const { payments, clock, sandbox } = durable({ giveUpAfter: 60_000 });
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 500 } });
    sandbox.faults.add({ operation: 'payments.create', nth: 2, fault: { status: 400 } });
    for (const one of ['doubtful', 'refused']) await rejection(payments.create(order, { key: one }));
    clock.now += 120_000;
    await payments.settleDue();
    expect([await payments.forget('doubtful'), await payments.forget('refused')]).toEqual([false, true]);
    expect([await payments.retry('doubtful'), await payments.retry('refused')]).toEqual([true, false]);
  });

  test('is not shown even if the details of a database error contain it', async () => {
    const { payments, store } = durable();
    store.insert = () => {
      const detail = 'Failing row contains (order-1, {"payment":{"customer":{"name":"Ana Souza"}}})';
      throw Object.assign(new Error('null value in column "x" violates not-null constraint'), {
        code: '23502',
        detail,
        parameters: ['Ana Souza'],
      });
    };
    const error = await rejection(payments.create(order, { key }));
    expect(error.cause).toMatchObject({ name: 'StoreError', code: '23502' });
    expect(error.message).toBe(
      'PostgreSQL: null value in column "x" violates not-null constraint (23502). Call create again with the same key (order-1) and payload.',
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('Ana');
    expect(await rejection(payments.enqueue(order, { key }))).toMatchObject({ code: 'payment_store_failed' });
  });

  test('is hidden in the message of a database error, as is the database’s password', async () => {
    const { payments, store } = durable();
    store.insert = () => {
      throw new Error('connect to postgres://shop:hunter2@10.0.0.5/db failed; row: Ana Souza 52998224725');
    };
    const error = await rejection(payments.create(order, { key }));
    expect((error.cause as Error).message).toBe(
      'connect to postgres://[redacted]@10.0.0.5/db failed; row: [redacted] [redacted]',
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/hunter2|Souza|529982/);
  });
});

test('no call of durable payments shows the details of a database error, which can contain a row', async () => {
  const { payments, store, reported } = durable();
  await payments.enqueue(order, { key });
  const fails = () =>
    Promise.reject(
      Object.assign(new Error('duplicate key value violates unique constraint'), {
        code: '23505',
        detail: 'Key (name)=(Maria Silva) already exists.',
      }),
    );
  for (const step of [
    'insert',
    'find',
    'findByPayment',
    'claim',
    'update',
    'erase',
    'list',
    'counts',
  ] as const)
    store[step] = fails as never;
  const event = { event: 'transaction.paid', id: 'p-1', externalId: key, status: 'paid' } as const;
  for (const call of [
    () => payments.create(order, { key }),
    () => payments.enqueue(order, { key }),
    () => payments.settle(key),
    () => payments.refresh(key),
    () => payments.settleDue(),
    () => observed(payments, event as never),
    () => payments.find(key),
    () => payments.list(),
    () => payments.counts(),
    () => payments.cancel(key),
    () => payments.retry(key),
    () => payments.forget(key),
  ]) {
    const error = await rejection(call());
    expect(inspect([error, reported], { depth: 9, showHidden: true })).not.toContain('Silva');
    expect(inspect(error, { depth: 9, showHidden: true })).toContain('23505');
  }
});

describe('an error of durable payments shows a database’s message without customer data', () => {
  const table = 'payment_platform_payments';
  test.each([
    ...columnNames.flatMap((column) => [
      `column "${column}" does not exist`,
      `column "${column}" of relation "${table}" does not exist`,
      `null value in column "${column}" of relation "${table}" violates not-null constraint`,
      `no such column: ${column}`,
      `table ${table} has no column named ${column}`,
      `NOT NULL constraint failed: ${table}.${column}`,
    ]),
    `relation "${table}" does not exist`,
    `permission denied for table ${table}`,
    `no such table: ${table}`,
    'attempt to write a readonly database',
    'cannot execute INSERT in a read-only transaction',
    'database is locked',
    'disk I/O error',
    'remaining connection slots are reserved for roles with the SUPERUSER attribute',
    'sorry, too many clients already',
    'terminating connection due to administrator command',
    'canceling statement due to statement timeout',
    'deadlock detected',
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
  ])('such as %s', async (message) => {
    const { payments, store } = durable();
    store.find = () => Promise.reject(new Error(message));
    const error = await rejection(payments.find(key));
    expect(error.message).toContain(message);
  });
});

test('encryptionKeys of an unset variable are rejected, because payloads would be stored in plain text', () => {
  expect(() => durable({ encryptionKeys: process.env.NOT_SET })).toThrow(
    'createDurablePayments: encryptionKeys is undefined, so payloads would not be encrypted. Pass the keys, or leave the option out.',
  );
  expect(() => durable({})).not.toThrow();
});
