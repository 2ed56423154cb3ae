/** Card numbers that select the outcome of a payment. They pass the Luhn check and are not real cards. */
export const testCards = Object.freeze({
  /** Paid at once. */
  approved: '4111111111111111',
  /** Refused. */
  refused: '4000000000000002',
  /** In analysis until `control.payments.pay` or `refuse`. */
  inAnalysis: '5555555555554444',
  /** The acquirer does not answer: the outcome is unknown until `control.payments.resolve`. */
  unknown: '4000000000000119',
  /** Paid at once; the charge on its upsell token is refused. */
  upsellRefused: '4000000000000341',
  /** Paid at once, without an upsell token. */
  withoutUpsell: '4000000000000077',
});

/** Vault tokens of the first four test cards, for `card.cardTokenId`. */
export const testCardTokens = Object.freeze({
  approved: '5a9db0c5-0000-4000-8000-000000000001',
  refused: '5a9db0c5-0000-4000-8000-000000000002',
  inAnalysis: '5a9db0c5-0000-4000-8000-000000000003',
  unknown: '5a9db0c5-0000-4000-8000-000000000004',
});

/** The acquirer's decision on a charge. */
export type CardDecision = keyof typeof testCardTokens;

/** The decision on a later charge with the upsell token. */
export type UpsellOutlook = 'approved' | 'refused';

/** How a card behaves. */
interface CardBehaviour {
  readonly decision: CardDecision;
  /** Undefined if no upsell token is issued. */
  readonly upsell: UpsellOutlook | undefined;
}

/** The stored data of a card, without its number. */
export interface StoredCard {
  readonly brand: string;
  readonly last4: string;
}

const decisions = Object.keys(testCardTokens) as CardDecision[];

const byNumber = new Map<string, CardBehaviour>([
  ...decisions.map((decision) => [testCards[decision], { decision, upsell: 'approved' }] as const),
  [testCards.upsellRefused, { decision: 'approved', upsell: 'refused' }],
  [testCards.withoutUpsell, { decision: 'approved', upsell: undefined }],
]);
const byToken = new Map<string, CardDecision>(
  decisions.map((decision) => [testCardTokens[decision], decision]),
);

/** A card number may be written with spaces. */
const digitsOf = (number: string) => number.replace(/\D/g, '');

export function behaviourOf(number: string): CardBehaviour {
  return byNumber.get(digitsOf(number)) ?? { decision: 'approved', upsell: 'approved' };
}

/** The test card of a token in `testCardTokens`. */
export function testCardOf(token: string): { decision: CardDecision; number: string } | undefined {
  const decision = byToken.get(token);
  return decision && { decision, number: testCards[decision] };
}

/** Narrow prefixes come first, because some are part of a wider one. */
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

/** Undefined if no known brand has the number: a card in an answer has both fields or none. */
export function storedCard(number: string): StoredCard | undefined {
  const digits = digitsOf(number);
  const brand = brands.find(([, prefix]) => prefix.test(digits))?.[0];
  return brand === undefined || digits.length < 4 ? undefined : { brand, last4: digits.slice(-4) };
}
