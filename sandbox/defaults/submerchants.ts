import { integerReader, oneOf, validIf } from '../../src/validation/options.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import { minute } from '../time/units.js';
import type { DefaultEntry } from './default-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';
import { responseStatus } from './statuses.js';

/** Milliseconds from the submission. */
const reviewAfter = minute;

/** Milliseconds from the submission. */
const approveAfter = 10 * minute;

/** In cents. */
const defaultFee = 0;

const minutes = (milliseconds: number) => `${milliseconds / minute} min`;

/** The document formats that the sandbox recognises, by their first bytes. */
export const documentFormats = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG/,
  webp: /^RIFF.{4}WEBP/s,
  heic: /^.{4}ftyp(heic|heix|mif1)/s,
  pdf: /^%PDF-/,
};

/** The name of a document format. */
export type DocumentFormat = keyof typeof documentFormats;

const isFormat = (value: unknown): value is DocumentFormat => Object.hasOwn(documentFormats, String(value));

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
  /**
   * The time from an onboarding's submission until it is `in_review`, on the sandbox's clock. Default 1
   * minute.
   */
  reviewAfter: durationOption(reviewAfter, {
    topic: 'Onboarding statuses',
    default: `An onboarding starts as \`submitted\`, becomes \`in_review\` after ${minutes(reviewAfter)}, and then becomes \`approved\` or \`rejected\`. The sandbox approves it ${minutes(approveAfter)} after the submission or resend, or after the time in \`createSandbox({ kyc: { approveAfter } })\`, on the sandbox's clock. To approve or reject it earlier, use \`control.onboarding\`. To get a different decision, use \`testNames\` or \`testDocuments\`.`,
    why: 'Only `submitted` is documented. KYC is asynchronous, and its duration is undocumented.',
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
      default: 'No field is required. Without a `cnpj`, no payment can refer to the sub-account.',
      why: 'The API docs do not say which fields are required.',
    },
  ),
  /**
   * The formats that an onboarding's files can have, such as `['jpeg', 'png', 'pdf']`, recognised by their
   * first bytes. Default: any.
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
        "The sandbox accepts non-empty files of any type, within the form's size limit. With `createSandbox({ kyc: { documentFormats: ['jpeg', 'png', 'pdf'] } })`, it returns 400 for an onboarding file whose first bytes match none of these formats.",
      why: 'Size and format limits for documents are undocumented.',
    },
  ),
  /**
   * The time from an onboarding's submission to its approval, on the sandbox's clock. Default 10 minutes;
   * `false`: never.
   */
  approveAfter: new Option<Duration | false, number | undefined>(
    validIf((value) => value === false || isDuration(value), `must be false, or ${durationForms}`),
    (value = approveAfter) => (value === false ? undefined : milliseconds(value)),
    {
      topic: 'Approved onboarding',
      default:
        "An approved onboarding becomes an active sub-account, identified by the CPF or CNPJ, if sent. The sub-account's `externalId` is the onboarding's idempotency key. The sandbox sends no notification.",
      why: 'The API docs describe no event for an approval.',
    },
  ),
};

export const withdrawalOptions = {
  /**
   * Whether a withdrawal is limited to its sub-account's balance. `ignored` (default): any amount is
   * accepted. `required`: an amount above the balance gets a 400.
   */
  balance: option(oneOf('ignored', 'required'), 'ignored', {
    topic: 'Balances',
    default:
      "A sub-account's balance is its income from paid payments, minus its withdrawals (excluding failed ones). The income comes from split rules and from payments that the sub-account owns. A refund or chargeback removes the payment from the income. `control.submerchants.balances()` and the sandbox's page show the balance. The sandbox accepts a withdrawal of any amount. With `createSandbox({ withdrawals: { balance: 'required' } })`, it returns 400 with the code `insufficient_balance` if the amount exceeds the balance.",
    why: 'The API docs describe withdrawals, but not balances.',
  }),
};

/** Options of withdrawals. */
export type WithdrawalOptions = GivenOptions<typeof withdrawalOptions>;

/** Options for the identity check of sellers (KYC). */
export type KycOptions = GivenOptions<typeof kycOptions>;

/** The KYC options, except `approveAfter`. */
export type KycRules = Omit<KycOptions, 'approveAfter'>;

export const submerchantKeysOption = option(oneOf('together', 'apart'), 'together', {
  topic: 'Keys for sub-account creation and onboarding',
  default:
    'Sub-account creation and the two onboarding operations share one set of keys per merchant. The same key in a different operation counts as a key with a different payload, so the sandbox returns 409. Two payloads are the same if their string fields match and their files have the same bytes, names and types. The boundary and the order of parts with different names do not matter. You can reuse the key of a rejected request.',
  why: 'The key becomes the `externalId`. The API docs do not say when two payloads count as the same.',
});

export const feeOption = option(integerReader(0, 'a number of cents'), defaultFee, {
  topic: 'Resolved split',
  default: `The response has \`split: { netAmount, entries: [{ role, internalId, document, amount }] }\`, with the entries in the order of the rules and the owner last. If the merchant is the owner, its entry has only \`role\` and \`amount\`. The net amount is the amount minus the fee, but at least 0. The fee is the value of \`createSandbox({ fee })\`, or ${defaultFee} cents by default. A percentage applies to the net amount, and the owner gets the rest. Shares are rounded down to the cent. The remaining cents go to the shares with the largest remainders, one cent each. In a tie, the first rule gets the cent. The shares add up to the net amount.`,
  why: 'The API docs show an object with an amount per recipient. The fee and the rounding are undocumented.',
});

export const submerchantDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Sub-account creation',
    default: `The sandbox returns ${responseStatus.submerchantCreated} with \`{ internalId, externalId, status }\`. The \`externalId\` is the idempotency key, and the sub-account is active immediately. The sandbox keeps the form's other string fields, but not its files.`,
    why: 'The response is undocumented. The API docs describe a review for onboarding only.',
    option: 'statuses.submerchantCreated',
  },
  {
    topic: 'Sub-account update',
    default:
      'The sandbox returns 200 with `{ internalId, externalId, status }`, and also keeps undocumented fields.',
    why: 'The body of the success response is undocumented.',
    fixed: 'To replace the response, add a fault with a status and a body.',
  },
  {
    topic: 'Fee updates',
    default:
      "The sandbox returns 404 until you set a path with `createSandbox({ submerchantUpdates: { fees: 'PATCH /v1/submerchants/{internalId}/fees' } })`. The sandbox then accepts any JSON object and returns 200 with `{ internalId, externalId, status }`. The sandbox discards the object, but counts the request towards the `submerchants` limit.",
    why: 'The API docs mention the update and its limit, but neither its path nor its body.',
    option: 'submerchantUpdates.fees',
  },
  {
    topic: 'Bank account updates',
    default:
      'Bank account updates work like fee updates, but use the path in `createSandbox({ submerchantUpdates: { bankAccount } })`.',
    why: 'The API docs mention the update and its limit, but neither its path nor its body.',
    option: 'submerchantUpdates.bankAccount',
  },
  {
    topic: 'Sub-account statuses',
    default: 'A sub-account is `active` or `inactive`. `control.submerchants.setStatus` sets the status.',
    why: 'The API docs name only `active`.',
    fixed: '`control.submerchants.setStatus` selects the status.',
  },
  {
    topic: 'Several sub-accounts with one document',
    default:
      'The sandbox allows several sub-accounts with the same document. The document then identifies the oldest active sub-account.',
    why: 'The rule is undocumented.',
    fixed:
      'A platform might reject a second sub-account, and a test can simulate that rejection with a fault. If the document belongs to only one sub-account, the rule makes no difference.',
  },
  submerchantKeysOption,
  {
    topic: 'Forms',
    default:
      'The sandbox returns 400 if a documented field is repeated, or is a string instead of a file or vice versa. `bankAccount` must be a string that contains a JSON object. A part is a file if it has a `filename` or the type `application/octet-stream`. The sandbox accepts other fields unchanged.',
    why: 'The fields are documented, but the responses to mistakes are not.',
    fixed: 'The API docs list 400 for invalid data.',
  },
  kycOptions.documentFormats,
  kycOptions.requiredPj,
  kycOptions.reviewAfter,
  {
    topic: 'Onboarding status query',
    default:
      "The response is `{ registration_id, status, can_resubmit }`. After approval, the response also contains the sub-account's `internalId`. `can_resubmit` is true only after a rejection with `canResubmit`.",
    why: 'Only `can_resubmit` is documented. Without the `internalId`, no request could update an approved sub-account.',
    fixed: 'Without the `internalId`, no request could update the sub-account.',
  },
  {
    topic: 'Resending documents',
    default: `The sandbox returns ${responseStatus.notResubmittable} with the code \`not_resubmittable\`, unless \`can_resubmit\` is true. A new file replaces any earlier file in the same field, and the registration is submitted again.`,
    why: 'The rule is documented, but the response and the next status are not.',
    option: 'statuses.notResubmittable',
  },
  kycOptions.approveAfter,
  {
    topic: 'Features',
    default:
      "To submit an onboarding or resend documents, a merchant needs `paas`. For payments with split rules, it needs both `paas` and `split`. Otherwise, the sandbox returns 403 with the code `feature_not_enabled`, before it checks the fields of the body. A replayed submission or payment needs neither feature. By default, a new merchant has only `paas`. `control.features` changes a merchant's features.",
    why: 'The API docs require both features for a split, and list the 403 for onboarding.',
    option: 'features',
  },
  {
    topic: 'Owner sub-account',
    default:
      '`subMerchant.document.number`, with or without punctuation, must identify an active sub-account of the merchant. Otherwise, the sandbox returns 400. The response has `subMerchant: { internalId, document }`.',
    why: 'A document identifies the sub-account. The inner names and the public data are undocumented.',
    fixed: 'In the API docs, a CPF or CNPJ identifies the sub-account. `fieldNames` changes the outer names.',
  },
  {
    topic: 'Split rules',
    default:
      'A rule is `{ document: { number }, percentage }` (at most two decimal places) or `{ document: { number }, amount }` (in cents). The sandbox returns 400 if a receiver is not an active sub-account, is the owner, or has two rules. It also returns 400 if a share is not above 0, or if the rules add up to more than the net amount.',
    why: 'The inner names are undocumented.',
    fixed:
      "The client sends a rule's field names unchanged, and the sandbox must know these names to divide the amount.",
  },
  feeOption,
  {
    topic: 'Withdrawals',
    default: `The body is \`{ internalId, amount }\`, with the id of a sub-account and an amount of at least 1 cent. The response is ${responseStatus.withdrawalCreated} with \`{ withdraw_id, status }\`. The sandbox returns 404 for another merchant's sub-account and 400 for an inactive sub-account. \`control.withdrawals\` moves a pending withdrawal to \`completed\` or \`failed\`.`,
    why: 'The body and the other statuses are undocumented.',
    option: 'statuses.withdrawalCreated',
  },
  withdrawalOptions.balance,
];
