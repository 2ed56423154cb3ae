import { expect, test } from 'vitest';
import { testCards } from '../../../src/sandbox/index.js';
import { storedCard } from '../../../src/sandbox/payments/cards.js';

/** The sum that every card number satisfies. */
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
])('%s is stored as %s %s', (number, brand, last4) => {
  expect(storedCard(number)).toEqual({ brand, last4 });
});

test.each(['2220990000000000', '2721000000000000', '9999999999999999', '411', 'none', ''])(
  '%j is not stored: brand and last4, or nothing',
  (number) => {
    expect(storedCard(number)).toBeUndefined();
  },
);
