import type { Range } from './decodings.js';

/** How many digits a PAN has. */
const minDigits = 13;
const maxDigits = 19;

/** The most characters, neither digits nor letters, that may separate two digits of one PAN. */
const maxGap = 3;

/** Texts that may look like a PAN but are not: a UUID, a formatted CNPJ, a date with its time, a Brazilian phone number. */
const notCardNumbers =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}\b|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?|\+55\d{10,11}(?!\d)/gi;

/** Consecutive digits without a separator. */
interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

/** Groups of digits that are close enough to be one number. */
type DigitRun = readonly DigitGroup[];

/** The value of a digit, ASCII or full-width; -1 for any other character. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0xff10 && code <= 0xff19 ? code - 0xff10 : -1;
}

const letter = /\p{L}/u;

function* digitRuns(text: string): Iterable<DigitRun> {
  let run: DigitGroup[] = [];
  let at = 0;
  let gap = 0;
  while (at < text.length) {
    if (digitAt(text, at) === -1) {
      gap++;
      if (gap > maxGap || letter.test(text[at] as string)) {
        if (run.length > 0) yield run;
        run = [];
      }
      at++;
      continue;
    }
    const start = at;
    let digits = '';
    for (let digit = digitAt(text, at); digit !== -1; digit = digitAt(text, ++at)) digits += digit;
    run.push({ digits, start, end: at });
    gap = 0;
  }
  if (run.length > 0) yield run;
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index]);
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

/** Card numbers begin with 2 to 9. A number that begins with 0 or 1 is a time in milliseconds, or an id with leading zeros. */
const firstDigit = /^[2-9]/;

/** The end of a PAN that begins at a group; undefined if none does. Other numbers may follow it, such as the expiry date. */
function endOfCardNumber(run: DigitRun, first: number): number | undefined {
  let digits = '';
  for (let index = first; index < run.length; index++) {
    const group = run[index] as DigitGroup;
    digits += group.digits;
    if (digits.length > maxDigits) return undefined;
    if (digits.length >= minDigits && firstDigit.test(digits) && isLuhn(digits)) return group.end;
  }
  return undefined;
}

/** The ranges of possible PANs, with any separators: 13 to 19 digits that pass the Luhn check. */
export function cardNumbersIn(text: string): Range[] {
  const found: Range[] = [];
  const harmlessRanges = Array.from(text.matchAll(notCardNumbers), ({ index, 0: { length } }) => [
    index,
    index + length,
  ]);
  let passed = 0;
  for (const run of digitRuns(text)) {
    let free = 0;
    for (const [first, { start }] of run.entries()) {
      if (start < free || isInWord(text, start)) continue;
      const end = endOfCardNumber(run, first);
      if (end === undefined || isInWord(text, end + 1)) continue;
      while (harmlessRanges[passed] !== undefined && (harmlessRanges[passed]?.[1] ?? 0) < start) passed++;
      const [from = Number.POSITIVE_INFINITY, to = 0] = harmlessRanges[passed] ?? [];
      if (from < end && start < to) continue;
      found.push([start, end]);
      free = end;
    }
  }
  return found;
}

/** Whether the character before a position is a letter: digits inside an id are not a PAN. */
const isInWord = (text: string, at: number) => letter.test(text[at - 1] ?? '');

/** The ranges of given numbers, with any separators, also inside longer numbers. */
export function knownNumbersIn(text: string, numbers: readonly string[]): Range[] {
  const found: Range[] = [];
  if (numbers.length === 0) return found;
  for (const run of digitRuns(text)) {
    const digits = run.map((group) => group.digits).join('');
    const places = run.flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, at) => start + at),
    );
    for (const number of numbers) {
      for (let at = digits.indexOf(number); at !== -1; at = digits.indexOf(number, at + number.length))
        found.push([places[at] as number, (places[at + number.length - 1] as number) + 1]);
    }
  }
  return found;
}
