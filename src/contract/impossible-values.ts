import type { Issue } from '../validation/issue.js';
import {
  cnpjPattern,
  cpfPattern,
  isRepetition,
  isValidCnpj,
  isValidCpf,
  normalizeTaxDocument,
} from './brazil.js';
import type { Fields } from './operation.js';

const day = 86_400_000;

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reduceRight((total, digit, index) => {
    const isDoubled = (digits.length - index) % 2 === 0;
    const value = Number(digit) * (isDoubled ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The API docs name no fields for the vault, so they are assumed to be those in a payment. */
export function cardValueIssues(card: Fields, path: string): Issue[] {
  const issues: Issue[] = [];
  const reject = (name: string, message: string) =>
    issues.push({ path: `${path}${name}`, message, check: 'card.values' });
  const { number, installments, expirationMonth: month, expirationYear: year } = card;
  const digits = typeof number === 'string' ? number.replace(/[\s-]/g, '') : '';
  if (/^\d+$/.test(digits) && !hasCheckDigit(digits))
    issues.push({
      path: `${path}number`,
      message: 'has a wrong check digit, so no card has it. Ask the customer for it again',
      check: 'card.number',
    });
  if (typeof installments === 'number' && installments < 1)
    reject('installments', "must be at least 1. Leave it out for the platform's default");
  const isMonth = Number.isInteger(month) && Number(month) >= 1 && Number(month) <= 12;
  if (typeof month === 'number' && !isMonth) reject('expirationMonth', 'must be an integer from 1 to 12');
  if (typeof year === 'number' && (year < 1000 || year > 9999))
    reject('expirationYear', 'must have four digits, such as 2030');
  // A card is valid until the end of its month, which ends last in UTC-12.
  else if (isMonth && typeof year === 'number' && Date.UTC(year, Number(month)) + day < Date.now())
    reject('expirationYear', 'is in the past, so the card has expired. Ask the customer for another card');
  return issues;
}

type DocumentType = 'cpf' | 'cnpj';

const isDocumentType = (type: unknown): type is DocumentType => type === 'cpf' || type === 'cnpj';

const findForm = (plain: string): DocumentType | undefined =>
  cpfPattern.test(plain) ? 'cpf' : cnpjPattern.test(plain) ? 'cnpj' : undefined;

/**
 * A number of another type, such as a passport's, is not checked. Without a type, only repeated digits are
 * reported, because the number could be a foreign document's. `isBrazilian`: the API docs allow only a CPF or
 * a CNPJ, so the number itself shows its type.
 */
export function documentIssues(number: unknown, type: unknown, path: string, isBrazilian = false): Issue[] {
  if (typeof number !== 'string' || number.trim() === '') return [];
  const plain = normalizeTaxDocument(number.trim());
  const form = findForm(plain);
  const stated = typeof type === 'string' ? type.trim().toLowerCase() : type;
  const expected = isDocumentType(stated) ? stated : isBrazilian ? form : undefined;
  if (expected === undefined && stated !== undefined) return [];
  const reject = (message: string): Issue[] => [{ path, message, check: 'document.digits' }];
  if (expected !== undefined && form !== expected)
    return reject(
      form === undefined
        ? `is not a ${expected.toUpperCase()}. Check the number and its type`
        : `is a ${form.toUpperCase()}, but its type is ${expected}. Correct one of them`,
    );
  if (form !== undefined && isRepetition(plain))
    return reject('repeats one digit, so it belongs to nobody. Ask the person for it again');
  const isValid = expected === 'cpf' ? isValidCpf : isValidCnpj;
  return expected === undefined || isValid(plain)
    ? []
    : reject('has wrong check digits, so it belongs to nobody. Ask the person for it again');
}

/** Nobody has become 130 years old. */
const maxAgeInDays = 130 * 366;

export function birthDateIssues({ birthDate }: Fields): Issue[] {
  const born = typeof birthDate === 'string' ? Date.parse(birthDate) : Number.NaN;
  const age = (Date.now() - born) / day;
  return age < -1 || age > maxAgeInDays
    ? [
        {
          path: 'birthDate',
          message: 'is not the birth date of a living person. Check the year',
          check: 'person.birthDate',
        },
      ]
    : [];
}
