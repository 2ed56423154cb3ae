import { isRecord } from '../../input/record.js';
import { cardNumbersIn } from './card-numbers.js';
import { KnownSecrets } from './known-secrets.js';
import { namedSecretsIn } from './named-secrets.js';
import { isSecretName, isSecretObject, isTaxNumberName } from './secret-names.js';
import { type Range, spellingsOf, squeezed } from './spellings.js';

export const redacted = '[redacted]';

/** Inside an object that is secret as a whole, a shorter text (`"Y"`, `"2"`) is no secret, and replacing it would only hide the message. */
const shortestInside = 6;

/** So many secrets of a call, and of its answer, are looked for. What holds more is not shown at all. */
const mostSecrets = 40;
const mostAnswered = 10;

/** Longer text is cut: what is logged is not kept whole. In characters. */
const longestText = 64_000;

/**
 * Every secret text in a body, at most one more than are looked for: by its name, by the paths that its
 * operation calls secret, or all there is.
 */
export function secretsIn(body: unknown, secrets: 'all' | readonly string[] = []): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, isNamed: boolean, isInside: boolean, parent: string, path: string): void => {
    if (found.size > mostSecrets) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if ((isNamed && text !== '') || (isInside && text.length >= shortestInside)) found.add(text);
    } else if (Array.isArray(value)) {
      for (const entry of value) walk(entry, isNamed, isInside, parent, path);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`;
        const isListed = secrets !== 'all' && secrets.includes(at);
        walk(
          entry,
          isSecretName(name, parent) || (isListed && !isRecord(entry)),
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

/** Where something stands that must not be shown, in order and without overlaps. */
function* merged(ranges: Range[]): Iterable<Range> {
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
 * Hides secrets: those it is given, in any encoding in which they may come back, values whose names say
 * that they are secret, and anything that looks like a PAN. Its time follows the length of the text.
 */
export class Scrubber {
  readonly #known: KnownSecrets;
  /** There are too many to look for: nothing is shown. */
  readonly #hidesAll: boolean;

  /** Secrets that were sent, and those that came with an answer. */
  constructor(sent: readonly string[], answered: readonly string[] = []) {
    this.#hidesAll = sent.length > mostSecrets || answered.length > mostAnswered;
    this.#known = this.#hidesAll ? new KnownSecrets([]) : new KnownSecrets(sent, answered);
  }

  /** A text without secrets. */
  text(given: string): string {
    return this.#text(given, true);
  }

  /** A deep copy of parsed JSON without secrets, in its names too. */
  value(value: unknown): unknown {
    return this.#hidesAll ? redacted : this.#value(value, '', '');
  }

  #text(given: string, mayBeCard: boolean): string {
    if (this.#hidesAll) return redacted;
    const text = given.length > longestText ? given.slice(0, longestText) : given;
    const ranges: Range[] = [];
    for (const { text: spelt, range } of spellingsOf(text)) {
      for (const [from, to] of this.#known.in(spelt)) ranges.push(range(from, to));
      for (const [from, to] of namedSecretsIn(spelt)) ranges.push(range(from, to));
      if (mayBeCard) for (const [from, to] of cardNumbersIn(spelt)) ranges.push(range(from, to));
    }
    // Folded, spaced or with something invisible inside.
    const { text: tight, range } = squeezed(text);
    if (tight.length < text.length)
      for (const [from, to] of this.#known.longIn(tight)) ranges.push(range(from, to));
    if (ranges.length === 0) return text;
    let clean = '';
    let at = 0;
    for (const [start, end] of merged(ranges)) {
      clean += text.slice(at, start) + redacted;
      at = end;
    }
    return clean + text.slice(at);
  }

  /** Whether a known card number is spread over several values. */
  #isSplitNumber(values: readonly unknown[]): boolean {
    if (values.length < 2 || values.length > mostParts) return false;
    const parts = values.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
    if (parts.some((part) => this.#known.numbersIn(part).length > 0)) return false;
    return this.#known.numbersIn(parts.join(' ')).length > 0;
  }

  #value(value: unknown, name: string, parent: string): unknown {
    if (value === undefined || value === null || typeof value === 'boolean') return value;
    if (name !== '' && isSecretName(name, parent)) return redacted;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      const clean = this.#text(text, !isTaxNumber(text, name, parent));
      return clean === text ? value : clean;
    }
    if (Array.isArray(value)) {
      if (this.#isSplitNumber(value)) return redacted;
      return value.map((entry) => this.#value(entry, name, parent));
    }
    if (!isRecord(value)) return value;
    if (this.#isSplitNumber(Object.values(value))) return redacted;
    const copy: Record<string, unknown> = {};
    for (const [own, entry] of Object.entries(value)) {
      if (own !== '__proto__') copy[this.#text(own, true)] = this.#value(entry, own, name);
    }
    return copy;
  }
}

/** So many parts a card number may be split into. */
const mostParts = 40;

const isTaxNumber = (text: string, name: string, parent: string) =>
  isTaxNumberName(name, parent) && /^(\d{11}|\d{14})$/.test(text.replace(/[./ -]/g, ''));

/** Cut after it was scrubbed: half a secret would not be recognised. */
export function shorten(body: unknown): unknown {
  return typeof body === 'string' && body.length > 500 ? `${body.slice(0, 500)}…` : body;
}
