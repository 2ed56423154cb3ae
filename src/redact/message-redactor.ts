import { confidentiality, isKindField, isNameField } from '../contract/confidential-fields.js';
import { printable } from '../errors/base.js';
import { isRecord } from '../validation/record.js';
import {
  decodeBase64,
  findConfidential,
  findConfidentialInDecoded,
  findConfidentialInId,
  type Range,
} from './confidential-patterns.js';

export const redacted = '[redacted]';

interface SentValues {
  /**
   * Credentials, tokens, headers and secret bodies. Pieces of 8 characters are also hidden.
   */
  readonly secrets?: unknown;
  readonly personal?: unknown;
  readonly named?: unknown;
}

/** In characters: `maxRead` is searched, `maxShown` is shown. */
const maxRead = 1_600;
const maxShown = 500;
/** If a call sent more characters, messages are hidden as a whole, because the search would take too long. */
const maxSent = 20_000;
/** The length of a piece of a secret. A piece of this length does not appear in a message by chance. */
const pieceLength = 8;
/** The minimum number of letters and digits in a piece with symbols. */
const minPieceLetters = 4;
/** Matches pieces of URLs and dates, which other messages also contain. */
const ordinaryPiece = /:\/\/|\d{4}-\d\d/;

/**
 * Redacts third-party messages: hides the confidential values of one call, and parts that look like a
 * secret or personal data. Does not find values in every encoding: a server that encodes them in an unusual
 * way does so on purpose, and already knows them.
 */
export class MessageRedactor {
  readonly #words = new Set<string>();
  /** Folded, or in lower case with a symbol at an end. */
  readonly #values = new Set<string>();
  /** Pieces of secrets: folded, or in lower case with symbols. */
  readonly #pieces = new Set<string>();
  /** Values of one or two characters, which every message contains. They only count directly after another. */
  readonly #short = new Set<string>();
  /** Dates and expiry dates in forms that are not a fixed sequence of letters and digits. */
  readonly #dates: RegExp[] = [];
  #sent = 0;

  constructor({ secrets, personal, named }: SentValues = {}) {
    this.#collect(secrets, 'secret');
    this.#collect(personal, 'personal');
    this.#collect(named, undefined);
  }

  show(message: string): string {
    const read = message.slice(0, maxRead);
    const hidden = read.trim() === '' ? [] : this.#hiddenRanges(read, findConfidential);
    let result = '';
    let at = 0;
    for (const [start, end] of hidden) {
      if (start > at || at === 0) result += read.slice(at, start) + redacted;
      at = Math.max(at, end);
    }
    result = printable(result + read.slice(at));
    return result.length > maxShown ? `${result.slice(0, maxShown)}…` : result;
  }

  isSafe(value: string): boolean {
    return value.length <= maxShown && this.show(value) === value;
  }

  repeatsSent(value: string): boolean {
    const text = unescapeText(value);
    return [text, decodedText(text)].some((searched) => this.#sentIn(searched).length > 0);
  }

  isSafeId(value: string): boolean {
    return (
      value.length <= maxShown &&
      printable(value) === value &&
      this.#hiddenRanges(value, findConfidentialInId).length === 0
    );
  }

  /** Base64 is hidden if its content would be hidden. */
  #hiddenRanges(message: string, find: (text: string) => Range[]): Range[] {
    const text = unescapeText(message);
    const decoded = decodedText(text);
    const found = [
      ...find(text.value).map(([start, end]) => text.range(start, end)),
      ...findConfidentialInDecoded(decoded.value).map(([start, end]) => decoded.range(start, end)),
    ];
    return [...this.#sentIn(text), ...this.#sentIn(decoded), ...found].sort(([a], [b]) => a - b);
  }

  #sentIn(text: MappedText): Range[] {
    if (this.#sent > maxSent) return text.value === '' ? [] : [text.range(0, text.value.length)];
    const ranges: Range[] = [];
    for (const form of [text.map(fold), text.map(toLowerCase)]) {
      const searched = form.value;
      const isEdge = (at: number) => at === 0 || at === searched.length || form.edges.has(at);
      for (const value of this.#values)
        for (let at = searched.indexOf(value); at >= 0; at = searched.indexOf(value, at + 1)) {
          let [start, end] = [at, at + value.length];
          while (at - start < 20 && !isEdge(start) && searched[start - 1] === '0') start--;
          for (const length of [1, 2])
            if (isEdge(end + length) && this.#short.has(searched.slice(end, end + length))) end += length;
          // A short value without symbols only counts as a whole word: many words contain it by chance.
          if (value.length >= 10 || fold(value) !== value || (isEdge(start) && isEdge(end)))
            ranges.push(form.range(start, end));
        }
      for (const [at, piece] of piecesOf(searched))
        if (this.#pieces.has(piece)) ranges.push(form.range(at, at + pieceLength));
    }
    for (const date of this.#dates)
      for (const { 0: form, index } of text.value.matchAll(date))
        ranges.push(text.range(index, index + form.length));
    for (const { 0: word, index } of text.value.matchAll(/[\p{L}\p{N}\p{M}]+/gu))
      if (this.#words.has(withoutZeros(fold(word)))) ranges.push(text.range(index, index + word.length));
    return ranges;
  }

  #collect(value: unknown, kind: 'secret' | 'personal' | undefined, isName = false): void {
    if (this.#sent > maxSent) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      if (kind === undefined) return;
      this.#sent += String(value).length;
      if (this.#sent > maxSent) return;
      // A value can itself contain escapes, which are decoded in a message.
      for (const form of new Set([String(value), unescapeText(String(value)).value]))
        if (kind === 'secret') this.#addSecret(form);
        else this.#addPersonal(form, isName);
    } else if (Array.isArray(value)) for (const entry of value) this.#collect(entry, kind, isName);
    else if (isRecord(value)) {
      if ('expirationMonth' in value) this.#addExpiry(value.expirationMonth, value.expirationYear);
      for (const [name, entry] of Object.entries(value)) {
        // Fields such as `type` are skipped. Inside a secret, they are skipped only if the value looks like a
        // value of the API: `type: 'apple_pay'`.
        if (isKindField(name) && (kind !== 'secret' || /^[a-z_]+$/.test(String(entry)))) continue;
        this.#collect(entry, kind ?? confidentiality(name), isName || isNameField(name));
      }
    }
  }

  #addSecret(secret: string): void {
    this.#addValue(secret);
    for (const [, piece] of piecesOf(fold(secret))) this.#pieces.add(piece);
    for (const [, piece] of piecesOf(toLowerCase(secret))) {
      const { length } = fold(piece);
      if (length >= minPieceLetters && length < pieceLength && !ordinaryPiece.test(piece))
        this.#pieces.add(piece);
    }
  }

  #addPersonal(value: string, isName: boolean): void {
    this.#addValue(value);
    // A date of birth as Brazilians write it, and a phone without its country and area codes.
    const [, year, short, month, m, day, d] = /^(\d\d(\d\d))-(0?(\d\d?))-(0?(\d\d?))$/.exec(value) ?? [];
    if (year !== undefined) {
      // `value` itself also before a time, as in `1990-02-01T00:00:00Z`.
      for (const form of [value, `${day}${month}${year}`, `${d}${m}${year}`, `${day}${month}${short}`])
        this.#values.add(form);
      // With any word for the month, as in `1 de fevereiro de 1990`.
      this.#addDate(`0?${d}\\D{0,7}[a-z]\\D{2,12}${year}`);
      this.#addDate(`0?${d}\\W[a-z]{3}[-/.]${short}`);
      this.#addDate(`\\b[a-z]{3,9}\\W{1,2}0?${d}\\D{1,4}${year}`);
    }
    const local = /^(?:55)?[1-9]{2}(9?\d{8})$/.exec(fold(value))?.[1];
    if (local !== undefined) this.#values.add(local);
    if (isName) for (const [word] of value.matchAll(/[\p{L}\p{M}]{4,}/gu)) this.#words.add(fold(word));
  }

  #addValue(value: string): void {
    const plain = fold(value);
    if (value.length > 3 && /^[^\p{L}\p{N}]|[^\p{L}\p{N}]$/u.test(value))
      this.#values.add(toLowerCase(value));
    if (plain.length < 3) this.#short.add(plain);
    else
      for (const form of [plain, withoutZeros(plain)])
        (form.length === 3 ? this.#words : this.#values).add(form);
    if (plain.length < 4) return;
    const bytes = new TextEncoder().encode(value);
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const form of [fold(btoa(String.fromCharCode(...bytes))), hex]) this.#values.add(form);
  }

  #addDate(source: string): void {
    this.#dates.push(new RegExp(`(?<!\\d)${source}(?!\\d)`, 'gi'));
  }

  /** Separately, they are numbers that any message can contain. */
  #addExpiry(month: unknown, year: unknown): void {
    const [m, y] = [String(month).padStart(2, '0'), String(year).slice(-4)];
    for (const form of [m + y, m + y.slice(-2), y + m]) if (/^\d{4,6}$/.test(form)) this.#values.add(form);
    // Only with a slash, because `5/30` without one is an amount.
    if (/^0\d{3,5}$/.test(m + y)) this.#addDate(`${m[1]}/(?:20)?${y.slice(-2)}`);
  }
}

class MappedText {
  /** The positions in this string at which the original message had a separator. */
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

  range(start: number, end: number): Range {
    return [this.#starts[start] as number, this.#ends[end - 1] as number];
  }

  map(change: (character: string) => string): MappedText {
    const mapped = new MappedText();
    let at = 0;
    for (const character of this.value) {
      const changed = change(character);
      if (changed === '' && !/\p{M}/u.test(character)) mapped.edges.add(mapped.value.length);
      mapped.add(changed, ...this.range(at, at + character.length));
      at += character.length;
    }
    return mapped;
  }
}

function* piecesOf(text: string): Generator<[at: number, piece: string]> {
  for (let at = 0; at + pieceLength <= text.length; at++) yield [at, text.slice(at, at + pieceLength)];
}

/** Keeps the length, also of `İ`. Alone, the lower case of `Σ` does not depend on its neighbours. */
const toLowerCase = (text: string) =>
  text.replace(/./gsu, (character) => character.toLowerCase().slice(0, character.length));

export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Banks and databases pad numbers to a fixed length. At least three digits remain. */
const withoutZeros = (plain: string) => plain.replace(/^0+(?=[1-9]..)/, '');

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * Decodes percent-encoding and the escapes of JSON and HTML. Drops invisible characters. Before a card number,
 * `%B` is not an escape: track 1 of a magnetic stripe begins with it.
 */
function unescapeText(message: string): MappedText {
  const text = new MappedText();
  for (const match of message.matchAll(
    /%B(?=\d{12})|(?:(?!%B\d{12})%[\da-f]{2})+|\\u([\da-f]{4})|\\[bfnrt]|&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,4}));|\p{Cf}|./gisu,
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

/** Each character maps to the whole base64. */
function decodedText(text: MappedText): MappedText {
  const decoded = new MappedText();
  for (const { value, range } of decodeBase64(text.value))
    decoded.add(`${unescapeText(value).value}\n`, ...text.range(...range));
  return decoded;
}

function percentDecoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
