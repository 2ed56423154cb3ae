import { limits } from '../../contract/limits.js';
import { printable } from '../../errors/printable.js';
import { isRecord } from '../../input/record.js';
import { formsOf, isKnownWord, wordsOf } from './vocabulary.js';

/** What stands for everything that is not known to be harmless. */
export const redacted = '[redacted]';

/** Longer texts are cut. In characters. */
const maxLength = 2_000;

/** Shorter values are in many identifiers by chance. */
const minRepeated = 3;

/** Shorter words of a value are in many addresses: `com`. */
const minWord = 5;

/** Fields whose values are shown where a platform repeats them: neither secret nor personal. */
const shownFields = new Set(['externalId', 'amount', 'paymentMethod', 'unitPrice']);

/** Fields whose values are names of the API, such as `cpf` and `conta_corrente`: written as one, they hide no word. */
const namingFields = new Set([
  'paymentMethod',
  'type',
  'documentType',
  'bankAccountType',
  'events',
  'status',
  'grant_type',
]);

const apiName = /^[a-z_.]+$/;

/** Values and words of one call. */
export interface CallValues {
  /** What the call sent that may be shown: its key, the ids in its path, the host. */
  readonly shown: readonly string[];
  /** What it sent as a secret outside of its body. */
  readonly secrets: readonly string[];
  readonly body: unknown;
  /** What else it sent. All of its values are hidden. */
  readonly hidden?: unknown;
}

/** The numbers that the API document states, but for those of one or two digits: pieces of a card number may be such. */
const documentedNumbers: ReadonlySet<string> = new Set(JSON.stringify(limits).match(/\d{3,}/g));

/** Words, numbers and paths: letters and digits, with single dots and dashes between them. */
const tokens = /[\p{L}\p{N}\p{M}_]+(?:[.-][\p{L}\p{N}\p{M}_]+)*|[^\p{L}\p{N}\p{M}_]/gu;

/** The characters of a name, whatever else a platform gives as one. */
const nameForm = /^[\w.: -]{1,100}$/;

/** What may stand between words. */
const punctuation = /^[ ,.;:!?()[\]{}"'/=-]$/;

/**
 * Shows of a text only what is known to be harmless: words of a vocabulary and names made of them,
 * documented numbers, and what the call itself sent in fields that are neither secret nor personal. What it
 * sent in any other field is not shown, even where it is a word. Everything else becomes one mark, and all
 * of it where what is left spells a value that is not shown. Nothing is decoded.
 */
export class ShownText {
  readonly #shown: ReadonlySet<string>;
  /** What is not shown, and its words, each folded. */
  readonly #hidden: ReadonlySet<string>;
  /** Those that are in no text by chance. */
  readonly #longHidden: readonly string[];
  /** What is not shown, without anything between its letters and digits. */
  readonly #hiddenValues: readonly string[];
  /** The same in one text. */
  readonly #allHidden: string;
  readonly #body: unknown;

  constructor({ shown, secrets, body, hidden }: CallValues) {
    const own = new Set(shown);
    const values: string[] = [];
    collect(body, own, values);
    collect(hidden, new Set(), values);
    // The words of a credential such as sandbox-secret-not-real are no secrets, unless it is a single one.
    const words = values.flatMap(partsOf).flatMap((word) => [word, ...formsOf(word)]);
    this.#shown = own;
    this.#hiddenValues = [...secrets, ...values].map(plainOf);
    this.#allHidden = this.#hiddenValues.join(separator);
    this.#hidden = new Set([...words, ...this.#hiddenValues]);
    this.#longHidden = [...this.#hidden].filter(({ length }) => length >= minWord);
    this.#body = body;
  }

  /** A text for one line, without what is not known to be harmless. */
  text(given: string): string {
    const cut = given
      .slice(0, maxLength)
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '');
    if (this.#isShownValue(cut)) return printable(cut);
    let text = '';
    let isHidden = false;
    for (const [token] of cut.matchAll(tokens)) {
      const isBlank = token.trim() === '';
      if (isBlank || punctuation.test(token)) {
        // Between two marks nothing is shown: they are one.
        text += isBlank ? ' ' : token;
        continue;
      }
      if (this.#isHarmless(token)) {
        text += token;
        isHidden = false;
      } else {
        text = isHidden ? text.slice(0, text.lastIndexOf(redacted) + redacted.length) : text + redacted;
        isHidden = true;
      }
    }
    return this.spellsHidden(text) ? redacted : text.replace(/ {2,}/g, ' ');
  }

  /**
   * Whether what is shown, put together, has a value or a word that is not, or a part of one: the words of a
   * credential may each be known. Of a call that sent very much, nothing is shown.
   */
  spellsHidden(text: string): boolean {
    const plain = plainOf(text.replaceAll(redacted, ''));
    return (
      this.#allHidden.length > maxHidden ||
      this.#longHidden.some((word) => plain.includes(word)) ||
      hasPiece(plain, longPiece, this.#allHidden)
    );
  }

  /** Whether a name of a field, or of a header, or a code is made of known words. */
  isName(given: string): boolean {
    return nameForm.test(given) && this.#isHarmless(given) && !this.spellsHidden(given);
  }

  /**
   * A path of such names, as it was given: `items.0.unitPrice`, `/items/0`. An index is shown if the call sent an
   * entry there, because digits may be those of a card; else it becomes `{n}`. Undefined for any other path.
   */
  path(given: string): string | undefined {
    const parts = given.split(/[./[\]#$]/).filter((part) => part !== '');
    const names = parts.filter((part) => !isIndex.test(part));
    if (names.length === 0 || !names.every((name) => this.isName(name)) || this.spellsHidden(given))
      return undefined;
    return names.length === parts.length || hasPath(this.#body, parts.join('.'))
      ? given
      : parts.map((part) => (isIndex.test(part) ? '{n}' : part)).join('.');
  }

  /** Whether a text has what the call sent and must not be shown, as it was sent. */
  repeatsHidden(text: string): boolean {
    const plain = plainOf(text);
    return (
      this.spellsHidden(plain) ||
      this.#hiddenValues.some((value) => value.length >= minRepeated && plain.includes(value)) ||
      // A part of a long value, such as the first digits of a card, is one, too.
      hasPiece(plain, pieceLength, this.#allHidden)
    );
  }

  /** Whether the call sent a word, or the word that it is a form of. */
  #isHidden(word: string): boolean {
    return this.#hidden.has(word) || formsOf(word).some((other) => this.#hidden.has(other));
  }

  #isShownValue(value: string): boolean {
    // A digit or two of an order number is no secret, although a quantity may be the same.
    return (
      this.#shown.has(value) &&
      !this.spellsHidden(value) &&
      !partsOf(value).some((word) => word.length > 2 && this.#hidden.has(word))
    );
  }

  #isHarmless(token: string): boolean {
    if (this.#isShownValue(token)) return true;
    if ([plainOf(token), ...partsOf(token)].some((word) => this.#isHidden(word))) return false;
    if (documentedNumbers.has(token)) return true;
    if (isKnownWord(token)) return true;
    // An index is shown in a path of the body that the call sent: names may be data.
    if (/\p{N}{3}/u.test(token)) return false;
    const words = wordsOf(token);
    const isName =
      words.length > 0 && words.every((word) => isKnownWord(word) && !this.#isHidden(fold(word)));
    return isName && (!/\p{N}/u.test(token) || documentedNames.has(token) || hasPath(this.#body, token));
  }
}

/** So many characters in a row are no chance: in an identifier, and in a text of words. */
const pieceLength = 6;
const longPiece = 10;

/** A call that sent more characters than these is shown nothing: what is looked up in them would take too long. */
const maxHidden = 20_000;

/** Between values: no text has it, because only letters and digits of texts are compared. */
const separator = '\n';

const isIndex = /^\d{1,5}$/;

/** Whether so many characters in a row of a text stand in another one. */
function hasPiece(plain: string, length: number, all: string): boolean {
  for (let end = length; end <= plain.length; end++)
    if (all.includes(plain.slice(end - length, end))) return true;
  return false;
}

/** In small letters without accents, and of full width or not, as a platform may repeat a name. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();

/** Letters and digits alone. */
const plainOf = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '');

/** The words of a value, folded. */
const partsOf = (value: string): readonly string[] => fold(value).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Names of the API document that have a digit. */
const documentedNames: ReadonlySet<string> = new Set(['last4', 'card.last4']);

/** Sorts what a body sent, which has bounds, into what is shown and what is hidden. */
function collect(body: unknown, shown: Set<string>, hidden: string[]): void {
  const walk = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      // Of the order and of its items: elsewhere such a name may stand for anything.
      const isShown = shownFields.has(name) && (depth === 1 || name === 'unitPrice');
      // A digit or two may be a piece of a card number.
      if (isShown && !/^\d{1,2}$/.test(text)) shown.add(text);
      else if (!namingFields.has(name) || !apiName.test(text)) hidden.push(text);
    } else if (Array.isArray(value)) for (const entry of value) walk(entry, name, depth + 1);
    else if (isRecord(value)) for (const [own, entry] of Object.entries(value)) walk(entry, own, depth + 1);
  };
  walk(body, '', 0);
}

/** Whether a body has a value at a path, such as `items.0.unitPrice`. */
function hasPath(body: unknown, path: string): boolean {
  let value = body;
  for (const name of path.split(/[./]/)) {
    if (!Array.isArray(value) && !isRecord(value)) return false;
    if (!Object.hasOwn(value, name)) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return true;
}

/** Shows the words of the vocabulary, of texts that belong to no call. */
export const vocabularyOnly = new ShownText({ shown: [], secrets: [], body: undefined });
