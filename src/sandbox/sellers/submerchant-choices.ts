import { answerStatus, type Choice } from '../choices.js';
import { defaultFee } from '../payments/split.js';
import { defaultApproval, reviewAfter } from './onboarding.js';

const minutes = (milliseconds: number) => `${milliseconds / 60_000} min`;

/** What the API document leaves open about sub-accounts, onboarding, split and withdrawals. */
export const submerchantChoices: readonly Choice[] = [
  {
    topic: 'Sub-account creation',
    choice: `${answerStatus.submerchantCreated} { internalId, externalId, status }; externalId is the idempotency key, and the status is active at once. Further text fields of the form are kept, files are not.`,
    why: 'The response is not shown; a review is described for onboarding only.',
  },
  {
    topic: 'Sub-account update',
    choice: '200 { internalId, externalId, status }; fields that the document does not name are kept too.',
    why: 'The body of the success response is not shown.',
  },
  {
    topic: 'Sub-account statuses',
    choice: 'active and inactive, by control.submerchants.setStatus.',
    why: 'Only "active" is named.',
  },
  {
    topic: 'Several sub-accounts with one document',
    choice: 'Allowed; the oldest active one is meant by the document.',
    why: 'Not shown.',
  },
  {
    topic: 'Keys of sub-account creation and onboarding',
    choice:
      'One space of keys for the three operations of a merchant: the same key on another of them is another payload, 409. Equal are the text fields and the bytes, names and types of the files; the boundary and the order of the parts are irrelevant. Only a success is kept: a refused request leaves its key free.',
    why: 'The key becomes the externalId; what makes a payload the same is not shown.',
  },
  {
    topic: 'Forms',
    choice:
      '400 for a named field that is sent twice, for a file where text is expected and the reverse, and for a bankAccount that is not a JSON object as text. A part is a file when it has a filename or is application/octet-stream. Other fields are accepted as they are.',
    why: 'The fields are listed, the answers to mistakes are not.',
  },
  {
    topic: 'Files',
    choice: 'Any type, and any size within the limit of the form; the content is not looked at.',
    why: 'Size and format limits of documents are not shown.',
  },
  {
    topic: 'Fields of onboarding PJ',
    choice: 'None is required. Without a cnpj the sub-account cannot be named in payments.',
    why: 'Required and optional are not shown.',
  },
  {
    topic: 'Onboarding statuses',
    choice: `submitted, in_review after ${minutes(reviewAfter)}, then approved or rejected. Approved by itself ${minutes(defaultApproval)} after the submission or resend, on the clock, or after createSandbox({ kyc: { approveAfter } }), or by control.onboarding; rejected only by the control.`,
    why: 'Only submitted is shown; KYC is asynchronous and its duration is not stated.',
  },
  {
    topic: 'Onboarding status query',
    choice:
      '{ registration_id, status, can_resubmit }, and internalId of the sub-account once it is approved; can_resubmit is true only after a rejection that says so.',
    why: 'Only can_resubmit is shown; without the internalId an approved sub-account could not be named in any call.',
  },
  {
    topic: 'Resend of documents',
    choice: `${answerStatus.notResubmittable} not_resubmittable unless can_resubmit is true. Files take the place of those with the same name, and the registration is submitted again.`,
    why: 'The rule is stated, the answer and the status afterwards are not.',
  },
  {
    topic: 'Approved onboarding',
    choice:
      'Becomes an active sub-account with the key as its externalId, identified by its CPF or CNPJ. No notification is sent.',
    why: 'No event for it is shown.',
  },
  {
    topic: 'Features',
    choice:
      'paas for submitting an onboarding and resending its documents, paas and split for payments with split rules; otherwise 403 feature_not_enabled, before the rules of the body; a repeated submission or payment asks for neither. A new merchant has paas and not split, unless createSandbox or addMerchant say so; control.features changes it.',
    why: 'The document says that split needs both, and shows the 403 for onboarding.',
  },
  {
    topic: 'Owner sub-account',
    choice:
      'subMerchant.document.number names an active sub-account of the merchant, with or without punctuation, otherwise 400. The answer shows subMerchant: { internalId, document }.',
    why: 'It is identified by its document; the names inside and its public data are not shown.',
  },
  {
    topic: 'Split rules',
    choice:
      '{ document: { number }, percentage } with at most two decimals, or { document: { number }, amount } in cents. 400 when a receiver is no active sub-account, is the owner or is named twice, when a share is not above 0, and when the rules give away more than the net amount.',
    why: 'The inner names are not shown.',
  },
  {
    topic: 'Resolved split',
    choice: `split: { netAmount, entries: [{ role, internalId, document, amount }] }, in the order of the rules, the owner last; of an owner that is the merchant only role and amount. The net amount is the amount less a fee of ${defaultFee} cents, or of createSandbox({ fee }), and at least 0. Percentages are of the net amount; the owner gets the rest. Shares are rounded down to the cent, and the cents left over go one each to the largest remainders, between equals to the first: the sum is the net amount.`,
    why: 'The document shows an object with an amount for each receiver; fee and rounding are not shown.',
  },
  {
    topic: 'Withdrawals',
    choice: `The body is { internalId, amount }, of a sub-account and in cents, at least 1; ${answerStatus.withdrawalCreated} { withdraw_id, status }. 404 for a sub-account of somebody else, 400 for one that is not active. There are no balances: any amount is accepted. control.withdrawals takes pending to completed or failed.`,
    why: 'Neither the body nor other statuses are shown.',
  },
];
