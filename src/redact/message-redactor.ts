import { isValidCnpj, isValidCpf } from '../contract/brazil.js';
import { printable } from '../errors/printable.js';
import { isRecord } from '../input/record.js';

/** What stands for every part that is hidden. */
export const redacted = '[redacted]';

/** What one call sent. */
interface SentValues {
  /** Credentials, tokens, headers and secret bodies: hidden whole and in pieces of 8 characters or more. */
  readonly secrets?: unknown;
  /** Values that are personal whatever their names are. */
  readonly personal?: unknown;
  /** Bodies, queries and rows, whose fields are hidden by their names. */
  readonly named?: unknown;
}

/** Names of secret fields in any spelling. Everything below them is secret. */
const secretName =
  /secret|token|passw|senha|segredo|cryptogram|cavv|^(?:number|cvv|cvc|wallet|threeDSData|authorization|apiKey)$/i;
/** Names of fields with data of a person or company. Everything below them is personal. */
const personalName =
  /^name$|(?:holder|full|first|last|legal|trade|mother|company|representative)_?name|nome|razao|mail|document(?:_?number)?$|cpf|cnpj|^rg$|phone|fone|celular|birth|nasc|address|street|neighborhood|complement|city|zip|cep$|bank_?(?:agency|account)|agency|iban|^(?:dv|ip|client_?ip)$/i;
/** Fields that only say of which kind their neighbours are: `cpf`, `checking`. Messages need these words. */
const kindName =
  /type|tipo|state|country|^(?:expirationMonth|expirationYear|installments)$|bankName|bankCode/i;

/** Characters of a foreign message that are looked at, and that are shown. */
const maxRead = 1_600;
const maxShown = 500;
/** If a call sent more confidential characters than these, no foreign text is shown: the search would take too long. */
const maxSent = 20_000;
/** Characters of a secret in a row that are not there by chance. */
const pieceLength = 8;

/**
 * Shows a foreign message as it came, without the confidential values of one call and without what looks like a
 * secret or a person. Spellings beyond those of `unescaped` are out of scope: who can choose them knows the values.
 */
export class MessageRedactor {
  readonly #words = new Set<string>();
  readonly #values = new Set<string>();
  /** Values that begin or end with a symbol, which `#values` do not have. */
  readonly #literals = new Set<string>();
  readonly #pieces = new Set<string>();
  #sent = 0;

  constructor({ secrets, personal, named }: SentValues = {}) {
    this.#collect(secrets, 'secret');
    this.#collect(personal, 'personal');
    this.#collect(named, undefined);
  }

  /** One line of at most 500 characters. */
  show(message: string): string {
    const read = message.slice(0, maxRead);
    const hidden = read.trim() === '' ? [] : this.#hiddenRanges(read);
    let shown = '';
    let at = 0;
    for (const [start, end] of hidden) {
      if (start > at || at === 0) shown += read.slice(at, start) + redacted;
      at = Math.max(at, end);
    }
    shown = printable(shown + read.slice(at));
    return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
  }

  /** Whether a code or path can be shown as it came. */
  isSafe(value: string): boolean {
    return value.length <= maxShown && this.show(value) === value;
  }

  /** The same for an identifier that the platform made, which may be long. */
  isSafeId(value: string): boolean {
    return value.length <= 200 && printable(value) === value && this.#hiddenRanges(value, true).length === 0;
  }

  /** The parts to hide, by their positions and in order. */
  #hiddenRanges(message: string, isId = false): Range[] {
    if (this.#sent > maxSent) return [[0, message.length]];
    const text = unescaped(message);
    const ranges = looksConfidential(
      text.value,
      isId ? confidentialForms() : [...confidentialForms(), longRun],
    ).map(([start, end]) => text.range(start, end));
    const plain = text.plain();
    const isEdge = (at: number) => at === 0 || at === plain.value.length || plain.edges.has(at);
    for (const value of this.#values)
      for (let at = plain.value.indexOf(value); at >= 0; at = plain.value.indexOf(value, at + 1)) {
        const end = at + value.length;
        // A short value is part of many words by chance.
        if (value.length >= 10 || (isEdge(at) && isEdge(end))) ranges.push(plain.range(at, end));
      }
    const lower = text.value.toLowerCase();
    for (const value of lower.length === text.value.length ? this.#literals : [])
      for (let at = lower.indexOf(value); at >= 0; at = lower.indexOf(value, at + 1))
        ranges.push(text.range(at, at + value.length));
    for (let at = 0; this.#pieces.size > 0 && at + pieceLength <= plain.value.length; at++)
      if (this.#pieces.has(plain.value.slice(at, at + pieceLength)))
        ranges.push(plain.range(at, at + pieceLength));
    for (const { 0: word, index } of text.value.matchAll(/[\p{L}\p{N}\p{M}]+/gu))
      if (this.#words.has(fold(word))) ranges.push(text.range(index, index + word.length));
    return ranges.sort(([a], [b]) => a - b);
  }

  #collect(value: unknown, kind: 'secret' | 'personal' | undefined, isName = false): void {
    if (this.#sent > maxSent) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      if (kind !== undefined) this.#sent += String(value).length;
      if (this.#sent > maxSent) return;
      if (kind === 'secret') this.#addSecret(String(value));
      else if (kind === 'personal') this.#addPersonal(String(value), isName);
    } else if (Array.isArray(value)) for (const entry of value) this.#collect(entry, kind, isName);
    else if (isRecord(value)) {
      if ('expirationMonth' in value) this.#addExpiry(value.expirationMonth, value.expirationYear);
      for (const [name, entry] of Object.entries(value)) {
        const isKind =
          kind === 'secret' ? name === 'type' && /^[a-z_]+$/.test(String(entry)) : kindName.test(name);
        if (isKind) continue;
        const own = secretName.test(name) ? 'secret' : personalName.test(name) ? 'personal' : undefined;
        this.#collect(entry, kind ?? own, isName || /name|nome|razao/i.test(name));
      }
    }
  }

  #addSecret(secret: string): void {
    this.#addValue(secret);
    const plain = fold(secret);
    for (let at = 0; at + pieceLength <= plain.length; at++)
      this.#pieces.add(plain.slice(at, at + pieceLength));
  }

  #addPersonal(value: string, isName: boolean): void {
    this.#addValue(value);
    if (isName) for (const [word] of value.matchAll(/[\p{L}\p{M}]{4,}/gu)) this.#words.add(fold(word));
  }

  /** A value as it is, as base64 and in hexadecimal. One or two characters are in every message. */
  #addValue(value: string): void {
    const plain = fold(value);
    if (value.length > 3 && /^[^\p{L}\p{N}]|[^\p{L}\p{N}]$/u.test(value))
      this.#literals.add(value.toLowerCase());
    if (plain.length < 3) return;
    if (plain.length === 3) this.#words.add(plain);
    else this.#values.add(plain);
    if (plain.length < 4) return;
    const bytes = new TextEncoder().encode(value);
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const form of [fold(btoa(String.fromCharCode(...bytes))), hex]) this.#values.add(form);
  }

  /** Of an expiry date the month and year together: alone they are numbers of any message. */
  #addExpiry(month: unknown, year: unknown): void {
    const [m, y] = [String(month).padStart(2, '0'), String(year).slice(-4)];
    for (const form of [m + y, m + y.slice(-2), y + m]) if (/^\d{4,6}$/.test(form)) this.#values.add(form);
  }
}

type Range = [start: number, end: number];

/** A text with the place in the message that each of its characters came from. */
class Mapped {
  /** Places between two characters that something separated in the message. */
  readonly edges = new Set<number>();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  value = '';

  add(characters: string, start: number, end: number): void {
    this.value += characters;
    for (let index = 0; index < characters.length; index++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }

  /** The part of the message that a part of this text came from. */
  range(start: number, end: number): Range {
    return [this.#starts[start] as number, this.#ends[end - 1] as number];
  }

  /** Letters and digits alone, in lower case and without accents. */
  plain(): Mapped {
    const plain = new Mapped();
    for (const { 0: character, index } of this.value.matchAll(/./gsu)) {
      const folded = fold(character);
      if (folded === '' && !/\p{M}/u.test(character)) plain.edges.add(plain.value.length);
      plain.add(folded, ...this.range(index, index + character.length));
    }
    return plain;
  }
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
/** Undoes percent-encoding and the escapes of JSON and HTML. Invisible characters are left out. */
function unescaped(message: string): Mapped {
  const text = new Mapped();
  for (const match of message.matchAll(
    /(?:%[\da-f]{2})+|\\u([\da-f]{4})|\\[bfnrt]|&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,4}));|\p{Cf}|./gisu,
  )) {
    const [whole, json, decimal, hex, entity = ''] = match;
    const code = json ?? hex;
    const number = code === undefined ? Number(decimal) : Number.parseInt(code, 16);
    let characters = whole;
    if (whole.length > 2 && whole[0] === '%') characters = percentDecoded(whole);
    else if (whole.length === 2 && whole[0] === '\\') characters = ' ';
    else if (number <= 0x10ffff) characters = String.fromCodePoint(number);
    else if (entity !== '') characters = entities[entity.toLowerCase()] ?? ' ';
    else if (/\p{Cf}/u.test(whole)) characters = '';
    text.add(characters, match.index, match.index + whole.length);
  }
  return text;
}

function percentDecoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

const uuids = /(?<!\w)[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?!\w)/gi;

/**
 * The forms of a secret or a person, whoever sent it. If there is a group, it alone is hidden. In a function: bundlers
 * keep a list of such expressions also if nobody uses it.
 */
const confidentialForms = (): readonly RegExp[] => [
  /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/dgu,
  // JSON Web Tokens.
  /eyJ[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]*)?/dg,
  /\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ :]+["']?(?![a-z]{1,15}\.?(?![\w.~+/=-]))([\w.~+/=-]+)/dg,
  /(?:passw(?:or)?d|pwd|senha|segredo|secret|token|cvv|cvc|api[_-]?key)["']?(?:\s*=|(?<=["'])\s*:)\s*["']?([^\s"',;&<]+)/dgi,
  // Credentials in an address.
  /:\/\/([^\s/@]+)@/dg,
  // CPF and CNPJ, the latter also with letters.
  /(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/dg,
  /(?<![a-z\d])[a-z\d]{2}\.[a-z\d]{3}\.[a-z\d]{3}\/[a-z\d]{4}-\d{2}(?!\d)/dgi,
  // Phone numbers: with a plus, with 55, with the area code in parentheses or apart, and of mobiles.
  /\+\d(?:[ ().-]{0,2}\d){9,14}(?!\d)/dg,
  /(?<![\d.,])(?:55[ -]?)?\([1-9][1-9]\) ?9?\d{4}[ .-]?\d{4}(?!\d)/dg,
  /(?<![\d.,-])(?:55[ -]?)?[1-9][1-9][ -]?9\d{4}[ .-]?\d{4}(?![\d-])/dg,
  /(?<![\d.,-])(?:55[ -]?[1-9][1-9][ -]?|[1-9][1-9] )[2-5]\d{3}[ .-]?\d{4}(?![\d-])/dg,
  /(?:phone|fone|tel|celular|mobile|whatsapp)[^\d\n]{0,20}(\d{10,})/dgi,
];

/** Letters and digits mixed, as keys are. */
const longRun = /(?<![a-z\d])(?=\d*[a-z])(?=[a-z]*\d)[a-z\d]{24,}(?![a-z\d])/dgi;

/** Runs of digits with at most one separator between them. */
const digitRuns = /(?<![a-z\d])\d(?:[ ._/-]?\d){9,80}(?![a-z\d])/gi;

/** The parts of a text that look like a secret or a person. */
function looksConfidential(text: string, forms: readonly RegExp[]): Range[] {
  const ranges = forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ indices }) => (indices?.[1] ?? indices?.[0]) as Range),
  );
  const known = [...text.matchAll(uuids)].map(({ 0: uuid, index }): Range => [index, index + uuid.length]);
  for (const { 0: run, index } of text.matchAll(digitRuns))
    for (const [start, end] of numbersIn(run)) ranges.push([index + start, index + end]);
  return ranges.filter(([start, end]) => !known.some((uuid) => uuid[0] <= start && end <= uuid[1]));
}

/** Card numbers and documents in a run of digits, each of whole groups. */
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

/** Of 13 to 19 digits with the check digit of Luhn. No card begins with another digit: timestamps do. */
const isCard = (digits: string) =>
  /^[2-6]\d{12,18}$/.test(digits) &&
  [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;
