import { knownNumbersIn } from './card-numbers.js';
import { type Range, withoutSeparators } from './decodings.js';
import { folded } from './folded.js';

/** A shorter secret (a CVV) is only searched as a whole word, so that ids that contain it are not cut up. */
const minLengthInsideWord = 6;

/** How many first characters of a secret are hidden even if the rest was cut off. */
const minPrefixLength = 12;

/** Secrets of at least this length are also searched in base64 and hexadecimal. */
const minEncodedLength = 8;

const isWordCharacter = (text: string, at: number) => /[0-9A-Za-z]/.test(text[at] ?? '');

const base64 = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** How bytes appear within the base64 of longer data, for each of the three offsets at which they may begin. */
function base64Fragments(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((shift) => {
    const shifted = new Uint8Array(shift + bytes.length);
    shifted.set(bytes, shift);
    const whole = base64(shifted).replace(/=+$/, '');
    // The characters at both ends also hold bits of the neighbouring bytes.
    const end = (shifted.length * 8) % 6 === 0 ? whole.length : whole.length - 1;
    return whole.slice(Math.ceil((shift * 8) / 6), end);
  });
}

/** A text to search, and its beginning and end, which are hidden even without the rest. */
interface SearchTerm {
  readonly text: string;
  readonly prefix: string;
  /** Undefined for a short text: its end says too little. */
  readonly suffix: string | undefined;
}

/** A term that is found by its beginning alone. */
const prefixTerm = (text: string): SearchTerm => ({
  text,
  prefix: text.slice(0, minPrefixLength),
  suffix: undefined,
});

const searchTerm = (text: string): SearchTerm => ({
  ...prefixTerm(text),
  suffix: text.length >= 2 * minPrefixLength ? text.slice(-minPrefixLength) : undefined,
});

/** The ranges where a term occurs, or its beginning or end if the rest was cut off. */
function* occurrencesOf({ text: whole, prefix, suffix }: SearchTerm, text: string): Iterable<Range> {
  const ends = new Set<number>();
  for (let at = text.indexOf(prefix); at !== -1; ) {
    let length = prefix.length;
    while (length < whole.length && text[at + length] === whole[length]) length++;
    yield [at, at + length];
    if (length === whole.length) ends.add(at + length);
    at = text.indexOf(prefix, at + length);
  }
  if (suffix === undefined) return;
  for (let at = text.indexOf(suffix); at !== -1; at = text.indexOf(suffix, at + suffix.length)) {
    if (ends.has(at + suffix.length)) continue;
    let length = suffix.length;
    while (length < whole.length && text[at + suffix.length - length - 1] === whole.at(-length - 1)) length++;
    yield [at + suffix.length - length, at + suffix.length];
  }
}

function* occurrencesOfAll(terms: readonly SearchTerm[], text: string): Iterable<Range> {
  if (terms.length === 0) return;
  const lower = folded(text);
  for (const term of terms) yield* occurrencesOf(term, lower);
}

/** A field name that is followed by a CVV without a space. */
const codeName = /(?:cv[vc]\d?|code|pin)$/i;

/** Of a longer secret only its beginning can be in a text that is searched. */
const maxSearchedLength = 64_000;

/** How many characters of a secret are searched in base64 and hexadecimal. */
const maxEncodedLength = 512;

/** Finds known secrets in a text: as they are, with separators if they are numbers, in base64 and in hexadecimal. */
export class KnownSecrets {
  readonly #shortSecrets: readonly string[];
  /** In lower case: a secret that is hexadecimal is the same in capitals. */
  readonly #plainTerms: readonly SearchTerm[];
  readonly #compactTerms: readonly SearchTerm[];
  readonly #cardNumbers: readonly string[];
  readonly #encodableSecrets: readonly string[];
  #encodedTerms: { readonly base64: readonly SearchTerm[]; readonly hex: readonly SearchTerm[] } | undefined;

  /** Secrets that were sent are also searched in base64 and hexadecimal; those received with an answer are not. */
  constructor(sent: readonly string[], received: readonly string[] = []) {
    const all = [...new Set([...sent, ...received])].filter((secret) => secret !== '');
    const digitsOf = (secret: string) => (secret.length > 40 ? '' : secret.replace(/[ .-]/g, ''));
    this.#cardNumbers = all.map(digitsOf).filter((digits) => /^\d{12,19}$/.test(digits));
    this.#shortSecrets = all.filter((secret) => secret.length < minLengthInsideWord);
    const long = all
      .filter((secret) => secret.length >= minLengthInsideWord)
      .map((secret) => folded(secret.slice(0, maxSearchedLength)));
    this.#plainTerms = long.map(searchTerm);
    this.#compactTerms = long
      .map((secret) => withoutSeparators(secret).text)
      .filter((secret) => secret.length >= minLengthInsideWord)
      .map(searchTerm);
    this.#encodableSecrets = sent.filter((secret) => secret.length >= minEncodedLength);
  }

  /** The ranges of all secrets in a text. */
  *in(text: string): Iterable<Range> {
    for (const secret of this.#shortSecrets) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        const end = at + secret.length;
        const isAlone = !isWordCharacter(text, at - 1) || codeName.test(text.slice(Math.max(0, at - 4), at));
        if (isAlone && !isWordCharacter(text, end)) yield [at, end];
      }
    }
    yield* this.numbersIn(text);
    yield* this.longSecretsIn(text);
  }

  /** The ranges of known numbers, with any separators. */
  numbersIn(text: string): Range[] {
    return knownNumbersIn(text, this.#cardNumbers);
  }

  /** The ranges of secrets that are long enough to be recognised inside a word. */
  *longSecretsIn(text: string): Iterable<Range> {
    yield* occurrencesOfAll(this.#plainTerms, text);
    yield* this.#encodedIn(text);
  }

  /** The same in a text without separators, as secrets are then. */
  *compactSecretsIn(text: string): Iterable<Range> {
    yield* occurrencesOfAll(this.#compactTerms, text);
    yield* this.#encodedIn(text);
  }

  *#encodedIn(text: string): Iterable<Range> {
    if (text.length < minEncodedLength || this.#encodableSecrets.length === 0) return;
    this.#encodedTerms ??= encodedTermsOf(this.#encodableSecrets);
    // URL-safe base64 differs in two characters; replacing them keeps every position.
    const standard = text.replaceAll('-', '+').replaceAll('_', '/');
    for (const one of this.#encodedTerms.base64) yield* occurrencesOf(one, standard);
    const lower = text.replace(/[A-F]/g, (character) => character.toLowerCase());
    for (const one of this.#encodedTerms.hex) yield* occurrencesOf(one, lower);
  }
}

function encodedTermsOf(secrets: readonly string[]) {
  const encoder = new TextEncoder();
  const bytes = secrets.map((secret) => encoder.encode(secret.slice(0, maxEncodedLength)));
  const hexOf = (one: Uint8Array) => Array.from(one, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    base64: bytes.flatMap(base64Fragments).map(prefixTerm),
    hex: bytes
      .map(hexOf)
      .map((text) => ({ ...prefixTerm(text), prefix: text.slice(0, 2 * minPrefixLength) })),
  };
}
