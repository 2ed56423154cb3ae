import { limits } from '../../src/contract/limits.js';
import { aBoolean, aFunction, oneOf, optionsOf, readIf } from '../../src/validation/options.js';
import type { Refusal } from '../scenarios/card-outcomes.js';
import { minute } from '../time/units.js';
import { answersOption } from './answers.js';
import type { ChoiceEntry } from './choice-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';
import { answerStatus } from './statuses.js';
import {
  forEachTransition,
  latePayment,
  paymentStatuses,
  paymentTransitions,
  type Status,
  type Transition,
} from './transitions.js';

const transitionsInWords = Object.entries(paymentTransitions)
  .map(([action, { from, to }]) => `${action}: ${from.join(' or ')} to ${to}`)
  .join('; ');

/** The `refusalReason` of a refused payment, unless its test card has another one. */
export const usualRefusal: Refusal = Object.freeze({
  code: 'refused_by_issuer',
  message: 'The issuer refused the payment.',
});

const someStatuses = readIf<readonly Status[]>(
  (given) => Array.isArray(given) && given.every((status) => paymentStatuses.includes(status)),
  `must be a list of ${paymentStatuses.join(', ')}`,
);

/** The statuses that each control can move a payment from. */
type Sources = Readonly<Record<Transition, readonly Status[]>>;

const usualSources: Sources = forEachTransition((name) => paymentTransitions[name].from);

export const paymentOptions = {
  /** Whether a second payment with an `externalId` is refused with 400. Default false. */
  uniqueExternalId: option(aBoolean, false, {
    topic: 'externalId',
    choice: 'It may repeat.',
    why: "It is the merchant's unique identifier; that the platform refuses a repeated one is undocumented.",
  }),
  /** Makes the `refusalReason` of a refused payment, as a value for JSON. Default: `{ code, message }`. */
  refusalReason: option(aFunction<(reason: Readonly<Refusal>) => unknown>(), (reason: Refusal) => reason, {
    topic: 'refusalReason',
    choice: `{ code: '${usualRefusal.code}', message }; some test cards have another code, such as insufficient_funds. docs/scenarios.md lists them.`,
    why: 'Its shape is undocumented.',
  }),
  /** The statuses that a control can move a payment from, such as `{ chargeback: ['paid', 'refunded'] }`. */
  transitions: new Option<{ readonly [Name in Transition]?: readonly Status[] | undefined }, Sources>(
    optionsOf(
      forEachTransition(() => someStatuses),
      'transition',
    ),
    (given) => ({ ...usualSources, ...(given as Partial<Sources>) }),
    {
      topic: 'Payment transitions',
      choice: `${transitionsInWords}. A ${latePayment.paymentMethod} can also be paid from ${latePayment.from}. For any other the control throws an Error.`,
      why: 'Undocumented; these follow from the names of the events. Banks take a boleto for some days after its due date.',
    },
  ),
  /** Whether a boleto is paid after it expired. Default true. */
  lateBoletos: option(aBoolean, true),
  /**
   * Whether `card.installments` next to `cardTokenId` or `upsellToken` is `accepted` (default), without an effect in
   * the sandbox, or `refused` with 400.
   */
  tokenInstallments: option(oneOf('accepted', 'refused'), 'accepted', {
    topic: 'Installments with a card token',
    choice:
      "card.installments is accepted next to cardTokenId and upsellToken, and nothing in the response shows it. createSandbox({ payments: { tokenInstallments: 'refused' } }) answers 400.",
    why: 'The document lists installments for raw card data only, and does not rule it out with a token.',
  }),
  /** The time zone of a boleto's due date: `utc` (default) or `brasilia`, where the day ends three hours later. */
  dueDay: option(oneOf('utc', 'brasilia'), 'utc', {
    topic: 'Boleto due date',
    choice:
      'YYYY-MM-DD or an ISO 8601 timestamp, not in the past, otherwise 400. The boleto expires at the end of that day, UTC.',
    why: 'The format is undocumented; the timestamps of the document are UTC.',
  }),
};

/** Choices about payments. */
export type PaymentRules = GivenOptions<typeof paymentOptions>;

/** The endpoints whose notifications carry upsell tokens. */
export type UpsellAudience = 'none' | 'merchant' | 'all';

export const upsellOptions = {
  /** Whether a paid payment has one. Default true. */
  issued: option(aBoolean, true, {
    topic: 'Upsell token',
    choice:
      'A UUID, issued when the payment becomes paid, also after analysis; never for testCards.withoutUpsell. It is in the answer as long as it is valid and unused and the payment is paid.',
    why: 'The document has 15 minutes, one use and best effort; what a replay shows after them is undocumented.',
  }),
  /** How long one is valid. Default `'15m'`, as the API document has it. */
  validFor: durationOption(limits.upsellTokenMinutes * minute, {
    topic: 'Unusable upsell token',
    choice:
      '400 if it is unknown, of another merchant, expired, used, or part of a charge with an unknown outcome.',
    why: 'Undocumented; the charge cannot be made.',
  }),
  /**
   * The endpoints whose notifications carry `upsell` with a chargeable token: `none` (default), `merchant` for the
   * merchant's own, or `all` for those and the ones of the sub-account that owns the payment.
   */
  notified: option<UpsellAudience, UpsellAudience>(oneOf('none', 'merchant', 'all'), 'none', {
    topic: 'Upsell token in notifications',
    choice:
      "Never: the token is in the response to the payment and to its replay only. createSandbox({ upsell: { notified: 'merchant' } }) puts it into notifications to the merchant's endpoints, and 'all' also into those to the sub-account that owns the payment.",
    why: 'The fields of a notification are undocumented. Whoever has the token can charge the card for 15 minutes.',
  }),
};

/** Choices about upsell tokens, which are best effort. */
export type UpsellRules = GivenOptions<typeof upsellOptions>;

/** The sandbox's own answer to POST /v1/vault/tokenize. */
export interface VaultAnswer {
  /** The token of the card. */
  readonly cardTokenId: string;
  /** Lower case; undefined if the prefix is of no known brand. */
  readonly brand?: string;
  /** The last four digits; undefined without a brand. */
  readonly last4?: string;
}

export const vaultOptions = {
  /** Makes the answer of POST /v1/vault/tokenize, as a value for JSON. Default: `{ cardTokenId, brand, last4 }`. */
  answer: option(aFunction<(card: VaultAnswer) => unknown>(), (card: VaultAnswer) => card, {
    topic: 'Vault tokens',
    choice: `POST /v1/vault/tokenize takes the fields of an open card, of which number is required (12 to 19 digits), and answers ${answerStatus.cardTokenized} { cardTokenId, brand, last4 }, without brand and last4 if the prefix is of no known brand. A payment takes the tokens of its merchant's vault and testCardTokens; any other cardTokenId answers 400.`,
    why: 'The shape is undocumented; payments use these names.',
  }),
};

/** Choices about the vault. */
export type VaultRules = GivenOptions<typeof vaultOptions>;

/** The sandbox's defaults for payments, boletos, the vault and upsell tokens. */
export const paymentChoices: readonly ChoiceEntry[] = [
  {
    topic: 'A key reused with another payload, on payments',
    choice: `${answerStatus.keyReused}, code idempotency_key_reused. Payloads are compared as JSON, whatever the order of their keys.`,
    why: 'The documented 409 is for sub-accounts. On payments a 409 means an unknown outcome.',
    option: 'statuses.keyReused',
  },
  {
    topic: 'Answer to an invalid payment',
    choice: `${answerStatus.paymentInvalid} invalid_request with every problem in issues: amounts out of bounds, mixed card modes, unknown tokens and whatever else the rules refuse. A body that is not JSON is answered 400.`,
    why: 'The error statuses of payment validation are undocumented; 400 is documented for onboarding.',
    option: 'statuses.paymentInvalid',
  },
  {
    topic: 'First attempt with an unknown outcome',
    choice: `${answerStatus.acquirerUnknown}, then 409 for every valid request with the key, whatever its payload, until control.payments.resolve, or for a minute with the test cards whose outcome resolves by itself. Without a key nothing is charged and nothing can be resolved.`,
    why: 'The document has the 409 and not the first answer.',
    option: 'statuses.acquirerUnknown',
  },
  {
    topic: 'Resolving an unknown outcome',
    choice:
      "'created' creates the payment at that moment; with the test card for unknown outcomes it is approved. 'not-created' frees the key: the next request with it is processed normally, and the same test card is approved.",
    why: 'The document names reconciliation without describing it.',
    fixed: 'Both resolutions and their time are chosen by the control or by a test card.',
  },
  paymentOptions.transitions,
  {
    topic: 'Statuses after a chargeback, a cancellation and an expiry',
    choice: 'chargedback, cancelled and expired are payment statuses.',
    why: 'Events have these names; whether the payments API returns them is undocumented.',
    fixed: 'The names are those of the documented events.',
  },
  {
    topic: 'First status',
    choice:
      'Pix and boleto wait for payment, unless customer.name or externalId is one of testNames. The number of a card decides, whether sent or in the vault (testCards, testCardTokens); any other number is approved. For a wallet, a text of testWalletTokens anywhere in its block decides; any other wallet is approved. An upsell charge is approved, unless the first payment used testCards.upsellRefused.',
    why: 'A test selects the outcome by what it sends.',
    fixed: 'What is sent selects it: every outcome can be had.',
  },
  {
    topic: 'Card payment without card and wallet',
    choice: `${answerStatus.paymentInvalid}: nothing is paid and no upsell token is issued, also with the checks of the client turned off.`,
    why: 'The document has both as ways to send a card, and does not say that a payment requires one of them.',
    fixed: 'There is no card to charge, so a misspelt field must not look like a sale.',
  },
  paymentOptions.tokenInstallments,
  vaultOptions.answer,
  {
    topic: 'Card in the answer',
    choice:
      'brand (lower case, from the prefix) and last4; absent if the prefix is of no known brand. A wallet payment has only wallet.type, an upsell payment the card of the first payment.',
    why: 'The document has both fields or none, omits them for wallet payments, and shows wallet.type.',
    fixed: 'Both shapes of the API document occur: with brand and last4, and without.',
  },
  {
    topic: 'Customer in the answer',
    choice:
      'Name, email and document as sent, null for the rest. An upsell payment has the customer of the first payment; any other payment without a customer has none in the answer.',
    why: 'The document returns it when available.',
    fixed: 'Both shapes of the API document occur: with a customer, and without.',
  },
  paymentOptions.refusalReason,
  upsellOptions.issued,
  upsellOptions.validFor,
  upsellOptions.notified,
  paymentOptions.uniqueExternalId,
  {
    topic: 'Pix expiration',
    choice: 'At least 1 second. The charge expires by itself on the clock.',
    why: 'Only the unit and the default are documented.',
    fixed: 'Less than a second is no time to pay; the time is sent with each payment.',
  },
  paymentOptions.dueDay,
  answersOption,
  {
    topic: 'digitableLine',
    choice:
      '47 digits with valid check digits, of a bank that does not exist (999); in notifications and on the PDF only.',
    why: 'Its format is undocumented; receivers may check the digits.',
    fixed: 'A line of a bank that exists could be paid.',
  },
  {
    topic: 'Boleto PDF of another payment method',
    choice: `${answerStatus.notABoleto}, code not_a_boleto; 404 for an unknown payment.`,
    why: 'Both are undocumented.',
    option: 'statuses.notABoleto',
  },
];
