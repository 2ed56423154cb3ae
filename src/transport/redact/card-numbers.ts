import type { Range } from './spellings.js';

/** Digits of a PAN. */
const shortest = 13;
const longest = 19;

/** So many characters that are neither digits nor letters may stand between two digits of one PAN. */
const widestGap = 3;

/** What may look like a PAN and is none: a UUID, a formatted CNPJ, a date with its time, a Brazilian phone number. */
const harmless =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}\b|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?|\+55\d{10,11}(?!\d)/gi;

/** Digits that follow each other with nothing between them. */
interface Group {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

/** Groups of digits with so little between them that they may be one number. */
type Run = readonly Group[];

/** The value of a digit, also of a full-width one; -1 for anything else. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0xff10 && code <= 0xff19 ? code - 0xff10 : -1;
}

const letter = /\p{L}/u;

function* runsIn(text: string): Iterable<Run> {
  let run: Group[] = [];
  let at = 0;
  let gap = 0;
  while (at < text.length) {
    if (digitAt(text, at) === -1) {
      gap++;
      if (gap > widestGap || letter.test(text[at] as string)) {
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

/** No card begins with another digit: what does is a time in milliseconds, or an id with leading zeros. */
const firstDigit = /^[2-9]/;

/** Where the PAN ends that begins with a group; undefined when none does. Other numbers may follow, such as its expiry. */
function endOfCardNumber(run: Run, first: number): number | undefined {
  let digits = '';
  for (let index = first; index < run.length; index++) {
    const group = run[index] as Group;
    digits += group.digits;
    if (digits.length > longest) return undefined;
    if (digits.length >= shortest && firstDigit.test(digits) && isLuhn(digits)) return group.end;
  }
  return undefined;
}

/** Where something stands that can be a PAN, however it is spaced: 13 to 19 digits that pass the Luhn check. */
export function cardNumbersIn(text: string): Range[] {
  const found: Range[] = [];
  const innocent = Array.from(text.matchAll(harmless), ({ index, 0: { length } }) => [index, index + length]);
  let passed = 0;
  for (const run of runsIn(text)) {
    let free = 0;
    for (const [first, { start }] of run.entries()) {
      if (start < free || isInWord(text, start)) continue;
      const end = endOfCardNumber(run, first);
      if (end === undefined || isInWord(text, end + 1)) continue;
      while (innocent[passed] !== undefined && (innocent[passed]?.[1] ?? 0) < start) passed++;
      const [from = Number.POSITIVE_INFINITY, to = 0] = innocent[passed] ?? [];
      if (from < end && start < to) continue;
      found.push([start, end]);
      free = end;
    }
  }
  return found;
}

/** Whether a letter stands right before a place: digits within an id are no PAN. */
const isInWord = (text: string, at: number) => letter.test(text[at - 1] ?? '');

/** Where one of some numbers stands, in any spacing and within longer rows of digits. */
export function knownNumbersIn(text: string, numbers: readonly string[]): Range[] {
  const found: Range[] = [];
  if (numbers.length === 0) return found;
  for (const run of runsIn(text)) {
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
