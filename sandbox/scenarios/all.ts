import { type CardOutcome, cardDecisions, cardOutcomes } from './card-outcomes.js';
import { testCards, testCardTokens, testWalletTokens } from './test-cards.js';
import { testDomains } from './test-domains.js';
import { testDocuments, testNames } from './test-names.js';

/** A value that selects an outcome. */
export interface Scenario {
  /** The name, such as `payments.create card.number testCards.refused`. */
  readonly id: string;
  /** The operation that sends the value, such as `payments.create`. */
  readonly operation: string;
  /** The field to send the value in: `card.number`. */
  readonly field: string;
  /** The value to send. */
  readonly value: string;
  /** The outcome, in Markdown. */
  readonly leadsTo: string;
  /** The exported constant, such as `testCards.insufficientFunds`. */
  readonly constant: string;
}

const describeDecline = ({ declineReason }: CardOutcome, time = '') =>
  declineReason === undefined
    ? `\`refused\`${time}`
    : `\`refused\`${time}, with \`refusalReason.code\` set to \`${declineReason.code}\``;

const minute = "a minute on the sandbox's clock";

function inWords(outcome: CardOutcome): string {
  const { first, end } = outcome;
  if (first === 'paid') return '`paid`';
  if (first === 'refused') return describeDecline(outcome);
  switch (end?.by) {
    case undefined:
      return first === 'in_analysis'
        ? '`in_analysis`, until you approve or decline the payment'
        : 'a 502, then a 409 for the same key, until you resolve the outcome';
    case 'pay':
      return `\`in_analysis\`, then \`paid\` after ${minute}`;
    case 'refuse':
      return `\`in_analysis\`, then ${describeDecline(outcome, ` after ${minute}`)}`;
    case 'created':
      return `a 502, then a 409 for the same key; after ${minute}, the existing payment, now \`paid\``;
    case 'not-created':
      return `a 502, then a 409 for the same key; after ${minute}, a new payment with the status \`paid\``;
  }
}

type Row = readonly [constant: string, value: string, leadsTo: string];

const decisionRows = (name: string, values: Readonly<Record<string, string>>): Row[] =>
  cardDecisions.map((decision) => [
    `${name}.${decision}`,
    values[decision] ?? '',
    inWords(cardOutcomes[decision]),
  ]);

const cardRows: readonly Row[] = [
  ...decisionRows('testCards', testCards),
  [
    'testCards.upsellRefused',
    testCards.upsellRefused,
    '`paid`, but a later charge with its upsell token is `refused`',
  ],
  ['testCards.withoutUpsell', testCards.withoutUpsell, '`paid`, without an upsell token'],
];

const payerRows: readonly Row[] = [
  [
    "testNames.paidAfter('30s')",
    testNames.paidAfter('30s'),
    '`paid` after 30 seconds, unless the payment expires first',
  ],
  ['testNames.refused', testNames.refused, '`refused`'],
  [
    "testNames.refusedAfter('30s')",
    testNames.refusedAfter('30s'),
    '`refused` after 30 seconds, unless the payment expires first',
  ],
  [
    "testNames.expiredAfter('30s')",
    testNames.expiredAfter('30s'),
    '`expired` after 30 seconds, even with a later expiration or due date',
  ],
  [
    'testNames.paidLate',
    testNames.paidLate,
    'for a boleto, `expired` at the end of its due date, then `paid` a day later; for a Pix, `expired`',
  ],
];

const approved = '`approved` immediately';
const rejected = '`rejected` immediately, with `can_resubmit` set to false';
const thenApproved =
  '`rejected` immediately with `can_resubmit` set to true, and `approved` after you resend the documents';
const inReview = '`in_review` after a minute, until you approve or reject it';

const kycNameRows: readonly Row[] = [
  ['testNames.approved', testNames.approved, approved],
  ["testNames.approvedAfter('30s')", testNames.approvedAfter('30s'), '`approved` after 30 seconds'],
  ['testNames.rejected', testNames.rejected, rejected],
  [
    "testNames.rejectedAfter('30s')",
    testNames.rejectedAfter('30s'),
    '`rejected` after 30 seconds, with `can_resubmit` set to false',
  ],
  ['testNames.rejectedThenApproved', testNames.rejectedThenApproved, thenApproved],
  ['testNames.inReview', testNames.inReview, inReview],
];

const documentRows = (type: 'cpf' | 'cnpj'): Row[] => [
  [`testDocuments.approved.${type}`, testDocuments.approved[type], approved],
  [`testDocuments.rejected.${type}`, testDocuments.rejected[type], rejected],
  [`testDocuments.rejectedThenApproved.${type}`, testDocuments.rejectedThenApproved[type], thenApproved],
  [`testDocuments.inReview.${type}`, testDocuments.inReview[type], inReview],
];

const domainRows: readonly Row[] = [
  ['testDomains.verified', testDomains.verified, '`verified` after 10 seconds, without a file'],
  ['testDomains.fails', testDomains.fails, '`failed` after 10 seconds, with `lastVerificationError`'],
];

const listRows = (operation: string, field: string, rows: readonly Row[]): Scenario[] =>
  rows.map(([constant, value, leadsTo]) =>
    Object.freeze({ id: `${operation} ${field} ${constant}`, operation, field, value, leadsTo, constant }),
  );

/** Values that select an outcome without a control method or a fault. */
export const scenarios: readonly Scenario[] = Object.freeze([
  ...listRows('payments.create', 'card.number', cardRows),
  ...listRows('payments.create', 'card.cardTokenId', decisionRows('testCardTokens', testCardTokens)),
  ...listRows('payments.create', 'wallet', decisionRows('testWalletTokens', testWalletTokens)),
  ...listRows('payments.create', 'customer.name', payerRows),
  ...listRows('payments.create', 'externalId', payerRows),
  ...listRows('onboarding.submitPf', 'fullName', kycNameRows),
  ...listRows('onboarding.submitPf', 'document', documentRows('cpf')),
  ...listRows('onboarding.submitPj', 'representativeName', kycNameRows),
  ...listRows('onboarding.submitPj', 'cnpj', documentRows('cnpj')),
  ...listRows('domains.register', 'domainName', domainRows),
]);
