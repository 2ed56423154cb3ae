/** Says why an amount is not an integer of cents. Undefined for anything but strings and numbers. */
export function notCents(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const number = typeof given === 'string' ? Number(given.trim().replace(',', '.')) : given;
  // A longer number is not an amount: it could be a card number.
  if (given === '' || !(Math.abs(number) < 1e9)) return 'must be an integer in cents. R$ 19,90 is 1990';
  if (Number.isInteger(number))
    return `must be an integer in cents, got a string. Did you mean ${number} without quotes?`;
  const [reais, centavos = ''] = number.toFixed(2).split('.');
  return `must be an integer in cents, got ${number}. Did you mean ${Math.round(number * 100)} (R$ ${reais},${centavos})?`;
}
