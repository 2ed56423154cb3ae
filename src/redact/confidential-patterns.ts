import { isValidCnpj, isValidCpf } from '../contract/brazil.js';

export type Range = [start: number, end: number];

/** Finds the parts of a string that look like a secret or personal data, regardless of who sent them. */
export const findConfidential = (text: string): Range[] => findForms(text, [...confidentialForms(), longRun]);

/** Does the same as `findConfidential` for an identifier, which can be a long run of letters and digits. */
export const findConfidentialInId = (id: string): Range[] => findForms(id, confidentialForms());

/** Letters can touch any number there, because identifiers such as `x52998224725` are not sent in base64. */
export const findConfidentialInDecoded = (text: string): Range[] =>
  findForms(text, confidentialForms(), true);

/**
 * Matches identifiers that a support team asks for: UUIDs, and trace ids as in W3C's `traceparent` or after
 * the word trace. They can look like a key, or contain the digits of a card.
 */
const identifiers =
  /(?<!\w)(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<!-)(?:[\da-f]{2}-)?[\da-f]{32}-[\da-f]{16}(?:-[\da-f]{1,2})?(?!-)|(?<=(?:\b|_)trace[\W_]{0,5}(?:parent|id)?\W{1,4})[\da-f]{32})(?!\w)/gi;

/**
 * Lists the patterns of secrets and personal data. If a pattern has a group, only the group is hidden. This
 * is a function because bundlers cannot drop an unused list of regular expressions with these features.
 */
const confidentialForms = (): readonly RegExp[] => [
  /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/dgu,
  // JSON Web Tokens.
  /eyJ[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]*)?/dg,
  /\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ :]+["']?(?![a-z]{1,15}\.?(?![\w.~+/=-]))([\w.~+/=-]+)/dg,
  /(?:passw(?:or)?d|pwd|senha|segredo|secret|token|cvv|cvc|api[_-]?key)["']?(?:\s*=|(?<=["'])\s*:|\s*:(?=\s*(?=[\w.~+/=-]*\d)[\w.~+/=-]{12}))\s*["']?([^\s"',;&<]+)/dgi,
  /\bcv[vc]2?\W{1,2}(\d{3,4})(?!\d)/dgi,
  // Keys with a known prefix.
  /\b(?:(?:whsec|[spr]k)_\w{8,}|AKIA[A-Z\d]{16})/dg,
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
  /(?:cpf|cnpj)(\d{11}(?:\d{3})?)(?!\d)/dgi,
  /(?:phone|fone|tel|celular|mobile|whatsapp)[^\d\n]{0,20}(\d{10,})/dgi,
];

/** Matches long mixtures of letters and digits, such as API keys. */
const longRun = /(?<![a-z\d])(?=\d*[a-z])(?=[a-z]*\d)[a-z\d]{24,}(?![a-z\d])/dgi;

/** Matches runs of digits with at most one separator between them. */
const digitRuns = /(?<!\d)\d(?:[ ._/-]?\d){9,80}(?!\d)/g;

/** @param isDecoded whether a number is searched even if letters touch it */
function findForms(text: string, forms: readonly RegExp[], isDecoded = false): Range[] {
  const ranges = forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ indices }) => (indices?.[1] ?? indices?.[0]) as Range),
  );
  const known = [...text.matchAll(identifiers)].map(({ 0: id, index }): Range => [index, index + id.length]);
  const isLetter = (at: number) => /[a-z]/i.test(text.charAt(at));
  for (const { 0: run, index } of text.matchAll(digitRuns))
    for (const [from, to] of groupsIn(run)) {
      const [start, end] = [index + from, index + to];
      const isInId = !isDecoded && (isLetter(start - 1) || isLetter(end));
      if (isConfidentialNumber(text.slice(start, end).replace(/\D/g, ''), isInId)) ranges.push([start, end]);
    }
  return ranges.filter(([start, end]) => !known.some((id) => id[0] <= start && end <= id[1]));
}

const maxNumberLength = 37;

/** A number consists of whole groups between separators. */
function* groupsIn(run: string): Generator<Range> {
  const groups = [...run.matchAll(/\d+/g)].map(
    ({ 0: digits, index }): Range => [index, index + digits.length],
  );
  for (const [first, [start]] of groups.entries())
    for (const [, end] of groups.slice(first)) {
      if (end - start > maxNumberLength) break;
      yield [start, end];
    }
}

/**
 * Checks for card numbers and tax IDs (CPF, CNPJ). If a letter touches the digits, they are usually part of an
 * identifier, so only a number with a brand's first digits and length counts.
 */
const isConfidentialNumber = (digits: string, isInId: boolean): boolean =>
  isInId
    ? brandNumber.test(digits) && isCard(digits)
    : isCard(digits) || isValidCpf(digits) || isValidCnpj(digits);

/** Matches the brands' first digits and lengths. None begins with 20, as timestamps do. */
const brandNumber =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5\d|6\d|35|2[2-7])\d{14}|3[47]\d{13}|3[068]\d{12}|6\d{18})$/;

/** Cards start with 2 to 6, and a time in milliseconds since 1970 starts with 1. */
const isCard = (digits: string) =>
  /^[2-6]\d{12,18}$/.test(digits) &&
  [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;

/** Shorter strings contain fewer than six bytes. */
const base64Runs = /[\w+/-]{8,}/g;

/**
 * Matches six ASCII characters. Random bytes rarely contain six in a row, so ordinary request ids need no
 * further search.
 */
const readable = /[\t\n\r -~]{6}/;
const printableRuns = /(?:(?!\ufffd)[\s\P{C}]){6,}/gu;

interface DecodedText {
  readonly value: string;
  readonly range: Range;
}

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
