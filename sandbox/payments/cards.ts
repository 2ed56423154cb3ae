export interface StoredCard {
  readonly brand: string;
  readonly last4: string;
}

export const readDigits = (number: string) => number.replace(/\D/g, '');

/** Narrow prefixes come first, because a wider prefix can contain them. */
const brands: readonly (readonly [brand: string, prefix: RegExp])[] = [
  [
    'elo',
    /^(4011(78|79)|431274|438935|451416|457393|4576(31|32)|504175|506[67]|509|627780|636297|636368|65[05][0-9])/,
  ],
  ['hipercard', /^(606282|3841)/],
  ['amex', /^3[47]/],
  ['diners', /^3(0[0-5]|[68])/],
  ['jcb', /^35/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
  ['visa', /^4/],
];

/** Undefined for an unknown brand, because a card in a response has both fields or none. */
export function toStoredCard(number: string): StoredCard | undefined {
  const digits = readDigits(number);
  const brand = brands.find(([, prefix]) => prefix.test(digits))?.[0];
  return brand === undefined || digits.length < 4 ? undefined : { brand, last4: digits.slice(-4) };
}
