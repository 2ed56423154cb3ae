/** Card numbers that decide the outcome of a payment. They pass the Luhn check and belong to nobody. */
export const testCards = Object.freeze({
  /** Paid at once. */
  approved: '4111111111111111',
  /** Refused. */
  refused: '4000000000000002',
  /** In analysis until `control.payments.pay` or `refuse`. */
  inAnalysis: '5555555555554444',
  /** The acquirer does not answer: the outcome is unknown until `control.payments.resolve`. */
  unknown: '4000000000000119',
});

/** The same four cards as tokens of the vault, for `card.cardTokenId`. */
export const testCardTokens = Object.freeze({
  approved: '5a9db0c5-0000-4000-8000-000000000001',
  refused: '5a9db0c5-0000-4000-8000-000000000002',
  inAnalysis: '5a9db0c5-0000-4000-8000-000000000003',
  unknown: '5a9db0c5-0000-4000-8000-000000000004',
});

/** What the acquirer makes of a card. */
export type CardDecision = keyof typeof testCards;

/** What is stored of a card. */
export interface StoredCard {
  readonly brand: string;
  readonly last4: string;
}

const decisions = Object.keys(testCards) as CardDecision[];

const byNumber = new Map<string, CardDecision>(decisions.map((decision) => [testCards[decision], decision]));
const byToken = new Map<string, CardDecision>(
  decisions.map((decision) => [testCardTokens[decision], decision]),
);

/** A card number may be written with spaces. */
const digitsOf = (number: string) => number.replace(/\D/g, '');

export function decisionForNumber(number: string): CardDecision {
  return byNumber.get(digitsOf(number)) ?? 'approved';
}

/** The test card of a token in `testCardTokens`. */
export function testCardOf(token: string): { decision: CardDecision; number: string } | undefined {
  const decision = byToken.get(token);
  return decision && { decision, number: testCards[decision] };
}

/** The narrow prefixes come first: some lie within a wider one. */
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

/** Undefined when the number belongs to no known brand: the platform shows a card with both fields or none. */
export function storedCard(number: string): StoredCard | undefined {
  const digits = digitsOf(number);
  const brand = brands.find(([, prefix]) => prefix.test(digits))?.[0];
  return brand === undefined || digits.length < 4 ? undefined : { brand, last4: digits.slice(-4) };
}
