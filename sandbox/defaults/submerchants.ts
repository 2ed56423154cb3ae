import { anInteger, oneOf, validIf } from '../../src/validation/options.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import { minute } from '../time/units.js';
import type { DefaultEntry } from './default-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';
import { answerStatus } from './statuses.js';

/** Milliseconds from the submission of an onboarding to its review. */
const reviewAfter = minute;

/** Milliseconds from the submission of an onboarding to its approval. */
const approveAfter = 10 * minute;

/** The platform's fee for a payment, in cents. */
const defaultFee = 0;

const minutes = (milliseconds: number) => `${milliseconds / minute} min`;

/** The formats of documents that a sandbox tells apart, by their first bytes. */
export const documentFormats = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG/,
  webp: /^RIFF.{4}WEBP/s,
  heic: /^.{4}ftyp(heic|heix|mif1)/s,
  pdf: /^%PDF-/,
};

/** A format of documents. */
export type DocumentFormat = keyof typeof documentFormats;

const isFormat = (value: unknown): value is DocumentFormat => Object.hasOwn(documentFormats, String(value));

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

type PjField = (typeof pjFields)[number];

export const kycOptions = {
  /** How long after its submission an onboarding is `in_review`, on the clock. Default 1 minute. */
  reviewAfter: durationOption(reviewAfter, {
    topic: 'Onboarding statuses',
    default: `submitted, in_review after ${minutes(reviewAfter)}, then approved or rejected. Approved on its own ${minutes(approveAfter)} after the submission or resend, on the clock, or after createSandbox({ kyc: { approveAfter } }), or by control.onboarding; rejected only by the control. testNames and testDocuments select another decision.`,
    why: 'Only submitted is documented. KYC is asynchronous, and its duration is undocumented.',
  }),
  /** The fields that an onboarding PJ must have, such as `['cnpj', 'contratoSocial']`. Default: none. */
  requiredPj: option<readonly PjField[], readonly PjField[]>(
    validIf(
      (value) => Array.isArray(value) && value.every((name) => pjFields.includes(name)),
      `must be a list of ${pjFields.join(', ')}`,
    ),
    [],
    {
      topic: 'Fields of onboarding PJ',
      default: 'None is required. Without a cnpj no payment can refer to the sub-account.',
      why: 'Which fields are required is undocumented.',
    },
  ),
  /**
   * The formats that the files of an onboarding may have, such as `['jpeg', 'png', 'pdf']`, by their first bytes.
   * Default: any.
   */
  documentFormats: option<readonly DocumentFormat[], undefined>(
    validIf(
      (value) => Array.isArray(value) && value.length > 0 && value.every(isFormat),
      `must be a list of ${Object.keys(documentFormats).join(', ')}`,
    ),
    undefined,
    {
      topic: 'Files',
      default:
        "Any type, and any size within the limit of the form. createSandbox({ kyc: { documentFormats: ['jpeg', 'png', 'pdf'] } }) returns 400 for an onboarding file whose first bytes match none of them.",
      why: 'Size and format limits of documents are undocumented.',
    },
  ),
  /** How long after its submission an onboarding is approved, on the clock. Default 10 minutes; `false`: never. */
  approveAfter: new Option<Duration | false, number | undefined>(
    validIf((value) => value === false || isDuration(value), `must be false, or ${durationForms}`),
    (value = approveAfter) => (value === false ? undefined : milliseconds(value)),
    {
      topic: 'Approved onboarding',
      default:
        'Becomes an active sub-account with the key as its externalId, identified by its CPF or CNPJ. No notification is sent.',
      why: 'No event for it is documented.',
    },
  ),
};

export const withdrawalOptions = {
  /**
   * Whether a withdrawal may be more than the balance of its sub-account. `ignored` (default): any amount is accepted;
   * `required`: more than the balance gets a 400.
   */
  balance: option(oneOf('ignored', 'required'), 'ignored', {
    topic: 'Balances',
    default:
      "A balance is a sub-account's income from paid payments, as owner or by split rules, less its withdrawals that did not fail. Refunds and chargebacks subtract their payment. control.submerchants.balances() and the page show it. Any amount is accepted anyway; createSandbox({ withdrawals: { balance: 'required' } }) returns 400 insufficient_balance for a larger amount.",
    why: 'The API docs describe withdrawals, but no balance.',
  }),
};

/** Options of withdrawals. */
export type WithdrawalOptions = GivenOptions<typeof withdrawalOptions>;

/** Options of the KYC. */
export type KycOptions = GivenOptions<typeof kycOptions>;

/** Options of the KYC, besides `approveAfter`. */
export type KycRules = Omit<KycOptions, 'approveAfter'>;

export const submerchantKeysOption = option(oneOf('together', 'apart'), 'together', {
  topic: 'Keys of sub-account creation and onboarding',
  default:
    'The three operations share one set of keys per merchant: the same key on another of them counts as another payload, 409. Two payloads are the same if their string fields and the bytes, names and types of their files are equal; the boundary and the order of the parts do not matter. A rejected request leaves its key free.',
  why: 'The key becomes the externalId. The API docs do not say when two payloads are the same.',
});

export const feeOption = option(anInteger(0, 'a number of cents'), defaultFee, {
  topic: 'Resolved split',
  default: `split: { netAmount, entries: [{ role, internalId, document, amount }] }, in the order of the rules, the owner last; if the merchant is the owner, its entry has only role and amount. The net amount is the amount less a fee of ${defaultFee} cents, or of createSandbox({ fee }), and at least 0. Percentages are of the net amount; the owner gets the rest. Shares are rounded down to the cent, and the remaining cents go one each to the largest remainders, the first one on a tie. The sum is the net amount.`,
  why: 'The API docs show an object with an amount per receiver. Fee and rounding are undocumented.',
});

/** The sandbox's defaults for sub-accounts, onboarding, splits and withdrawals. */
export const submerchantDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Sub-account creation',
    default: `${answerStatus.submerchantCreated} { internalId, externalId, status }; externalId is the idempotency key, and the status is active at once. The form's other string fields are kept, files are not.`,
    why: 'The response is undocumented; a review is described for onboarding only.',
    option: 'statuses.submerchantCreated',
  },
  {
    topic: 'Sub-account update',
    default: '200 { internalId, externalId, status }; undocumented fields are also kept.',
    why: 'The body of the success response is undocumented.',
    fixed: 'A client returns any response. A fault with a status and a body replaces it.',
  },
  {
    topic: 'Updates of fees',
    default:
      "404, until createSandbox({ submerchantUpdates: { fees: 'PATCH /v1/submerchants/{internalId}/fees' } }) names a path. Then any JSON object gets 200 { internalId, externalId, status }. The object is discarded, and the request counts in the limit of submerchants.",
    why: 'The API docs mention the update and its limit, but neither its path nor its body.',
    option: 'submerchantUpdates.fees',
  },
  {
    topic: 'Updates of the bank account',
    default: 'Like updates of fees, at the path of createSandbox({ submerchantUpdates: { bankAccount } }).',
    why: 'The API docs mention the update and its limit, but neither its path nor its body.',
    option: 'submerchantUpdates.bankAccount',
  },
  {
    topic: 'Sub-account statuses',
    default: 'active and inactive, set by control.submerchants.setStatus.',
    why: 'The API docs name only "active".',
    fixed: 'control.submerchants.setStatus selects it.',
  },
  {
    topic: 'Several sub-accounts with one document',
    default: 'Allowed; the document then identifies the oldest active one.',
    why: 'Undocumented.',
    fixed:
      'The platform may reject them, which a test can simulate with a fault. With one sub-account it makes no difference.',
  },
  submerchantKeysOption,
  {
    topic: 'Forms',
    default:
      '400 for a documented field that is sent twice, for a file instead of a string or the reverse, and for a bankAccount that is not a string with a JSON object. A part is a file if it has a filename or is application/octet-stream. Other fields are accepted unchanged.',
    why: 'The fields are documented, the responses to mistakes are not.',
    fixed: 'A client never sends such a form, and the API docs list 400 for invalid data.',
  },
  kycOptions.documentFormats,
  kycOptions.requiredPj,
  kycOptions.reviewAfter,
  {
    topic: 'Onboarding status query',
    default:
      '{ registration_id, status, can_resubmit }, and the internalId of the sub-account once it is approved; can_resubmit is true only after a rejection with canResubmit.',
    why: 'Only can_resubmit is documented; without the internalId, no request could name an approved sub-account.',
    fixed:
      'A client reads only can_resubmit and status; without internalId, no request could name the sub-account.',
  },
  {
    topic: 'Resend of documents',
    default: `${answerStatus.notResubmittable} not_resubmittable unless can_resubmit is true. Files replace those with the same field name, and the registration is submitted again.`,
    why: 'The rule is documented, the response and the next status are not.',
    option: 'statuses.notResubmittable',
  },
  kycOptions.approveAfter,
  {
    topic: 'Features',
    default:
      'paas for submitting an onboarding and resending its documents, paas and split for payments with split rules; otherwise 403 feature_not_enabled, before the body is checked. A repeated submission or payment needs neither. A new merchant has paas and not split, unless createSandbox or addMerchant set features; control.features changes them.',
    why: 'The API docs require both for split, and list the 403 for onboarding.',
    option: 'features',
  },
  {
    topic: 'Owner sub-account',
    default:
      'subMerchant.document.number must name an active sub-account of the merchant, with or without punctuation, otherwise 400. The response has subMerchant: { internalId, document }.',
    why: 'It is identified by its document; the inner names and its public data are undocumented.',
    fixed: 'The API docs identify it by its CPF or CNPJ. fieldNames changes the outer names.',
  },
  {
    topic: 'Split rules',
    default:
      '{ document: { number }, percentage } with at most two decimals, or { document: { number }, amount } in cents. 400 if a receiver is not an active sub-account, is the owner or has two rules, if a share is not above 0, and if the rules add up to more than the net amount.',
    why: 'The inner names are undocumented.',
    fixed: 'The inner names are sent unchanged, and the sandbox needs some names to divide the amount.',
  },
  feeOption,
  {
    topic: 'Withdrawals',
    default: `The body is { internalId, amount }: a sub-account, and at least 1 cent; ${answerStatus.withdrawalCreated} { withdraw_id, status }. 404 for a sub-account of another merchant, 400 for one that is not active. control.withdrawals moves pending to completed or failed.`,
    why: 'The body and the other statuses are undocumented.',
    option: 'statuses.withdrawalCreated',
  },
  withdrawalOptions.balance,
];
