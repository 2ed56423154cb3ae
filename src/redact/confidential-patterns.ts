import { isValidCnpj, isValidCpf } from '../contract/brazil.js';

export type Range = [start: number, end: number];

/** Finds the parts of a string that look like a secret or personal data, regardless of who sent them. */
export const findConfidential = (text: string): Range[] =>
  findForms(text, [...confidentialForms(), longRun], digitRuns);

/** Does the same as `findConfidential` for an identifier, which can be a long run of letters and digits. */
export const findConfidentialInId = (id: string): Range[] => findForms(id, confidentialForms(), digitRuns);

/**
 * Does the same as `findConfidentialInId` for a decoded string. A number can follow a letter, because
 * identifiers such as `x4111111111111111` are not sent in base64.
 */
export const findConfidentialInDecoded = (text: string): Range[] =>
  findForms(text, confidentialForms(), anyDigitRuns);

const uuids = /(?<!\w)[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?!\w)/gi;

/**
 * Lists the patterns of secrets and personal data. If a pattern has a group, only the group is hidden. This
 * is a function because bundlers cannot drop an unused list of regular expressions with these features.
 */
const confidentialForms = (): readonly RegExp[] => [
  /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/dgu,
  // JSON Web Tokens.
  /eyJ[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]*)?/dg,
  /\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ :]+["']?(?![a-z]{1,15}\.?(?![\w.~+/=-]))([\w.~+/=-]+)/dg,
  /(?:passw(?:or)?d|pwd|senha|segredo|secret|token|cvv|cvc|api[_-]?key)["']?(?:\s*=|(?<=["'])\s*:)\s*["']?([^\s"',;&<]+)/dgi,
  // Credentials in a URL.
  /:\/\/([^\s/@]+)@/dg,
  // CPF and CNPJ. A CNPJ can contain letters.
  /(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/dg,
  /(?<![a-z\d])[a-z\d]{2}\.[a-z\d]{3}\.[a-z\d]{3}\/[a-z\d]{4}-\d{2}(?!\d)/dgi,
  // Phone numbers: with a plus, with 55, with the area code in parentheses or separated, and mobile numbers.
  /\+\d(?:[ ().-]{0,2}\d){9,14}(?!\d)/dg,
  /(?<![\d.,])(?:55[ -]?)?\([1-9][1-9]\) ?9?\d{4}[ .-]?\d{4}(?!\d)/dg,
  /(?<![\d.,-])(?:55[ -]?)?[1-9][1-9][ -]?9\d{4}[ .-]?\d{4}(?![\d-])/dg,
  /(?<![\d.,-])(?:55[ -]?[1-9][1-9][ -]?|[1-9][1-9] )[2-5]\d{3}[ .-]?\d{4}(?![\d-])/dg,
  /(?:phone|fone|tel|celular|mobile|whatsapp)[^\d\n]{0,20}(\d{10,})/dgi,
];

/** Matches long mixtures of letters and digits, such as API keys. */
const longRun = /(?<![a-z\d])(?=\d*[a-z])(?=[a-z]*\d)[a-z\d]{24,}(?![a-z\d])/dgi;

/** Matches runs of digits with at most one separator between them. */
const digitRuns = /(?<![a-z\d])\d(?:[ ._/-]?\d){9,80}(?![a-z\d])/gi;
const anyDigitRuns = /(?<!\d)\d(?:[ ._/-]?\d){9,80}(?!\d)/g;

function findForms(text: string, forms: readonly RegExp[], runs: RegExp): Range[] {
  const ranges = forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ indices }) => (indices?.[1] ?? indices?.[0]) as Range),
  );
  const known = [...text.matchAll(uuids)].map(({ 0: uuid, index }): Range => [index, index + uuid.length]);
  for (const { 0: run, index } of text.matchAll(runs))
    for (const [start, end] of numbersIn(run)) ranges.push([index + start, index + end]);
  return ranges.filter(([start, end]) => !known.some((uuid) => uuid[0] <= start && end <= uuid[1]));
}

/**
 * Finds card numbers and tax IDs (CPF, CNPJ) in a run of digits. A number consists of whole groups between
 * separators.
 */
function* numbersIn(run: string): Generator<Range> {
  const groups = [...run.matchAll(/\d+/g)].map(
    ({ 0: digits, index }): Range => [index, index + digits.length],
  );
  for (const [first, [start]] of groups.entries())
    for (const [, end] of groups.slice(first)) {
      const digits = run.slice(start, end).replace(/\D/g, '');
      if (digits.length > 19) break;
      if (isCard(digits) || isValidCpf(digits) || isValidCnpj(digits)) yield [start, end];
    }
}

/**
 * Checks for 13 to 19 digits with a Luhn check digit. Cards start with 2 to 6; timestamps start with other
 * digits.
 */
const isCard = (digits: string) =>
  /^[2-6]\d{12,18}$/.test(digits) &&
  [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;

/** Matches strings that can be base64, standard or URL-safe. Shorter strings contain fewer than six bytes. */
const base64Runs = /[\w+/-]{8,}/g;

/**
 * Matches six ASCII characters. Random bytes rarely contain six in a row, so ordinary request ids need no
 * further search.
 */
const readable = /[\t\n\r -~]{6}/;
const printableRuns = /(?:(?!\ufffd)[\s\P{C}]){6,}/gu;

/** A readable part of a string in base64, and the range of the base64. */
interface DecodedText {
  readonly value: string;
  readonly range: Range;
}

/** Decodes the readable parts of everything that can be base64 in a string. */
export function* decodeBase64(text: string): Generator<DecodedText> {
  for (const { 0: run, index } of text.matchAll(base64Runs)) {
    const standard = run.replaceAll('-', '+').replaceAll('_', '/');
    // Characters before the base64, such as `req-`, belong to the same run. They shift its groups of four.
    for (let shift = 0; shift < 4; shift++)
      for (const [value] of decode(standard.slice(shift)).matchAll(printableRuns))
        yield { value, range: [index, index + run.length] };
  }
}

function decode(base64: string): string {
  // A single character in the last group contains no whole byte, and `atob` rejects it.
  const bytes = atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64);
  if (!readable.test(bytes)) return '';
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
