import { type Checks, checksOff, checksProblem } from '../contract/own-checks.js';
import {
  aBoolean,
  aFunction,
  anInteger,
  oneOf,
  optionsOf,
  type Readers,
  readIf,
  readUnless,
} from '../input/options.js';
import {
  type AnswerName,
  type Audience,
  defaultRules,
  type Rules,
  type SandboxProblem,
  type VaultAnswer,
} from './choices/rules.js';
import { forEachTransition, paymentStatuses, type Status, type Transition } from './choices/transitions.js';
import { answerStatus, audiences } from './choices/values.js';
import type { Refusal } from './scenarios/card-outcomes.js';
import { type Duration, durationForms, isDuration, milliseconds } from './time/duration.js';

/** Fields of onboarding PJ that a platform may require. */
const pjFields = [
  'cnpj',
  'representativeCpf',
  'representativeName',
  'birthDate',
  'phone',
  'email',
  'bankAccount',
  'documentoFrente',
  'documentoVerso',
  'cnhCompleta',
  'selfie',
  'contratoSocial',
  'cartaoCnpj',
] as const;

/** Options of `createSandbox` for what the API document leaves open. `choices` names the option of each behaviour. */
export interface RuleOptions {
  /**
   * The statuses of answers that are undocumented, such as `{ paymentCreated: 200, acquirerUnknown: 504 }`. Those of
   * successes are 200 to 299, the others 400 to 599. `docs/sandbox-choices.md` has their defaults.
   */
  statuses?: { readonly [Name in AnswerName]?: number | undefined } | undefined;
  /** Makes the body of an error answer, as a value for JSON. Default: `{ error: { code, message, issues } }`. */
  errorBody?: ((problem: SandboxProblem) => unknown) | undefined;
  /** How notifications are delivered. */
  webhooks?: WebhookRules | undefined;
  /** What is open about payments. */
  payments?: PaymentRules | undefined;
  /** What is open about upsell tokens. */
  upsell?: UpsellRules | undefined;
  /** What is open about the vault. */
  vault?: VaultRules | undefined;
  /**
   * Whether a key that was used for a sub-account or an onboarding is used for the other operations too. `together`
   * (default): it is; `apart`: each operation has its own keys.
   */
  submerchantKeys?: 'together' | 'apart' | undefined;
  /**
   * Which checks beyond the API document the sandbox makes, like the client option of the same name.
   * `clientOptions()` passes it to clients. Default: all.
   */
  checks?: Checks | undefined;
}

/** How notifications are delivered where the API document leaves it open. */
export interface WebhookRules {
  /** The time before each of the three resends, from the failure before it. Default `['30s', '1m', '2m']`. */
  resendDelays?: readonly [Duration, Duration, Duration] | undefined;
  /**
   * Whose endpoints are notified of a payment that a sub-account owns (`subMerchant`): `both` (default): the
   * merchant's and those that `webhooks.register({ submerchant })` made; or only one of them.
   */
  audience?: Audience | undefined;
  /**
   * The number of deliveries in a row whose last resend fails before their endpoint becomes `failed`: an integer of
   * at least 1. Default: it stays active.
   */
  endpointFailsAfter?: number | undefined;
  /** Real time that `clock.advance` waits for a receiver that does not answer. Default `'1s'`. */
  receiverPatience?: Duration | undefined;
}

/** What the API document leaves open about payments. */
export interface PaymentRules {
  /** Whether a second payment with an `externalId` is refused with 400. Default false. */
  uniqueExternalId?: boolean | undefined;
  /** Makes the `refusalReason` of a refused payment, as a value for JSON. Default: `{ code, message }`. */
  refusalReason?: ((reason: Readonly<Refusal>) => unknown) | undefined;
  /** The statuses from which a control moves a payment, such as `{ chargeback: ['paid', 'refunded'] }`. */
  transitions?: { readonly [Name in Transition]?: readonly Status[] | undefined } | undefined;
  /** Whether a boleto is paid after it expired. Default true. */
  lateBoletos?: boolean | undefined;
  /** Where the day of a boleto's due date ends: `utc` (default) or `brasilia`, three hours later. */
  dueDay?: 'utc' | 'brasilia' | undefined;
}

/** What is open about upsell tokens, which are best effort. */
export interface UpsellRules {
  /** Whether a paid payment has one. Default true. */
  issued?: boolean | undefined;
  /** How long one is valid. Default `'15m'`, as the API document has it. */
  validFor?: Duration | undefined;
}

/** What the API document leaves open about the vault. */
export interface VaultRules {
  /** Makes the answer of POST /v1/vault/tokenize, as a value for JSON. Default: `{ cardTokenId, brand, last4 }`. */
  answer?: ((card: VaultAnswer) => unknown) | undefined;
}

/** What is open about the KYC, besides `approveAfter`. */
export interface KycRules {
  /** How long after its submission an onboarding is `in_review`, on the clock. Default 1 minute. */
  reviewAfter?: Duration | undefined;
  /** The fields that an onboarding PJ must have, such as `['cnpj', 'contratoSocial']`. Default: none. */
  requiredPj?: readonly (typeof pjFields)[number][] | undefined;
}

const aDuration = readIf<Duration>(isDuration, `must be ${durationForms}`);

const isStatusOf = (name: AnswerName, given: unknown) => {
  const [from, to] = answerStatus[name] < 300 ? [200, 299] : [400, 599];
  return Number.isInteger(given) && Number(given) >= from && Number(given) <= to;
};

const aStatus = (name: AnswerName) =>
  readIf<number>(
    (given) => isStatusOf(name, given),
    `must be a status from ${answerStatus[name] < 300 ? '200 to 299' : '400 to 599'}`,
  );

const statusReaders = Object.fromEntries(
  Object.keys(answerStatus).map((name) => [name, aStatus(name as AnswerName)]),
) as Readers<NonNullable<RuleOptions['statuses']>>;

const isListOf = (names: readonly string[], given: unknown) =>
  Array.isArray(given) && given.every((name) => names.includes(name));

const someStatuses = readIf<readonly Status[]>(
  (given) => isListOf(paymentStatuses, given),
  `must be a list of ${paymentStatuses.join(', ')}`,
);

export const kycRuleReaders: Readers<KycRules> = {
  reviewAfter: aDuration,
  requiredPj: readIf((given) => isListOf(pjFields, given), `must be a list of ${pjFields.join(', ')}`),
};

const webhookReaders: Readers<WebhookRules> = {
  resendDelays: readIf(
    (given) => Array.isArray(given) && given.length === 3 && given.every(isDuration),
    "must be a list of three durations, such as ['30s', '1m', '2m']",
  ),
  audience: oneOf(...audiences),
  endpointFailsAfter: anInteger(1, 'a number of deliveries'),
  receiverPatience: aDuration,
};

const paymentReaders: Readers<PaymentRules> = {
  uniqueExternalId: aBoolean,
  refusalReason: aFunction(),
  transitions: optionsOf<Readers<NonNullable<PaymentRules['transitions']>>>(
    forEachTransition(() => someStatuses),
    'transition',
  ),
  lateBoletos: aBoolean,
  dueDay: oneOf('utc', 'brasilia'),
};

export const ruleReaders: Readers<RuleOptions> = {
  statuses: optionsOf(statusReaders, 'answer'),
  errorBody: aFunction(),
  webhooks: optionsOf(webhookReaders),
  payments: optionsOf(paymentReaders),
  upsell: optionsOf<Readers<UpsellRules>>({ issued: aBoolean, validFor: aDuration }),
  vault: optionsOf<Readers<VaultRules>>({ answer: aFunction() }),
  submerchantKeys: oneOf('together', 'apart'),
  checks: readUnless(checksProblem),
};

/** Milliseconds that a day in Brasília ends after that of UTC. */
const brasilia = 3 * 3_600_000;

const timeOr = <Default>(given: Duration | undefined, otherwise: Default) =>
  given === undefined ? otherwise : milliseconds(given);

/** The rules of checked options. */
export function rulesOf(
  { statuses, errorBody, webhooks, payments, upsell, vault, submerchantKeys, checks }: RuleOptions,
  kyc: KycRules = {},
): Rules {
  const usual = defaultRules;
  return {
    statuses: { ...usual.statuses, ...(statuses as Partial<Rules['statuses']>) },
    errorBody,
    resendDelays: webhooks?.resendDelays?.map(milliseconds) ?? usual.resendDelays,
    audience: webhooks?.audience ?? usual.audience,
    endpointFailsAfter: webhooks?.endpointFailsAfter,
    receiverPatience: timeOr(webhooks?.receiverPatience, usual.receiverPatience),
    reviewAfter: timeOr(kyc.reviewAfter, usual.reviewAfter),
    requiredPj: kyc.requiredPj ?? usual.requiredPj,
    submerchantKeys: submerchantKeys ?? usual.submerchantKeys,
    upsellIssued: upsell?.issued ?? usual.upsellIssued,
    upsellValidFor: timeOr(upsell?.validFor, usual.upsellValidFor),
    uniqueExternalId: payments?.uniqueExternalId ?? usual.uniqueExternalId,
    refusalReason: payments?.refusalReason ?? usual.refusalReason,
    transitions: { ...usual.transitions, ...(payments?.transitions as Partial<Rules['transitions']>) },
    lateBoletos: payments?.lateBoletos ?? usual.lateBoletos,
    dayEndsAfter: payments?.dueDay === 'brasilia' ? brasilia : usual.dayEndsAfter,
    vaultAnswer: vault?.answer ?? usual.vaultAnswer,
    checksOff: checksOff(checks),
  };
}
