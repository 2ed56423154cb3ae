import { describe, expect, test } from 'vitest';
import { testCards, testWalletTokens } from '../../index.js';
import { openCard, pay, sandboxForTest } from '../support.js';

const walletPayment = (wallet: object) => {
  const { card: _, ...rest } = openCard(testCards.approved, { wallet });
  return rest;
};

describe('a wallet payment', () => {
  test.each([
    [testWalletTokens.approved, 'paid'],
    [testWalletTokens.refused, 'refused'],
    [testWalletTokens.inAnalysis, 'in_analysis'],
    ['any other token', 'paid'],
  ])('with %s in any field is %s', async (token, status) => {
    const sandbox = sandboxForTest();
    for (const wallet of [
      { token },
      { type: 'apple_pay', paymentData: { version: 'EC_v1', data: [{ deep: token }] } },
      { [token]: token },
    ]) {
      const reply = await pay(sandbox, walletPayment(wallet));
      expect(reply.status).toBe(201);
      expect(reply.body.status).toBe(status);
      expect(reply.body.card).toEqual({ wallet: { type: 'apple_pay' } });
      expect(reply.body.refusalReason !== undefined).toBe(status === 'refused');
    }
  });

  test('in analysis is approved or declined by control.payments', async () => {
    const sandbox = sandboxForTest();
    const wallet = { token: testWalletTokens.inAnalysis };
    const { body } = await pay(sandbox, walletPayment(wallet), 'key');
    expect(sandbox.control.payments.pay(String(body.id)).status).toBe('paid');
    expect((await pay(sandbox, walletPayment(wallet), 'key')).body).not.toHaveProperty('upsell');
    const other = await pay(sandbox, walletPayment(wallet));
    expect(sandbox.control.payments.refuse(String(other.body.id)).status).toBe('refused');
  });

  test('causes a 409 for its idempotency key while its outcome is unknown', async () => {
    const sandbox = sandboxForTest();
    const body = walletPayment({ token: testWalletTokens.unknown });
    expect((await pay(sandbox, body, 'key')).status).toBe(502);
    expect((await pay(sandbox, body, 'key')).status).toBe(409);
    sandbox.control.payments.resolve('key', 'created');
    expect((await pay(sandbox, body, 'key')).body.status).toBe('paid');
  });

  test('with two test tokens has the outcome of the first one', async () => {
    const { refused, inAnalysis } = testWalletTokens;
    const reply = await pay(sandboxForTest(), walletPayment({ a: { b: refused }, c: inAnalysis }));
    expect(reply.body.status).toBe('refused');
  });

  test('has the outcome of its test token even if 50,000 other values precede the token', async () => {
    const list = Array.from({ length: 50_000 }, () => 1);
    const reply = await pay(sandboxForTest(), walletPayment({ list, token: testWalletTokens.refused }));
    expect(reply.body.status).toBe('refused');
  });
});
