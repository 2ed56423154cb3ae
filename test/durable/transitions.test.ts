import { describe, expect, test } from 'vitest';
import type { Payment } from '../../src/contract/payments/types.js';
import { paymentKind } from '../../src/durable/payment-settler.js';
import { afterDamage, afterFailure, mergePayments, reopened } from '../../src/durable/transitions.js';
import { IdempotencyConflictError } from '../../src/errors/api.js';
import { ConnectionError } from '../../src/errors/network.js';
import { ValidationError } from '../../src/errors/usage.js';
import { merchantLength, type PaymentRow } from '../../src/stores/payment-row.js';

const now = 1_800_000_000_000;
const minute = 60_000;
const row: PaymentRow = {
  merchant: 'a'.repeat(merchantLength),
  key: 'order-1',
  version: 1,
  revision: 1,
  state: 'sending',
  reference: 'order-1',
  digest: 'digest',
  payload: '{}',
  payment: null,
  paymentId: null,
  error: null,
  inDoubt: false,
  attempts: 1,
  createdAt: now,
  dueAt: null,
  deadline: now + 60 * minute,
  refreshUntil: now + 120 * minute,
  now,
};
const pauses = { retryDelay: 1_000, maxRetryDelay: minute };
const failed = (status: number | undefined, more: Partial<PaymentRow> = {}) => {
  const error = new ConnectionError('rejected', { outcome: 'not-executed', status });
  return afterFailure({ ...row, ...more }, error, pauses, paymentKind);
};

describe('a payment that was certainly not executed', () => {
  test.each([
    [400, 'failed'],
    [401, 'blocked'],
    [403, 'blocked'],
    [404, 'blocked'],
    [408, 'recorded'],
    [409, 'recorded'],
    [413, 'failed'],
    [415, 'failed'],
    [422, 'failed'],
    [425, 'recorded'],
    [429, 'recorded'],
    [499, 'blocked'],
    [500, 'recorded'],
    [503, 'recorded'],
    [399, 'recorded'],
    [undefined, 'recorded'],
  ])('after the status %s is %s', (status, state) =>
    expect(failed(status)).toMatchObject({ state, inDoubt: false }),
  );

  test.each([
    new ValidationError('payments.create', [{ path: 'amount', message: 'is required' }]),
    new IdempotencyConflictError('The key was used with another payload.', { outcome: 'not-executed' }),
  ])('fails after a $name, because the payload stays the same', (error) =>
    expect(afterFailure(row, error, pauses, paymentKind)).toMatchObject({ state: 'failed', dueIn: null }),
  );
});

test('an attempt that follows one in doubt is never certain, whatever its own outcome', () => {
  expect(failed(422, { inDoubt: true })).toMatchObject({ state: 'unknown', inDoubt: true });
});

describe('the pause before the next attempt', () => {
  test.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
    [40, minute / 2, minute],
    [5_000, minute / 2, minute],
  ])('after %i attempts is from %i to %i ms', (attempts, least, most) => {
    for (let round = 0; round < 50; round++) {
      const { dueIn } = failed(503, { attempts });
      expect(dueIn).toBeGreaterThanOrEqual(least);
      expect(dueIn).toBeLessThanOrEqual(most);
    }
  });

  test('ends one millisecond after the deadline at the latest', () => {
    expect(failed(503, { deadline: now + 100 })).toMatchObject({ dueIn: 101 });
    expect(failed(503, { deadline: now - 100 })).toMatchObject({ dueIn: 1 });
  });
});

test('an error that the SDK writes itself has the class of the row’s kind', () => {
  const nameOf = (merchant: string) => JSON.parse(afterDamage({ ...row, merchant }).error ?? '').name;
  expect(nameOf(row.merchant)).toBe('DurablePaymentError');
  expect(nameOf(`${row.merchant}:withdrawals`)).toBe('DurableRequestError');
});

test('a reopened payment gets its own time again, but never more than the time of `refresh`', () => {
  expect(reopened(row)).toMatchObject({ state: 'recorded', dueIn: 0, deadlineIn: 60 * minute });
  const moved = { ...row, deadline: now + 600 * minute, inDoubt: true };
  expect(reopened(moved)).toMatchObject({ state: 'unknown', deadlineIn: 120 * minute });
  expect(reopened({ ...moved, refreshUntil: null })).toMatchObject({ deadlineIn: 600 * minute });
});

describe('two versions of a payment', () => {
  const merge = (known: object, news: object) => mergePayments(known as Payment, news as Payment);

  test.each([
    ['waiting_payment', 'paid', 'paid'],
    ['refunded', 'paid', 'refunded'],
    ['paid', 'settled_in_future', 'paid'],
    ['settled_in_future', 'paid', 'paid'],
    ['settled_in_future', 'waiting_payment', 'waiting_payment'],
    ['waiting_payment', 'settled_in_future', 'waiting_payment'],
    ['settled_in_future', 'archived_in_future', 'archived_in_future'],
  ])('with the status %s and then %s have the status %s', (known, news, status) =>
    expect(merge({ status: known }, { status: news })).toEqual({ status }),
  );

  test('keep every field: null, undefined and a string replace no object', () => {
    const pix = { qrCode: 'abc', expiresAt: 'soon' };
    expect(merge({ pix, amount: 100 }, { pix: 'gone', amount: undefined })).toEqual({ pix, amount: 100 });
    expect(merge({ pix, amount: 100 }, { pix: null, amount: null })).toEqual({ pix, amount: 100 });
    expect(merge({ pix }, { pix: { expiresAt: 'later' } })).toEqual({
      pix: { qrCode: 'abc', expiresAt: 'later' },
    });
    expect(merge({ pix: null }, { pix })).toEqual({ pix });
    expect(merge({}, JSON.parse('{"__proto__":{"a":1}}'))).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
  });

  test('are copied, so that a change of the result changes neither', () => {
    const news = { status: 'paid' };
    expect(mergePayments(undefined, news as Payment)).toEqual(news);
    expect(mergePayments(undefined, news as Payment)).not.toBe(news);
  });
});
