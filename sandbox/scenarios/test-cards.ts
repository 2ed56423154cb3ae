import { type CardDecision, cardDecisions, cardOutcomes, forEachDecision } from './card-outcomes.js';

/** Card numbers that select the outcome of a payment. They pass the Luhn check and are not real cards. */
export const testCards = Object.freeze({
  /** Paid at once. */
  approved: '4111111111111111',
  /** Refused. */
  refused: '4000000000000002',
  /** In analysis until you use `control.payments`. */
  inAnalysis: '5555555555554444',
  /** The acquirer does not respond, so the outcome is unknown until `control.payments.resolve`. */
  unknown: '4000000000000119',
  /** Paid at once; the charge on its upsell token is refused. */
  upsellRefused: '4000000000000341',
  /** Paid at once, without an upsell token. */
  withoutUpsell: '4000000000000077',
  /** Refused: `insufficient_funds`. */
  insufficientFunds: '4000000000000515',
  /** Refused: `expired_card`. */
  expiredCard: '4000000000000549',
  /** Refused: `invalid_cvv`. */
  invalidCvv: '4000000000000820',
  /** Refused: `suspected_fraud`. */
  suspectedFraud: '4000000000000598',
  /** Refused: `lost_or_stolen`. */
  lostOrStolen: '4000000000000432',
  /** Refused: `limit_exceeded`. */
  limitExceeded: '4000000000000614',
  /** Refused: `not_permitted`. */
  notPermitted: '4000000000000572',
  /** Refused: `processing_error`. */
  processingError: '4000000000000960',
  /** In analysis, and paid after a minute on the clock. */
  inAnalysisThenApproved: '4000000000001018',
  /** In analysis, and refused after a minute on the clock. */
  inAnalysisThenRefused: '4000000000001026',
  /** The outcome is unknown for a minute on the clock; then the payment exists. */
  unknownThenCreated: '4000000000009110',
  /**
   * The outcome is unknown for a minute on the clock; then nothing was created, and the idempotency key is
   * free again.
   */
  unknownThenNotCreated: '4000000000009128',
} as const satisfies Record<CardDecision | 'upsellRefused' | 'withoutUpsell', string>);

/** Vault tokens of the test cards, except those about upsells, for `card.cardTokenId`. */
export const testCardTokens = forEachDecision(
  (decision) => `5a9db0c5-0000-4000-8000-${String(cardOutcomes[decision].token).padStart(12, '0')}`,
);

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Strings that select a wallet payment's outcome. They can be in any field of the `wallet` block, whose inner
 * names are undocumented. The outcomes are the same as for `testCards`. Any other wallet is approved.
 */
export const testWalletTokens = forEachDecision((decision) => `sandbox-wallet-${kebab(decision)}`);

export type UpsellOutlook = 'approved' | 'refused';

interface CardBehaviour {
  readonly decision: CardDecision;
  /** Undefined if no upsell token is issued. */
  readonly upsell: UpsellOutlook | undefined;
}

const byNumber = new Map<string, CardBehaviour>([
  ...cardDecisions.map((decision) => [testCards[decision], { decision, upsell: 'approved' }] as const),
  [testCards.upsellRefused, { decision: 'approved', upsell: 'refused' }],
  [testCards.withoutUpsell, { decision: 'approved', upsell: undefined }],
]);

const byToken = new Map(cardDecisions.map((decision) => [testCardTokens[decision], decision]));

export const findBehaviour = (digits: string): CardBehaviour =>
  byNumber.get(digits) ?? { decision: 'approved', upsell: 'approved' };

export function findTestCard(token: string): { decision: CardDecision; number: string } | undefined {
  const decision = byToken.get(token);
  return decision && { decision, number: testCards[decision] };
}
