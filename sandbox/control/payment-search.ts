import type { PaymentRecord } from '../payments/payment-record.js';

/**
 * Creates a function that checks whether a payment matches a search. A payment matches if its id, external
 * id, idempotency key or a customer field contains the string. A payment also matches if the string is its
 * amount, in cents or in reais: `1990`, `19.90`, `19,90`, `R$ 1.234,56`.
 */
export function createPaymentMatcher(search: string): (record: PaymentRecord) => boolean {
  const text = folded(search);
  if (text === '') return () => true;
  const amounts = parseAmounts(text);
  const digits = /^[\d.\-/ ]+$/.test(text) ? text.replace(/\D/g, '') : '';
  return ({ id, idempotencyKey = '', draft: { amount, externalReference = '', customer } }) =>
    amounts.includes(amount) ||
    [id, externalReference, idempotencyKey, ...textsIn(customer)].some((one) => {
      const candidate = folded(one);
      return candidate.includes(text) || (digits.length > 2 && candidate.includes(digits));
    });
}

/** Removes accents and converts to lower case, so that `joão` finds `Joao`. */
const folded = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** Lists the amounts, in cents, that a string can mean. */
function parseAmounts(text: string): number[] {
  const number = text.replace(/^r\$\s*/, '');
  if (!/^\d[\d.,]*$/.test(number)) return [];
  const cents = /[.,](\d{2})$/.test(number) ? [Number(number.replace(/[.,]/g, ''))] : [];
  const whole = Number(number.replace(/[.,]/g, ''));
  return cents.length > 0 ? cents : [whole, whole * 100];
}

/** Lists every string in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
