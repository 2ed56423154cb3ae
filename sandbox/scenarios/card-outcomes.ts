/** The `refusalReason` of a refused payment. */
export interface Refusal {
  /** The code, such as `insufficient_funds`. */
  readonly code: string;
  /** A human-readable message. */
  readonly message: string;
}

export interface CardOutcome {
  /** `unknown` if the acquirer does not respond. */
  readonly first: 'paid' | 'refused' | 'in_analysis' | 'unknown';
  /** Default: declined by the issuer. */
  readonly declineReason?: Refusal;
  /** How an analysis or an unknown outcome ends without a control method. Default: it does not end. */
  readonly end?: CardEnd;
  /** The number at the end of the test card's vault token. */
  readonly token: number;
}

/** The end of an analysis (`pay`, `refuse`) or of an unknown outcome. */
export interface CardEnd {
  /** Milliseconds on the sandbox's clock. */
  readonly after: number;
  readonly by: 'pay' | 'refuse' | 'created' | 'not-created';
}

/** In milliseconds. */
const later = 60_000;

const buildDecline = (token: number, code: string, message: string): CardOutcome => ({
  token,
  first: 'refused',
  declineReason: Object.freeze({ code, message }),
});

const outcomes = {
  approved: { token: 1, first: 'paid' },
  refused: { token: 2, first: 'refused' },
  inAnalysis: { token: 3, first: 'in_analysis' },
  unknown: { token: 4, first: 'unknown' },
  insufficientFunds: buildDecline(5, 'insufficient_funds', 'The account has insufficient funds.'),
  expiredCard: buildDecline(6, 'expired_card', 'The card has expired.'),
  invalidCvv: buildDecline(7, 'invalid_cvv', 'The security code is wrong.'),
  suspectedFraud: buildDecline(8, 'suspected_fraud', 'The payment is suspected of fraud.'),
  lostOrStolen: buildDecline(9, 'lost_or_stolen', 'The card was reported lost or stolen.'),
  limitExceeded: buildDecline(10, 'limit_exceeded', 'The limit of the card is exceeded.'),
  notPermitted: buildDecline(11, 'not_permitted', 'The card is not permitted for this kind of payment.'),
  processingError: buildDecline(12, 'processing_error', 'The issuer could not process the payment.'),
  inAnalysisThenApproved: { token: 13, first: 'in_analysis', end: { after: later, by: 'pay' } },
  inAnalysisThenRefused: {
    ...buildDecline(14, 'suspected_fraud', 'The payment is suspected of fraud.'),
    first: 'in_analysis',
    end: { after: later, by: 'refuse' },
  },
  unknownThenCreated: { token: 15, first: 'unknown', end: { after: later, by: 'created' } },
  unknownThenNotCreated: { token: 16, first: 'unknown', end: { after: later, by: 'not-created' } },
} as const satisfies Record<string, CardOutcome>;

export type CardDecision = keyof typeof outcomes;

export const cardOutcomes: Readonly<Record<CardDecision, CardOutcome>> = outcomes;

export const cardDecisions = Object.keys(outcomes) as readonly CardDecision[];

export const forEachDecision = (
  make: (decision: CardDecision) => string,
): Readonly<Record<CardDecision, string>> =>
  Object.freeze(
    Object.fromEntries(cardDecisions.map((decision) => [decision, make(decision)])) as Record<
      CardDecision,
      string
    >,
  );
