import type { Issue } from '../validation/issue.js';
import { objectProblem } from '../validation/record.js';

/** The names of the checks that the API docs do not require. */
const names = [
  'key.missingValue',
  'key.misplaced',
  'field.name',
  'payment.required',
  'payment.cardData',
  'customer.document',
  'phone.plus',
  'file.empty',
  'webhooks.event',
  'webhooks.secret',
] as const;

/** The name of a check that the API docs do not require. */
export type SdkCheck = (typeof names)[number];

/**
 * Values that this package rejects although the API docs allow them, with the reason. Each check protects money or
 * personal data. The client option `checks` turns them off, one by one or all at once.
 */
export const sdkChecks: Readonly<Record<SdkCheck, string>> = Object.freeze({
  'key.missingValue':
    'A key that JavaScript has made of a missing value (`order-undefined`, `[object Object]`) is the same for every order: the second one would get the payment of the first.',
  'key.misplaced':
    'A key that is written as a field of the order, of its metadata or as a header is ignored: a random one is sent, and the next call charges again.',
  'field.name':
    'A name close to a documented field, such as `card.instalments`, is probably ignored. The customer would pay in one installment. Send fields that only your contract has in `extraBody`.',
  'payment.required':
    'The API docs do not say which fields a payment requires. Without `amount`, `paymentMethod` or `items`, or with `credit_card` and neither `card` nor `wallet`, one of them is misspelt.',
  'payment.cardData':
    'The API docs describe `card` and the 3DS result for card payments. Beside Pix or boleto, card data would reach a payment that does not need it.',
  'customer.document':
    'The API docs describe no empty CPF or CNPJ. An empty `number` or `type` of `customer.document` is a value that got lost on its way.',
  'phone.plus':
    'The API docs say E.164, and show no number. Without the plus sign, the first digits could be a country or an area, so the platform may call somebody else.',
  'file.empty':
    'The API docs give no limits of files. One of 0 bytes, in a field that they describe as a file, is a missing document.',
  'webhooks.event':
    'The API docs list nine events, and say that new ones can be added. A name that is nearly one of the nine is misspelt, and is never delivered.',
  'webhooks.secret':
    'A secret with white space at its ends or an invisible character was pasted with it. The platform would sign with it, and a receiver with the clean secret rejects every delivery.',
});

/** Values that the package accepts although the API docs are narrower, with the reason. */
export const ownAllowances = Object.freeze({
  'letters in a CNPJ':
    'The API docs say digits. A CNPJ has letters since July 2026, so the 12 characters before its check digits may be letters.',
  'plain http for a webhook URL on loopback':
    'The API docs say HTTPS only. Only a sandbox can reach a loopback address.',
});

/** The package's own checks that are turned off. */
export type ChecksOff = ReadonlySet<string>;

/** The client option `checks`. */
export type Checks = 'all' | 'document' | { readonly [Check in SdkCheck]?: boolean | undefined };

/** Lists the checks that an option turns off. */
export function checksOff(checks: Checks = 'all'): ChecksOff {
  if (checks === 'all') return new Set();
  return new Set(checks === 'document' ? names : names.filter((name) => checks[name] === false));
}

/** Explains why the option `checks` is invalid. Undefined if it is valid. */
export function checksProblem(input: unknown): string | undefined {
  if (input === 'all' || input === 'document') return undefined;
  if (objectProblem(input) !== undefined)
    return `must be 'all', 'document', or an object such as { 'key.missingValue': false }`;
  const wrong = Object.entries(input as object).find(
    ([name, value]) =>
      !names.some((known) => known === name) || (value !== undefined && typeof value !== 'boolean'),
  );
  return wrong && `has ${wrong[0].slice(0, 40)}: it takes true or false for ${names.join(', ')}`;
}

/** Removes the issues of checks that are turned off. */
export const withoutChecks = (issues: readonly Issue[], off: ChecksOff): readonly Issue[] =>
  off.size === 0
    ? issues
    : issues.filter((issue) => !Object.hasOwn(issue, 'check') || !off.has(issue.check ?? ''));
