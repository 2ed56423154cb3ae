import { limits } from '../../src/contract/limits.js';
import { aBoolean, aFunction, oneOf, readerFor, validIf } from '../../src/validation/options.js';
import type { Refusal } from '../scenarios/card-outcomes.js';
import { minute } from '../time/units.js';
import type { DefaultEntry } from './default-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';
import { responsesOption } from './response-fields.js';
import { answerStatus } from './statuses.js';
import {
  latePayment,
  mapTransitions,
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

const someStatuses = validIf<readonly Status[]>(
  (value) => Array.isArray(value) && value.every((status) => paymentStatuses.includes(status)),
  `must be a list of ${paymentStatuses.join(', ')}`,
);

/** The statuses that each control can move a payment from. */
type Sources = Readonly<Record<Transition, readonly Status[]>>;

const usualSources: Sources = mapTransitions((name) => paymentTransitions[name].from);

export const paymentOptions = {
  /** Whether a second payment with an `externalId` is rejected with 400. Default false. */
  uniqueExternalId: option(aBoolean, false, {
    topic: 'externalId',
    default: 'It can repeat.',
    why: "It is the merchant's unique identifier; whether the platform rejects a repeated one is undocumented.",
  }),
  /** Makes the `refusalReason` of a refused payment, as a value for JSON. Default: `{ code, message }`. */
  refusalReason: option(aFunction<(reason: Readonly<Refusal>) => unknown>(), (reason: Refusal) => reason, {
    topic: 'refusalReason',
    default: `{ code: '${usualRefusal.code}', message }; some test cards have another code, such as insufficient_funds. docs/scenarios.md lists them.`,
    why: 'Its shape is undocumented.',
  }),
  /** The statuses that a control can move a payment from, such as `{ chargeback: ['paid', 'refunded'] }`. */
  transitions: new Option<{ readonly [Name in Transition]?: readonly Status[] | undefined }, Sources>(
    readerFor(
      mapTransitions(() => someStatuses),
      'transition',
    ),
    (value) => ({ ...usualSources, ...(value as Partial<Sources>) }),
    {
      topic: 'Payment transitions',
      default: `${transitionsInWords}. A ${latePayment.paymentMethod} can also be paid from ${latePayment.from}. For any other transition, the control throws an Error.`,
      why: 'Undocumented. The transitions are inferred from the event names, and a boleto can be paid late.',
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
    default:
      "card.installments is accepted next to cardTokenId and upsellToken, and the response does not show it. createSandbox({ payments: { tokenInstallments: 'refused' } }) returns 400.",
    why: 'The API docs list installments for raw card data only, but do not rule it out with a token.',
  }),
  /** The time zone of a boleto's due date: `utc` (default) or `brasilia`, where the day ends three hours later. */
  dueDay: option(oneOf('utc', 'brasilia'), 'utc', {
    topic: 'Boleto due date',
    default:
      'YYYY-MM-DD or an ISO 8601 timestamp, not in the past, otherwise 400. The boleto expires at the end of that day, UTC.',
    why: 'The format is undocumented; the timestamps in the API docs are UTC.',
  }),
};

/** Options of payments. */
export type PaymentRules = GivenOptions<typeof paymentOptions>;

/** The endpoints whose notifications carry upsell tokens. */
export type UpsellAudience = 'none' | 'merchant' | 'all';

export const upsellOptions = {
  /** Whether a paid payment has one. Default true. */
  issued: option(aBoolean, true, {
    topic: 'Upsell token',
    default:
      'A UUID, issued when the payment becomes paid, also after analysis; never for testCards.withoutUpsell. The response contains it while it is valid and unused and the payment is paid.',
    why: 'The API docs state 15 minutes, one use and best effort. They do not describe a later replay.',
  }),
  /** How long one is valid. Default `'15m'`, as the API docs have it. */
  validFor: durationOption(limits.upsellTokenMinutes * minute, {
    topic: 'Unusable upsell token',
    default:
      "400 if it is unknown, expired, used, another merchant's, or part of a charge with an unknown outcome.",
    why: 'Undocumented. The charge is impossible.',
  }),
  /**
   * The endpoints whose notifications carry `upsell` with a chargeable token: `none` (default), `merchant` for the
   * merchant's own, or `all` for those and the ones of the sub-account that owns the payment.
   */
  notified: option<UpsellAudience, UpsellAudience>(oneOf('none', 'merchant', 'all'), 'none', {
    topic: 'Upsell token in notifications',
    default:
      "Never: the token is in the response to the payment and to its replay only. createSandbox({ upsell: { notified: 'merchant' } }) puts it into notifications to the merchant's endpoints, and 'all' also into those to the sub-account that owns the payment.",
    why: 'The fields of a notification are undocumented. Anybody with the token can charge the card for 15 minutes.',
  }),
};

/** Options of upsell tokens, which are best effort. */
export type UpsellRules = GivenOptions<typeof upsellOptions>;

/** The sandbox's own response to POST /v1/vault/tokenize. */
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
    default: `POST /v1/vault/tokenize accepts raw card data, requires number (12 to 19 digits), and returns ${answerStatus.cardTokenized} { cardTokenId, brand, last4 }, without brand and last4 for an unknown prefix. A payment accepts the tokens of its merchant's vault and testCardTokens; any other cardTokenId gets a 400.`,
    why: 'The shape is undocumented; payments use these names.',
  }),
};

/** Options of the vault. */
export type VaultRules = GivenOptions<typeof vaultOptions>;

/** The sandbox's defaults for payments, boletos, the vault and upsell tokens. */
export const paymentDefaults: readonly DefaultEntry[] = [
  {
    topic: 'A key reused with another payload, on payments',
    default: `${answerStatus.keyReused}, code idempotency_key_reused. Payloads are compared as JSON, whatever the order of their keys.`,
    why: 'The documented 409 is for sub-accounts. On payments a 409 means an unknown outcome.',
    option: 'statuses.keyReused',
  },
  {
    topic: 'Response to an invalid payment',
    default: `${answerStatus.paymentInvalid} invalid_request with every problem in issues: amounts out of bounds, mixed card modes, unknown tokens and all other broken rules. A body that is not JSON gets a 400.`,
    why: 'The error statuses of payment validation are undocumented; 400 is documented for onboarding.',
    option: 'statuses.paymentInvalid',
  },
  {
    topic: 'First attempt with an unknown outcome',
    default: `${answerStatus.acquirerUnknown}, then 409 for every valid request with the key, whatever its payload, until control.payments.resolve, or for a minute with the test cards whose outcome resolves on its own. Without a key the payment is not charged and cannot be resolved.`,
    why: 'The API docs describe the 409, but not the first response.',
    option: 'statuses.acquirerUnknown',
  },
  {
    topic: 'Resolving an unknown outcome',
    default:
      "'created' creates the payment at that moment; with the test card for unknown outcomes it is approved. 'not-created' frees the key: the next request with it is processed normally, and the same test card is approved.",
    why: 'The API docs mention reconciliation without describing it.',
    fixed: 'The control or a test card selects the resolution and its time.',
  },
  paymentOptions.transitions,
  {
    topic: 'Statuses after a chargeback, a cancellation and an expiry',
    default: 'chargedback, cancelled and expired are payment statuses.',
    why: 'Events have these names; whether the payments API returns them is undocumented.',
    fixed: 'The documented events have these names.',
  },
  {
    topic: 'First status',
    default:
      'Pix and boleto start pending, unless customer.name or externalId is one of testNames. The card number selects the outcome, whether sent or in the vault (testCards, testCardTokens); any other number is approved. A wallet is approved, unless its block contains one of testWalletTokens. An upsell charge is approved, unless the first payment used testCards.upsellRefused.',
    why: 'A test selects the outcome with the values that it sends.',
    fixed: 'The values of the request select the status, so every outcome is available.',
  },
  {
    topic: 'Card payment without card and wallet',
    default: `${answerStatus.paymentInvalid}, even with the client's checks turned off. Nothing is paid, and no upsell token is issued.`,
    why: 'The API docs describe both as ways to send a card, but do not say that a payment requires one of them.',
    fixed: 'There is no card to charge, so a misspelt field must not look like a sale.',
  },
  paymentOptions.tokenInstallments,
  vaultOptions.answer,
  {
    topic: 'Card in the response',
    default:
      'brand (lower case, from the prefix) and last4; both are absent for an unknown prefix. A wallet payment has only wallet.type. An upsell payment has the card of the first payment.',
    why: 'The API docs show both fields or neither, omit them for wallet payments, and show wallet.type.',
    fixed: 'Both documented shapes occur: with brand and last4, and without.',
  },
  {
    topic: 'Customer in the response',
    default:
      'Name, email and document as sent, null for the rest. An upsell payment has the customer of the first payment; for any other payment without a customer, the response has none.',
    why: 'The API docs say that it is returned when available.',
    fixed: 'Both documented shapes occur: with a customer, and without.',
  },
  paymentOptions.refusalReason,
  upsellOptions.issued,
  upsellOptions.validFor,
  upsellOptions.notified,
  paymentOptions.uniqueExternalId,
  {
    topic: 'Pix expiration',
    default: "At least 1 second. The charge expires on its own, on the sandbox's clock.",
    why: 'Only the unit and the default are documented.',
    fixed: 'Nobody can pay in less than a second, and each payment sets its own time.',
  },
  paymentOptions.dueDay,
  responsesOption,
  {
    topic: 'digitableLine',
    default:
      '47 digits with valid check digits, of a bank that does not exist (999); in notifications and on the PDF only.',
    why: 'Its format is undocumented; receivers may check the digits.',
    fixed: 'A line of a real bank could be paid.',
  },
  {
    topic: 'Boleto PDF of another payment method',
    default: `${answerStatus.notABoleto}, code not_a_boleto; 404 for an unknown payment.`,
    why: 'Both are undocumented.',
    option: 'statuses.notABoleto',
  },
];
