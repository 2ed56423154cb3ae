import { describe, expect, test } from 'vitest';
import { shapes } from '../../src/contract/generated/shapes.js';
import { secretPaths } from '../../src/contract/shape.js';
import { durable, order, rejection } from '../support/durable.js';
import { openCard } from '../support/payments.js';

const key = 'order-1';
const keys = [new Uint8Array(32).fill(7)];
const card = { ...order, paymentMethod: 'credit_card', customer: undefined } as const;
const vault = { ...card, card: { cardTokenId: 'tok_1' } } as const;

describe('what is stored', () => {
  test.each([
    ['card.number', openCard, {}],
    ['card.cvv', { ...vault, card: { cardTokenId: 'tok_1', cvv: '737' } }, {}],
    ['card.number', vault, { extraBody: { card: { number: '4111111111111111' } } }],
    ['card.cvv', vault, { extraBody: { anything: { deep: [{ cvv: '737' }] } } }],
  ])('%s is refused with what to do instead, with and without encryption', async (path, payment, options) => {
    for (const encryptionKeys of [undefined, keys]) {
      const { payments } = durable({ encryptionKeys });
      const error = await rejection(payments.create(payment as never, { key, ...options }));
      expect(error.name).toBe('ValidationError');
      expect(error.message).toContain(
        `${path}: must not be stored: tokenize the card first (vault.tokenize)`,
      );
      expect(await payments.list()).toEqual([]);
    }
  });

  test.each([
    ['wallet', { ...card, wallet: { token: 'of Apple Pay' } }],
    ['threeDSData', { ...vault, threeDSData: { cavv: 'once' } }],
  ])('%s is stored with encryption only', async (path, payment) => {
    const plain = durable();
    const error = await rejection(plain.payments.create(payment as never, { key }));
    expect(error.message).toContain(
      `${path}: may be used once, so it is not stored in the clear: give the option encryptionKeys`,
    );
    const { payments, store } = durable({ encryptionKeys: keys });
    await payments.enqueue(payment as never, { key });
    expect((await store.find(key))?.payload).not.toMatch(/token|cavv|credit_card/);
  });

  test('every secret field of a payment is refused, encrypted or a token of the platform', () => {
    const { request } = shapes['payments.create'];
    expect(request && secretPaths(request)).toEqual([
      'card.number',
      'card.cvv',
      'card.cardTokenId',
      'card.upsellToken',
      'wallet',
      'threeDSData',
    ]);
  });

  test('with keys nothing of the payer is in the row, and another key reads it while one replaces the other', async () => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const first = durable({ encryptionKeys: older });
    await first.payments.create(order, { key });
    const row = await first.store.find(key);
    expect(JSON.stringify(row)).not.toContain('Ana');
    const rotated = durable({ store: first.store, encryptionKeys: [newer, older] });
    expect((await rotated.payments.find(key))?.payment).toMatchObject({ customer: { name: 'Ana Souza' } });
    const lost = durable({ store: first.store, encryptionKeys: newer });
    expect(await rejection(lost.payments.settle(key))).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('cannot be read'),
    });
  });

  test('a payload that was changed by hand, or cannot be decrypted, is given up and not sent (row 80)', async () => {
    for (const change of [
      (text: string) => text.replace('1990', '9990'),
      () => 'no JSON',
      () => '[]',
      () => '',
    ]) {
      const { payments, store, told, sandbox } = durable();
      await payments.enqueue(order, { key });
      const find = store.claim.bind(store);
      store.claim = async (claim) =>
        (await find(claim)).map((row) => ({ ...row, payload: change(row.payload ?? '') }));
      expect(await payments.settleDue()).toBe(1);
      expect(told.givenUp).toMatchObject([{ key, error: { code: 'payload_changed' } }]);
      expect(sandbox.journal.requests).toEqual([]);
    }
  });

  test('forget erases what was sent and the payer, keeps the key taken, and waits for the end', async () => {
    const { payments, store, sandbox } = durable();
    await payments.enqueue(order, { key });
    expect(await payments.forget(key)).toBe(false);
    await payments.settleDue();
    expect(await payments.forget(key)).toBe(true);
    expect(JSON.stringify(await store.find(key))).not.toContain('Ana');
    const { payment } = await payments.create(order, { key });
    expect(payment).toEqual({ id: expect.any(String), status: 'waiting_payment' });
    expect((await rejection(payments.create({ ...order, amount: 100 }, { key }))).name).toBe(
      'IdempotencyConflictError',
    );
    expect(sandbox.ledger.charges).toHaveLength(1);
    expect(await payments.forget('another')).toBe(false);
  });
});
