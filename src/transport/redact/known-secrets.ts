import { knownNumbersIn } from './card-numbers.js';
import type { Range } from './spellings.js';

/** A shorter secret (a CVV) is looked for where it stands alone, so that it does not tear ids apart. */
const shortestAnywhere = 6;

/** The first characters of a secret that are told even where the rest was cut off. */
const shortestPart = 12;

/** The length of a secret that is looked for in base64 and in hexadecimal. */
const shortestEncoded = 8;

const isWord = (text: string, at: number) => /[0-9A-Za-z]/.test(text[at] ?? '');

const base64 = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** What stands for a text in the base64 of a longer one, for each of the three places where it may begin. */
function base64Cores(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((shift) => {
    const shifted = new Uint8Array(shift + bytes.length);
    shifted.set(bytes, shift);
    const whole = base64(shifted).replace(/=+$/, '');
    // The characters at both ends hold bits of what stands beside it, too.
    const end = (shifted.length * 8) % 6 === 0 ? whole.length : whole.length - 1;
    return whole.slice(Math.ceil((shift * 8) / 6), end);
  });
}

/** One text to look for, and from where on it tells enough to be hidden. */
interface Needle {
  readonly text: string;
  readonly part: string;
}

const needle = (text: string): Needle => ({ text, part: text.slice(0, shortestPart) });

/** Where a needle, or the beginning of one that was cut, stands. */
function* placesOf({ text: whole, part }: Needle, text: string): Iterable<Range> {
  for (let at = text.indexOf(part); at !== -1; ) {
    let length = part.length;
    while (length < whole.length && text[at + length] === whole[length]) length++;
    yield [at, at + length];
    at = text.indexOf(part, at + length);
  }
}

/** Before a CVV that stands without a space behind its name. */
const codeName = /(?:cv[vc]\d?|code|pin)$/i;

/** Of a longer secret this much is looked for in base64 and in hexadecimal. */
const longestEncoded = 512;

/** Secrets that are known, and every way in which they are looked for. */
export class KnownSecrets {
  readonly #short: readonly string[];
  readonly #plain: readonly Needle[];
  readonly #numbers: readonly string[];
  readonly #own: readonly string[];
  #encoded: { readonly base64: readonly Needle[]; readonly hex: readonly Needle[] } | undefined;

  /** Those that were sent are looked for in base64 and hexadecimal, too; those that came with an answer are not. */
  constructor(sent: readonly string[], answered: readonly string[] = []) {
    const all = [...new Set([...sent, ...answered])].filter((secret) => secret !== '');
    const digitsOf = (secret: string) => (secret.length > 40 ? '' : secret.replace(/[ .-]/g, ''));
    this.#numbers = all.map(digitsOf).filter((digits) => /^\d{12,19}$/.test(digits));
    this.#short = all.filter((secret) => secret.length < shortestAnywhere);
    this.#plain = all.filter((secret) => secret.length >= shortestAnywhere).map(needle);
    this.#own = sent.filter((secret) => secret.length >= shortestEncoded);
  }

  /** Where they stand in a text. */
  *in(text: string): Iterable<Range> {
    for (const secret of this.#short) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        const end = at + secret.length;
        const isAlone = !isWord(text, at - 1) || codeName.test(text.slice(Math.max(0, at - 4), at));
        if (isAlone && !isWord(text, end)) yield [at, end];
      }
    }
    yield* this.numbersIn(text);
    yield* this.longIn(text);
  }

  /** Where a number that is known stands, in any spacing. */
  numbersIn(text: string): Range[] {
    return knownNumbersIn(text, this.#numbers);
  }

  /** Where those stand that are long enough to be told in the middle of a word. */
  *longIn(text: string): Iterable<Range> {
    for (const one of this.#plain) yield* placesOf(one, text);
    if (text.length < shortestEncoded || this.#own.length === 0) return;
    this.#encoded ??= encodingsOf(this.#own);
    // Base64 for URLs has two other characters; each stands for one, so that the places stay.
    const standard = text.replaceAll('-', '+').replaceAll('_', '/');
    for (const one of this.#encoded.base64) yield* placesOf(one, standard);
    const lower = text.replace(/[A-F]/g, (character) => character.toLowerCase());
    for (const one of this.#encoded.hex) yield* placesOf(one, lower);
  }
}

function encodingsOf(secrets: readonly string[]) {
  const encoder = new TextEncoder();
  const bytes = secrets.map((secret) => encoder.encode(secret.slice(0, longestEncoded)));
  const hexOf = (one: Uint8Array) => Array.from(one, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    base64: bytes.flatMap(base64Cores).map(needle),
    hex: bytes.map(hexOf).map((text) => ({ text, part: text.slice(0, 2 * shortestPart) })),
  };
}
