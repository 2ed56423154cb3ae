import { shownName } from '../validation/closest-name.js';
import type { Issue } from '../validation/issue.js';
import { objectProblem } from '../validation/record.js';

const names = [
  'key.missingValue',
  'key.misplaced',
  'field.name',
  'field.undefined',
  'payment.required',
  'payment.cardData',
  'payment.reference',
  'item.values',
  'customer.document',
  'document.digits',
  'card.number',
  'card.values',
  'person.birthDate',
  'phone.plus',
  'file.empty',
  'webhooks.event',
  'webhooks.secret',
] as const;

/** The name of a check that the API docs do not require. */
export type SdkCheck = (typeof names)[number];

/** Maps each check to its reason. The `checks` client option turns them off. */
export const sdkChecks: Readonly<Record<SdkCheck, string>> = Object.freeze({
  'key.missingValue':
    "In JavaScript, a missing value results in a key such as `order-undefined` or `[object Object]`. The key would be the same for every order, so the second order would get the first order's payment.",
  'key.misplaced':
    'A key has no effect in a payment field, in the metadata or in a header. The SDK would send a random key instead, so the next call would charge the customer again.',
  'field.name':
    'The platform probably ignores a misspelt field name, such as `card.instalments`. With this misspelling, the platform would probably charge in one instalment. A field of another payment method, such as `pix` in a boleto, would have no effect either. To send a field that only your contract defines, use `extraBody`, or turn this check off for a field inside an object.',
  'field.undefined':
    'JSON leaves undefined fields out. The API docs show no field of a withdrawal or a split rule, so a platform might pay out the whole balance if the amount is missing.',
  'payment.required':
    'If `amount`, `paymentMethod` or `items` is missing, or if `credit_card` has neither `card` nor `wallet`, a field is probably misspelt. The API docs do not say that these fields are required.',
  'payment.cardData':
    'The API docs describe `card` and the 3DS result for card payments. If a Pix or boleto payment contained them, the platform would receive card data that the payment does not need.',
  'payment.reference':
    "The API docs describe `externalReference` as the echo of `externalId`. If the letters or digits of the two values differ, the payment belongs to another order, so the call's outcome is unknown. A long `externalReference` that was cut off, but not within a number, does not count as different. This check stays on even if the `checks` option is `document`.",
  'item.values':
    'The API docs describe `quantity` as an integer, without limits. Nobody buys 0 units or fewer.',
  'customer.document':
    'The API docs do not describe an empty CPF or CNPJ. An empty `number` or `type` of `customer.document` means that your code lost the value.',
  'document.digits':
    "The API docs name the CPF and the CNPJ, whose last two digits are check digits. A number with wrong check digits, one repeated digit or the form of the other type belongs to nobody. A customer's document of another type, such as a passport, is not checked, and one without a type only for repetition. To send a number that only your staging environment accepts, turn this check off.",
  'card.number':
    'The last digit of a card number is a check digit (Luhn). A number with a wrong one is probably mistyped. Numbers with other characters than digits, spaces and hyphens are not checked. The check also applies to fields of this name in `vault.tokenize`. To send a test number of your platform, or an alias that a proxy replaces, turn this check off.',
  'card.values':
    'No card is paid in 0 instalments, and no card expires in month 13 or in the year 30. An issuer declines a card that has expired. The API docs describe these fields as integers, without limits. The check also applies to fields of these names in `vault.tokenize`. If your platform expects years of two digits, turn this check off.',
  'person.birthDate':
    'The API docs require a date of birth as YYYY-MM-DD. Nobody was born in the future or more than 130 years ago.',
  'phone.plus':
    'The API docs specify E.164, but show no example. Without the plus sign, the first digits could be a country code or an area code, so the number might belong to another person.',
  'file.empty':
    'The API docs state no limits for files. In a field that the API docs describe as a file, a 0-byte file means that the document is missing.',
  'webhooks.event':
    'The API docs list nine events, and say that the platform can add new ones. A name that nearly matches one of the nine is probably misspelt, and the platform would never deliver the event.',
  'webhooks.secret':
    'If a secret starts or ends with white space, contains an invisible character or is in quotation marks, the extra characters were probably pasted by mistake. The platform would include these characters when it signs, so a receiver with the clean secret would reject every delivery. A secret that is passed as undefined, such as an unset variable, would register an endpoint without signatures.',
});

/** Values that the SDK accepts although the API docs do not allow them, with the reasons. */
export const ownAllowances = Object.freeze({
  'letters in a CNPJ':
    'According to the API docs, a CNPJ consists of digits. Since July 2026, the 12 characters before the check digits of a CNPJ can include letters.',
  'plain http for a webhook URL on loopback':
    'The SDK accepts these URLs although the API docs allow only HTTPS, because a sandbox can reach a loopback address.',
});

export type ChecksOff = ReadonlySet<string>;

/** The `checks` client option. */
export type Checks = 'all' | 'document' | { readonly [Check in SdkCheck]?: boolean | undefined };

export function checksOff(checks: Checks = 'all'): ChecksOff {
  if (checks === 'all') return new Set();
  // The check of echoed fields stays on with `document`, because the API docs describe the echo.
  if (checks === 'document') return new Set(names.filter((name) => name !== 'payment.reference'));
  const entries = Object.entries(checks).filter(([, isOn]) => isOn === false);
  return new Set(entries.map(([name]) => name));
}

export function checksProblem(input: unknown): string | undefined {
  if (input === 'all' || input === 'document') return undefined;
  if (objectProblem(input) !== undefined)
    return `must be 'all', 'document', or an object such as { 'key.missingValue': false }`;
  const wrong = Object.entries(input as object).find(
    ([name, value]) =>
      !names.some((known) => known === name) || (value !== undefined && typeof value !== 'boolean'),
  );
  return wrong && `has ${shownName(wrong[0])}: it takes true or false for ${names.join(', ')}`;
}

export const withoutDisabledIssues = (issues: readonly Issue[], off: ChecksOff): readonly Issue[] =>
  off.size === 0 ? issues : issues.filter(({ check }) => check === undefined || !off.has(check));
