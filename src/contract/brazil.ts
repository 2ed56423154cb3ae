/** The weights run from 2 to `maxWeight`, from right to left, and then start again at 2. */
function checkDigit(values: readonly number[], maxWeight: number): number {
  let weight = 2;
  let sum = 0;
  for (let index = values.length - 1; index >= 0; index--) {
    sum += (values[index] as number) * weight;
    weight = weight === maxWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

/** The value of a character is its ASCII code minus 48, so A is 17. */
const characterValues = (characters: string) =>
  Array.from(characters, (character) => character.charCodeAt(0) - 48);

function hasValidCheckDigits(document: string, maxWeight: number): boolean {
  const values = characterValues(document);
  const [first, second] = values.slice(-2);
  return (
    checkDigit(values.slice(0, -2), maxWeight) === first &&
    checkDigit(values.slice(0, -1), maxWeight) === second
  );
}

export const isRepetition = (text: string) => /^(.)\1*$/.test(text);

/** A CPF, CNPJ or phone number is shorter, even with punctuation. */
const maxLength = 64;

function withoutPunctuation(text: string, form: RegExp, punctuation: RegExp): string {
  if (text.length > maxLength) return text;
  const stripped = text.replace(punctuation, '');
  return form.test(stripped) ? stripped : text;
}

export const cpfPattern = /^\d{11}$/;

/** CNPJs with letters have been issued since July 2026. */
export const cnpjPattern = /^[0-9A-Z]{12}\d{2}$/;

/** Matches a phone number in E.164: a plus sign, the country code and the number, at most 15 digits. */
const e164Pattern = /^\+[1-9]\d{1,14}$/;

/** Matches the digits of E.164, with or without the plus sign. */
export const phonePattern = /^\+?[1-9]\d{1,14}$/;

export const normalizeCpf = (text: string) => withoutPunctuation(text, cpfPattern, /[.\-\s]/g);

export const normalizeCnpj = (text: string) => {
  // `toUpperCase` turns some non-ASCII letters into ASCII letters: ſ becomes S.
  if (!/^\p{ASCII}*$/u.test(text)) return text;
  const upper = withoutPunctuation(text.toUpperCase(), cnpjPattern, /[./\-\s]/g);
  return cnpjPattern.test(upper) ? upper : text;
};

export const isTaxDocument = (text: string): boolean => cpfPattern.test(text) || cnpjPattern.test(text);

export const normalizeTaxDocument = (text: string) => {
  const cpf = normalizeCpf(text);
  return cpfPattern.test(cpf) ? cpf : normalizeCnpj(text);
};

/** A plus sign and country code are never added. */
export const normalizePhone = (text: string) => withoutPunctuation(text, e164Pattern, /[().\-\s]/g);

/** Checks the check digits of a CPF, with or without punctuation. */
export function isValidCpf(text: string): boolean {
  if (typeof text !== 'string') return false;
  const cpf = normalizeCpf(text);
  return cpfPattern.test(cpf) && !isRepetition(cpf) && hasValidCheckDigits(cpf, 11);
}

/** Checks the check digits of a CNPJ, numeric or alphanumeric, with or without punctuation. */
export function isValidCnpj(text: string): boolean {
  if (typeof text !== 'string') return false;
  const cnpj = normalizeCnpj(text);
  return cnpjPattern.test(cnpj) && !isRepetition(cnpj) && hasValidCheckDigits(cnpj, 9);
}
