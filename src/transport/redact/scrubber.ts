import { isRecord } from '../../input/record.js';
import { cardNumbersIn } from './card-numbers.js';
import { decodingsOf, type Range, withoutSeparators } from './decodings.js';
import { KnownSecrets } from './known-secrets.js';
import { namedSecretsIn } from './named-secrets.js';
import type { PersonalData } from './personal-data.js';
import { isPersonal, type Place, placeWithin } from './personal-names.js';
import { isSecretField, isSecretObject, isTaxNumberName } from './secret-names.js';

export const redacted = '[redacted]';

/** In an object whose values are all secret, a shorter text (`"Y"`, `"2"`) is not treated as one: replacing it everywhere would make messages unreadable. */
const minLengthInSecretObject = 3;

/** How many secrets of a call, and of its answer, are searched. If there are more, nothing is shown at all. */
const maxSentSecrets = 40;
const maxReceivedSecrets = 10;

/** Longer text is cut. In characters. */
const maxTextLength = 64_000;

/**
 * The secret texts in a body: by the names of their fields, by the paths that the operation declares as
 * secret, or (`all`) every text. Stops at one more than `maxSentSecrets`.
 */
export function secretsIn(body: unknown, secrets: 'all' | readonly string[] = []): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, isNamed: boolean, isInside: boolean, parent: string, path: string): void => {
    if (found.size > maxSentSecrets) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if ((isNamed && text !== '') || (isInside && text.length >= minLengthInSecretObject)) found.add(text);
    } else if (Array.isArray(value)) {
      for (const entry of value) walk(entry, isNamed, isInside, parent, path);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`;
        const isListed = secrets !== 'all' && secrets.includes(at);
        walk(
          entry,
          isSecretField(entry, name, parent) || (isListed && !isRecord(entry)),
          isInside || isSecretObject(name) || isListed,
          name,
          at,
        );
      }
    }
  };
  walk(body, false, secrets === 'all', '', '');
  return [...found];
}

/** Sorts ranges and joins those that overlap. */
function* mergeRanges(ranges: Range[]): Iterable<Range> {
  ranges.sort(([one], [other]) => one - other);
  let open: [number, number] | undefined;
  for (const [start, end] of ranges) {
    if (open !== undefined && start <= open[1]) open[1] = Math.max(open[1], end);
    else {
      if (open !== undefined) yield open;
      open = [start, end];
    }
  }
  if (open !== undefined) yield open;
}

/**
 * Hides secrets: known ones in any encoding in which they may come back, values whose names say that they
 * are secret, and anything that looks like a PAN; and personal data, if it is given. Runs in time linear in
 * the length of the text.
 */
export class Scrubber {
  readonly #known: KnownSecrets;
  readonly #personal: PersonalData | undefined;
  /** There are too many secrets to search for: nothing is shown. */
  readonly #hidesAll: boolean;

  /** Takes the secrets that were sent, those received with an answer, and the personal data to hide. */
  constructor(sent: readonly string[], received: readonly string[] = [], personal?: PersonalData) {
    this.#personal = personal;
    this.#hidesAll =
      sent.length > maxSentSecrets || received.length > maxReceivedSecrets || (personal?.isTooMuch ?? false);
    this.#known = this.#hidesAll ? new KnownSecrets([]) : new KnownSecrets(sent, received);
  }

  /** A text without secrets. */
  text(given: string): string {
    return this.#text(given, true);
  }

  /** A deep copy of parsed JSON without secrets, in its names too. */
  value(value: unknown): unknown {
    return this.#hidesAll ? redacted : this.#value(value, '', '', 'plain');
  }

  #text(given: string, mayBeCard: boolean): string {
    if (this.#hidesAll) return redacted;
    const text = given.length > maxTextLength ? given.slice(0, maxTextLength) : given;
    const ranges: Range[] = [];
    for (const { text: decodedText, range } of decodingsOf(text)) {
      for (const [from, to] of this.#known.in(decodedText)) ranges.push(range(from, to));
      for (const [from, to] of namedSecretsIn(decodedText)) ranges.push(range(from, to));
      for (const [from, to] of this.#personal?.in(decodedText) ?? []) ranges.push(range(from, to));
      if (mayBeCard) for (const [from, to] of cardNumbersIn(decodedText)) ranges.push(range(from, to));
    }
    // Secrets with line breaks, spaces or invisible characters inside.
    const { text: compact, range } = withoutSeparators(text);
    if (compact.length < text.length)
      for (const [from, to] of this.#known.compactSecretsIn(compact)) ranges.push(range(from, to));
    if (ranges.length === 0) return text;
    let clean = '';
    let at = 0;
    for (const [start, end] of mergeRanges(ranges)) {
      clean += text.slice(at, start) + redacted;
      at = end;
    }
    return clean + text.slice(at);
  }

  /** Whether a known card number is spread over several values. */
  #isSplitNumber(values: readonly unknown[]): boolean {
    if (values.length < 2 || values.length > maxNumberParts) return false;
    const parts = values.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
    if (parts.some((part) => this.#known.numbersIn(part).length > 0)) return false;
    return this.#known.numbersIn(parts.join(' ')).length > 0;
  }

  #value(value: unknown, name: string, parent: string, place: Place): unknown {
    if (value === undefined || value === null || typeof value === 'boolean') return value;
    if (name !== '' && isSecretField(value, name, parent)) return redacted;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (this.#personal !== undefined && isPersonal(text, name, parent, place)) return redacted;
      const clean = this.#text(text, !isTaxNumber(text, name, parent));
      return clean === text ? value : clean;
    }
    if (Array.isArray(value)) {
      if (this.#isSplitNumber(value)) return redacted;
      return value.map((entry) => this.#value(entry, name, parent, place));
    }
    if (!isRecord(value)) return value;
    if (this.#isSplitNumber(Object.values(value))) return redacted;
    const within = placeWithin(place, name);
    const copy: Record<string, unknown> = {};
    for (const [own, entry] of Object.entries(value)) {
      if (own !== '__proto__') copy[this.#text(own, true)] = this.#value(entry, own, name, within);
    }
    return copy;
  }
}

/** The most parts that a card number may be split into. */
const maxNumberParts = 40;

const isTaxNumber = (text: string, name: string, parent: string) =>
  isTaxNumberName(name, parent) && /^(\d{11}|\d{14})$/.test(text.replace(/[./ -]/g, ''));

/** Cuts a long text. Called after secrets were hidden: a half of one would not be recognised. */
export function shorten(body: unknown): unknown {
  return typeof body === 'string' && body.length > 500 ? `${body.slice(0, 500)}…` : body;
}
