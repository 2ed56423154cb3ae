import { isValidCnpj, isValidCpf } from '../../contract/brazil.js';
import { isRecord } from '../../input/record.js';
import { knownNumbersIn } from './card-numbers.js';
import type { Range } from './decodings.js';
import { unaccented } from './folded.js';
import { isPersonal, type Place, placeWithin } from './personal-names.js';

/** How many personal texts of a call and its answer are searched. If there are more, no text is shown. */
const maxTexts = 2_000;

/** How many characters are compared for one error or event, over all texts. Beyond that, texts are hidden as a whole. */
const maxComparisons = 50_000_000;

/** What a search in a short text costs at least, in characters. */
const costOfSearch = 32;

/** Longer texts are searched by their beginning. In characters. */
const maxTextLength = 200;

/** Shorter texts are hidden in their fields alone: searched anywhere, they would make messages unreadable. */
const minLetters = 3;
const minDigits = 6;

/** Numbers of at least so many digits are found with any separators, too. */
const minSpacedDigits = 8;

/** The personal texts in a body, by the names of their fields. Stops at one more than are searched. */
export function personalTextsIn(body: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, name: string, parent: string, place: Place): void => {
    if (found.size > maxTexts) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (isPersonal(text, name, parent, place)) found.add(text.slice(0, maxTextLength).trim());
    } else if (Array.isArray(value)) {
      for (const entry of value) walk(entry, name, parent, place);
    } else if (isRecord(value)) {
      const within = placeWithin(place, name);
      for (const [own, entry] of Object.entries(value)) walk(entry, own, name, within);
    }
  };
  walk(body, '', '', 'plain');
  return [...found];
}

/** CPFs and CNPJs with their punctuation. */
const formattedDocument =
  /(?<![0-9A-Za-z])(?:\d{3}\.\d{3}\.\d{3}-?\d{2}|\d{3} \d{3} \d{3}[ -]\d{2}|\d{9}-\d{2}|[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2}|[0-9A-Za-z]{8}\/[0-9A-Za-z]{4}-?\d{2})(?![0-9A-Za-z])/g;

/** What may be a CPF or a CNPJ without punctuation: its check digits decide. */
const bareDocument = /(?<![0-9A-Za-z])(?:\d{11}|[0-9A-Za-z]{12}\d{2})(?![0-9A-Za-z])/g;

/** Telephone numbers: with a plus sign and country code, or with a Brazilian area code. */
const phone =
  /(?<![0-9A-Za-z+])(?:\+\d(?:[ ().-]{0,2}\d){7,14}|\(\d{2}\) ?(?:9[ ]?)?\d{4}[ -]?\d{4}|\d{2} 9\d{4}[ -]\d{4})(?!\d)/g;

/** A number, and without the country code if it is a Brazilian telephone number: so it is repeated in Brazil. */
const spellingsOf = (digits: string) => (/^55\d{10,11}$/.test(digits) ? [digits, digits.slice(2)] : [digits]);

/** What may stand before and behind the `@` of an e-mail address. */
const mailbox = /[\p{L}\p{N}._%+'-]/u;
const domain = /[\p{L}\p{N}.-]/u;
const maxMailbox = 64;
const maxDomain = 255;

function* emailsIn(text: string): Iterable<Range> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < maxMailbox && mailbox.test(text[start - 1] as string)) start--;
    let end = at + 1;
    while (end < text.length && end - at < maxDomain && domain.test(text[end] as string)) end++;
    // The point at the end of a sentence is none of the address.
    while (text[end - 1] === '.') end--;
    if (start < at && end > at + 1) yield [start, end];
  }
}

const isDocument = (text: string) => (text.length === 11 ? isValidCpf(text) : isValidCnpj(text));

const letterOrDigit = /[\p{L}\p{N}]/u;

/**
 * Finds personal data in texts: what a call and its answer hold in personal fields, and CPFs, CNPJs, e-mail
 * addresses and telephone numbers of anybody. Runs in time linear in the length of the text.
 */
export class PersonalData {
  readonly #words: readonly string[];
  readonly #numbers: readonly string[];
  /** There are too many personal texts to search for. */
  readonly isTooMuch: boolean;
  #comparisonsLeft = maxComparisons;

  /** Takes the personal texts that are known. */
  constructor(texts: readonly string[]) {
    this.isTooMuch = texts.length > maxTexts;
    const known = this.isTooMuch ? [] : texts;
    const digits = known.map((text) => text.replace(/[^0-9]/g, ''));
    this.#numbers = [...new Set(digits.flatMap(spellingsOf))].filter(
      (number) => number.length >= minSpacedDigits,
    );
    this.#words = known
      .map(unaccented)
      .filter((text) => (/\p{L}/u.test(text) ? text.length >= minLetters : text.length >= minDigits));
  }

  /** The ranges of all personal data in a text. */
  *in(text: string): Iterable<Range> {
    this.#comparisonsLeft -= (this.#words.length + this.#numbers.length) * (text.length + costOfSearch);
    if (this.#comparisonsLeft < 0) {
      yield [0, text.length];
      return;
    }
    yield* emailsIn(text);
    for (const pattern of [formattedDocument, phone])
      for (const { 0: whole, index } of text.matchAll(pattern)) yield [index, index + whole.length];
    for (const { 0: whole, index } of text.matchAll(bareDocument))
      if (isDocument(whole)) yield [index, index + whole.length];
    yield* knownNumbersIn(text, this.#numbers);
    if (this.#words.length > 0) yield* this.#wordsIn(unaccented(text));
  }

  *#wordsIn(text: string): Iterable<Range> {
    for (const word of this.#words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const end = at + word.length;
        const isAlone = !letterOrDigit.test(text[at - 1] ?? '') && !letterOrDigit.test(text[end] ?? '');
        if (isAlone || word.length >= maxTextLength) yield [at, end];
      }
    }
  }
}
