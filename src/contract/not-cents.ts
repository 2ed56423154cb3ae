/** What is wrong with an amount that is no integer of cents. Undefined for what is neither a text nor a number. */
export function notCents(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const number = typeof given === 'string' ? Number(given.trim().replace(',', '.')) : given;
  // A longer number is not an amount: it may be that of a card.
  if (given === '' || !(Math.abs(number) < 1e9)) return 'must be an integer in cents. R$ 19,90 is 1990';
  if (Number.isInteger(number))
    return `must be an integer in cents, got a string. Did you mean ${number} without quotes?`;
  const [reais, centavos = ''] = number.toFixed(2).split('.');
  return `must be an integer in cents, got ${number}. Did you mean ${Math.round(number * 100)} (R$ ${reais},${centavos})?`;
}
