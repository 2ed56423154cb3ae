import type { PaymentRecord } from '../payments/payment-record.js';

/** An amount can be in cents or in reais: `1990`, `19.90`, `19,90`, `R$ 1.234,56`. */
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

/** `joão` finds `Joao`. */
const folded = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** In cents. */
function parseAmounts(text: string): number[] {
  const number = text.replace(/^r\$\s*/, '');
  if (!/^\d[\d.,]*$/.test(number)) return [];
  const cents = /[.,](\d{2})$/.test(number) ? [Number(number.replace(/[.,]/g, ''))] : [];
  const whole = Number(number.replace(/[.,]/g, ''));
  return cents.length > 0 ? cents : [whole, whole * 100];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
