/** The check digit of a row of values under weights that run from 2 upwards, from the right, and start again after `highest`. */
function checkDigit(values: readonly number[], highest: number): number {
  let weight = 2;
  let sum = 0;
  for (let index = values.length - 1; index >= 0; index--) {
    sum += (values[index] as number) * weight;
    weight = weight === highest ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** Of a character: a digit counts as itself, a letter goes on from there (A is 17). */
const valuesOf = (characters: string) => Array.from(characters, (character) => character.charCodeAt(0) - 48);

function endsInItsCheckDigits(document: string, highest: number): boolean {
  const values = valuesOf(document);
  const [first, second] = values.slice(-2);
  return (
    checkDigit(values.slice(0, -2), highest) === first && checkDigit(values.slice(0, -1), highest) === second
  );
}

const isRepetition = (text: string) => /^(.)\1*$/.test(text);

/** No document, CEP or phone number is longer, however it is written. */
const longestWritten = 64;

/** A text without the given characters and without spaces, where what is left has a form; else the text as it was. */
function inForm(text: string, form: RegExp, punctuation: RegExp): string {
  if (text.length > longestWritten) return text;
  const bare = text.replace(punctuation, '');
  return form.test(bare) ? bare : text;
}

/** 11 digits. */
export const cpfForm = /^\d{11}$/;

/** 14 characters: 12 digits or letters and two check digits. Letters are in use since July 2026. */
export const cnpjForm = /^[0-9A-Z]{12}\d{2}$/;

/** E.164: a plus sign, the country and the number, up to 15 digits. */
export const phoneForm = /^\+[1-9]\d{1,14}$/;

/** `123.456.789-09` as `12345678909`. */
export const normalCpf = (text: string) => inForm(text, cpfForm, /[.\-\s]/g);

/** `12.abc.345/01de-35` as `12ABC34501DE35`. */
export const normalCnpj = (text: string) => {
  const upper = inForm(text.toUpperCase(), cnpjForm, /[./\-\s]/g);
  return cnpjForm.test(upper) ? upper : text;
};

/** A CPF or a CNPJ, whichever it is. */
export const normalTaxDocument = (text: string) => {
  const cpf = normalCpf(text);
  return cpfForm.test(cpf) ? cpf : normalCnpj(text);
};

/** `01310-100` as `01310100`. */
export const normalCep = (text: string) => inForm(text, /^\d{8}$/, /[.\-\s]/g);

/** `+55 (11) 91234-5678` as `+5511912345678`. The plus sign is the caller's: no country is guessed. */
export const normalPhone = (text: string) => inForm(text, phoneForm, /[().\-\s]/g);

/**
 * Whether a CPF, with or without punctuation, ends in its check digits. The SDK does not insist on it:
 * whom the platform accepts is the platform's to say.
 */
export function isValidCpf(text: string): boolean {
  if (typeof text !== 'string') return false;
  const cpf = normalCpf(text);
  return cpfForm.test(cpf) && !isRepetition(cpf) && endsInItsCheckDigits(cpf, 11);
}

/**
 * Whether a CNPJ, numeric or alphanumeric, with or without punctuation, ends in its check digits. The
 * SDK does not insist on it.
 */
export function isValidCnpj(text: string): boolean {
  if (typeof text !== 'string') return false;
  const cnpj = normalCnpj(text);
  return cnpjForm.test(cnpj) && !isRepetition(cnpj) && endsInItsCheckDigits(cnpj, 9);
}
