import { describe, expect, test } from 'vitest';
import { type Sandbox, testCards, testCardTokens } from '../../index.js';
import { toStoredCard } from '../../payments/cards.js';
import { keyNo, openCard, pay, sandboxForTest, withCard } from '../support.js';

/** Computes the checksum that every card number satisfies. */
function luhn(number: string): number {
  const digits = [...number].reverse().map((digit, index) => Number(digit) * (1 + (index % 2)));
  return digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10;
}

test.each(Object.entries(testCards))('the test card "%s" passes the Luhn check', (_, number) => {
  expect(luhn(number)).toBe(0);
});

test.each([
  ['4111 1111 1111 1111', 'visa', '1111'],
  ['4011780000000009', 'elo', '0009'],
  ['5067000000000005', 'elo', '0005'],
  ['6362970000000005', 'elo', '0005'],
  ['5555555555554444', 'mastercard', '4444'],
  ['2221000000000009', 'mastercard', '0009'],
  ['2720990000000007', 'mastercard', '0007'],
  ['6062825624254001', 'hipercard', '4001'],
  ['378282246310005', 'amex', '0005'],
  ['36227206271667', 'diners', '1667'],
  ['3530111333300000', 'jcb', '0000'],
  ['6011111111111117', 'discover', '1117'],
])('the card number %s is stored as the brand %s and the last digits %s', (number, brand, last4) => {
  expect(toStoredCard(number)).toEqual({ brand, last4 });
});

test.each(['2220990000000000', '2721000000000000', '9999999999999999', '411', 'none', ''])(
  'the sandbox stores neither a brand nor last digits for the card number %j',
  (number) => {
    expect(toStoredCard(number)).toBeUndefined();
  },
);

describe('a credit_card payment with neither card nor wallet in the sandbox', () => {
  const { card: _, ...without } = openCard();

  test.each([
    ['nothing in their place', {}],
    ['a misspelt card', { creditCard: openCard().card }],
    ['a misspelt wallet', { applePay: { token: 'a-token' } }],
    ['only a 3DS result', { threeDSData: { cavv: 'a-value' } }],
  ])('is rejected with %s, and charges nothing', async (_title, more) => {
    for (const checks of ['all', 'document'] as const) {
      const sandbox = sandboxForTest({ checks });
      const { status, body } = await pay(sandbox, { ...without, ...more }, keyNo(1));
      expect(status).toBe(400);
      expect(body.error?.issues.filter(({ path }) => path === 'card')).toHaveLength(1);
      expect(sandbox.ledger.charges).toEqual([]);
    }
  });

  test('can be corrected and sent with the same idempotency key', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, without, keyNo(1));
    const { status, body } = await pay(sandbox, openCard(), keyNo(1));
    expect([status, body.status]).toEqual([201, 'paid']);
  });
});

describe('installments with a card token in the sandbox', () => {
  const tokens = async (sandbox: Sandbox) => {
    const { body } = await pay(sandbox, openCard());
    const { token } = body.upsell as { token: string };
    return [{ upsellToken: token }, { cardTokenId: testCardTokens.approved }];
  };

  test('are accepted by default', async () => {
    const sandbox = sandboxForTest();
    for (const card of await tokens(sandbox))
      expect((await pay(sandbox, withCard({ ...card, installments: 3 }))).status).toBe(201);
  });

  test('are rejected with tokenInstallments: refused, and the token stays usable', async () => {
    const sandbox = sandboxForTest({ payments: { tokenInstallments: 'refused' } });
    for (const card of await tokens(sandbox)) {
      const { status, body } = await pay(sandbox, withCard({ ...card, installments: 3 }));
      expect([status, body.error?.issues.map(({ path }) => path)]).toEqual([400, ['card.installments']]);
      expect((await pay(sandbox, withCard(card))).body.status).toBe('paid');
    }
  });

  test('are accepted for raw card data with tokenInstallments: refused', async () => {
    const sandbox = sandboxForTest({ payments: { tokenInstallments: 'refused' } });
    const { card, ...order } = openCard();
    expect((await pay(sandbox, { ...order, card: { ...card, installments: 3 } })).status).toBe(201);
  });
});
