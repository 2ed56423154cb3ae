import { limits } from '../../src/contract/limits.js';
import { booleanReader, functionReader, oneOf, readerFor, validIf } from '../../src/validation/options.js';
import type { Refusal } from '../scenarios/card-outcomes.js';
import { minute } from '../time/units.js';
import type { DefaultEntry } from './default-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';
import { responsesOption } from './response-fields.js';
import { responseStatus } from './statuses.js';
import {
  latePayment,
  mapTransitions,
  paymentStatuses,
  paymentTransitions,
  type SandboxPaymentStatus,
  type Transition,
} from './transitions.js';

const transitionsInWords = Object.entries(paymentTransitions)
  .map(
    ([action, { from, to }]) =>
      `\`${action}\` moves a payment from ${from.map((one) => `\`${one}\``).join(' or ')} to \`${to}\`.`,
  )
  .join(' ');

/** The `refusalReason` of a refused payment, unless its test card has another reason. */
export const usualDecline: Refusal = Object.freeze({
  code: 'refused_by_issuer',
  message: 'The issuer refused the payment.',
});

const someStatuses = validIf<readonly SandboxPaymentStatus[]>(
  (value) => Array.isArray(value) && value.every((status) => paymentStatuses.includes(status)),
  `must be a list of ${paymentStatuses.join(', ')}`,
);

type Sources = Readonly<Record<Transition, readonly SandboxPaymentStatus[]>>;

const defaultSources: Sources = mapTransitions((name) => paymentTransitions[name].from);

export const paymentOptions = {
  /** Whether a second payment with an `externalId` is rejected with 400. Default false. */
  uniqueExternalId: option(booleanReader, false, {
    topic: 'externalId',
    default: 'Several payments can have the same `externalId`.',
    why: "The field contains the merchant's unique order identifier, but the API docs do not say whether the platform rejects a repeated value.",
  }),
  /** Creates the `refusalReason` of a `refused` payment, as a JSON value. Default: `{ code, message }`. */
  refusalReason: option(
    functionReader<(reason: Readonly<Refusal>) => unknown>(),
    (reason: Refusal) => reason,
    {
      topic: 'refusalReason',
      default: `The field's value is \`{ code: '${usualDecline.code}', message }\`. Some test cards have a different code, such as \`insufficient_funds\`. For these cards, see \`docs/scenarios.md\`.`,
      why: 'The format is undocumented.',
    },
  ),
  /** The statuses that a control method can move a payment from, such as `{ chargeback: ['paid', 'refunded'] }`. */
  transitions: new Option<
    { readonly [Name in Transition]?: readonly SandboxPaymentStatus[] | undefined },
    Sources
  >(
    readerFor(
      mapTransitions(() => someStatuses),
      'transition',
    ),
    (value) => ({ ...defaultSources, ...(value as Partial<Sources>) }),
    {
      topic: 'Payment transitions',
      default: `${transitionsInWords} A ${latePayment.paymentMethod} can also move from \`${latePayment.from}\` to \`paid\`. A control method throws an Error for any other transition.`,
      why: 'The transitions are undocumented. The sandbox derives them from the event names, and allows a boleto to be paid late.',
    },
  ),
  /** Whether a boleto can be paid after it expired. Default true. */
  lateBoletos: option(booleanReader, true),
  /**
   * Whether `card.installments` can be sent together with `cardTokenId` or `upsellToken`. `accepted`
   * (default): it has no effect in the sandbox. `refused`: the request gets a 400.
   */
  tokenInstallments: option(oneOf('accepted', 'refused'), 'accepted', {
    topic: 'Instalments with a card token',
    default:
      "The sandbox accepts `card.installments` with `cardTokenId` or `upsellToken`, but the response does not contain the field. With `createSandbox({ payments: { tokenInstallments: 'refused' } })`, the sandbox returns 400.",
    why: 'The API docs list instalments for raw card data only, but do not rule them out for tokens.',
  }),
  /**
   * The time zone of a boleto's due date: `utc` (default), or `brasilia`, whose day ends three hours later.
   */
  dueDay: option(oneOf('utc', 'brasilia'), 'utc', {
    topic: 'Boleto due date',
    default:
      'The due date is `YYYY-MM-DD` or an ISO 8601 timestamp. For a date in the past or in a different format, the sandbox returns 400. The boleto expires at the end of the due date in UTC.',
    why: 'The format is undocumented. The timestamps in the API docs are in UTC.',
  }),
};

/** Options of payments. */
export type PaymentRules = GivenOptions<typeof paymentOptions>;

/** The endpoints whose notifications contain upsell tokens. */
export type UpsellAudience = 'none' | 'merchant' | 'all';

export const upsellOptions = {
  /** Whether a paid payment with raw card data gets an upsell token. Default true. */
  issued: option(booleanReader, true, {
    topic: 'Upsell token',
    default:
      'The token is a UUID. The sandbox issues it when a payment with raw card data is paid, even after analysis, but never for `testCards.withoutUpsell`. The response contains the token as long as the payment is paid and the token is valid and unused.',
    why: 'The API docs say that a token is valid for 15 minutes, can be consumed, and is issued on a best-effort basis. They do not describe a replay of the payment after that.',
  }),
  /** The lifetime of an upsell token. Default `'15m'`, as the API docs have it. */
  validFor: durationOption(limits.upsellTokenMinutes * minute, {
    topic: 'Unusable upsell token',
    default:
      'The sandbox returns 400 if the token is unknown, expired or used, if it belongs to another merchant, or if a charge with a key has an unknown outcome.',
    why: 'The response is undocumented. The sandbox cannot make the charge.',
  }),
  /**
   * The endpoints whose notifications contain `upsell` with a chargeable token. `none` (default): no
   * endpoint. `merchant`: the merchant's endpoints. `all`: also the endpoints of the sub-account that owns
   * the payment.
   */
  notified: option<UpsellAudience, UpsellAudience>(oneOf('none', 'merchant', 'all'), 'none', {
    topic: 'Upsell token in notifications',
    default:
      "By default, notifications do not contain the token. The responses to the payment request and to its replay contain it. With `createSandbox({ upsell: { notified: 'merchant' } })`, notifications to the merchant's endpoints contain it. With `'all'`, notifications to the sub-account that owns the payment also contain the token.",
    why: 'The fields of a notification are undocumented. For 15 minutes, anyone with the token can charge the card.',
  }),
};

/** Options for upsell tokens. */
export type UpsellRules = GivenOptions<typeof upsellOptions>;

/** The sandbox's default response to POST /v1/vault/tokenize. */
export interface VaultResponse {
  /** The card's token. */
  readonly cardTokenId: string;
  /** The brand in lower case; undefined if the prefix belongs to no known brand. */
  readonly brand?: string;
  /** The last four digits; undefined without a brand. */
  readonly last4?: string;
}

export const vaultOptions = {
  /**
   * Creates the response to POST /v1/vault/tokenize, as a JSON value. Default: `{ cardTokenId, brand, last4
   * }`.
   */
  response: option(functionReader<(card: VaultResponse) => unknown>(), (card: VaultResponse) => card, {
    topic: 'Vault tokens',
    default: `\`POST /v1/vault/tokenize\` accepts raw card data and requires a valid card number as \`number\` (12 to 19 digits). It returns ${responseStatus.cardTokenized} with \`{ cardTokenId, brand, last4 }\`. For an unknown prefix, \`brand\` and \`last4\` are absent. A payment accepts tokens from its merchant's vault and from \`testCardTokens\`. For any other \`cardTokenId\`, the sandbox returns 400.`,
    why: 'The format is undocumented. Payments use these names.',
  }),
};

/** Options of the vault. */
export type VaultRules = GivenOptions<typeof vaultOptions>;

export const paymentDefaults: readonly DefaultEntry[] = [
  {
    topic: 'A payment key reused with a different payload',
    default: `The sandbox returns ${responseStatus.keyReused} with the code \`idempotency_key_reused\`. It compares payloads as JSON and ignores the order of their properties.`,
    why: 'The documented 409 for reused keys applies to sub-accounts. For payments, a 409 means an unknown outcome.',
    option: 'statuses.keyReused',
  },
  {
    topic: 'Response to an invalid payment',
    default: `The sandbox returns ${responseStatus.paymentInvalid} with the code \`invalid_request\`. \`issues\` lists the violations, such as an amount out of bounds, mixed card modes or an unknown token. If the body is not JSON, the sandbox returns 400 in any case.`,
    why: 'The error statuses of payment validation are undocumented. The API docs list 400 for onboarding.',
    option: 'statuses.paymentInvalid',
  },
  {
    topic: 'First attempt with an unknown outcome',
    default: `The first attempt gets a ${responseStatus.acquirerUnknown}. Later valid requests with the same key get a 409, regardless of their payload, until \`control.payments.resolve\` resolves the outcome. With some test cards, the outcome resolves on its own after one minute. If the request has no key, the sandbox does not charge the customer, and you cannot resolve the outcome.`,
    why: 'The API docs describe the 409, but not the first response.',
    option: 'statuses.acquirerUnknown',
  },
  {
    topic: 'Resolving an unknown outcome',
    default:
      "`'created'` creates the payment when the outcome is resolved. If the payment uses the test card for unknown outcomes, it is approved. `'not-created'` releases the key. The sandbox then treats the next request with that key as the first one, and approves a payment with the same test card.",
    why: 'The API docs mention reconciliation without describing it.',
    fixed: 'A control method or a test card determines how and when the outcome is resolved.',
  },
  paymentOptions.transitions,
  {
    topic: 'Statuses after a chargeback, a cancellation and an expiry',
    default: 'A payment can have the status `chargedback`, `cancelled` or `expired`.',
    why: 'The API docs list events with these names. The API docs do not say whether payments have these statuses.',
    fixed: 'The documented events have these names.',
  },
  {
    topic: 'First status',
    default:
      'A Pix or boleto payment starts as pending, unless `customer.name` or `externalId` is `testNames.refused`. Other `testNames` change the status later. For a card, the number in the request or in the vault selects the outcome (`testCards`, `testCardTokens`). The sandbox approves payments with any other valid number. A value of `testWalletTokens` in `wallet` selects the outcome. Other wallet payments are approved. An upsell charge is approved, unless the first payment used `testCards.upsellRefused`.',
    why: 'The values that a test sends select the outcome.',
    fixed: 'The values in the request select the status, so a test can choose the outcome.',
  },
  {
    topic: 'Card payment without card or wallet data',
    default: `The sandbox returns ${responseStatus.paymentInvalid}, even if the client's checks are turned off. The sandbox charges nothing and issues no upsell token.`,
    why: 'The API docs describe card data and wallet data as ways to send a card, but do not say that either is required.',
    fixed: 'Without a card, nothing can be charged, and a misspelt field must not look like a sale.',
  },
  paymentOptions.tokenInstallments,
  vaultOptions.response,
  {
    topic: 'Card in the response',
    default:
      "The response has `brand` (in lower case, from the prefix) and `last4`. Both are absent for an unknown prefix. A wallet payment has only `wallet.type`. An upsell payment has the first payment's card.",
    why: 'The API docs show both fields or neither. For wallet payments, they omit both but show `wallet.type`.',
    fixed: 'Responses use both documented formats: one with `brand` and `last4`, and one without.',
  },
  {
    topic: 'Customer in the response',
    default:
      "The response contains the customer's name, email and document as sent. The customer's other fields are `null`. An upsell payment has the first payment's customer. If any other payment has no customer, its response has none either.",
    why: 'The API docs say that the customer is returned when available.',
    fixed: 'Each response has one of the two documented formats: with or without a customer.',
  },
  paymentOptions.refusalReason,
  upsellOptions.issued,
  upsellOptions.validFor,
  upsellOptions.notified,
  paymentOptions.uniqueExternalId,
  {
    topic: 'Pix expiration',
    default:
      "The expiration must be at least 1 second. The payment then expires on its own, according to the sandbox's clock.",
    why: 'Only the unit and the default are documented.',
    fixed: 'No customer can pay in less than a second, and each payment sets its own expiration.',
  },
  paymentOptions.dueDay,
  responsesOption,
  {
    topic: 'digitableLine',
    default:
      'The line consists of 47 digits, with valid check digits and the code of a nonexistent bank (999). By default, it appears in notifications and in the PDF, but not in responses to payments.',
    why: 'The format is undocumented. Receivers might check the digits.',
    fixed: "With a real bank's code, somebody could pay the boleto with real money.",
  },
  {
    topic: 'Boleto PDF for a different payment method',
    default: `The sandbox returns ${responseStatus.notABoleto} with the code \`not_a_boleto\`, or 404 if the payment is unknown.`,
    why: 'Both responses are undocumented.',
    option: 'statuses.notABoleto',
  },
];
