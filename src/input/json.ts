/** Deeper JSON is refused: it could exhaust the stack of recursive code. */
const maxDepth = 128;

/** JSON with more values is refused: a parsed value takes many times the memory of its characters. */
const maxValues = 100_000;

/** Thrown by `parseJson` for text that is nested too deep or has too many values, valid JSON or not. */
export class TooComplexError extends Error {}

/** How many times a character occurs; stops counting above `limit`. */
function countUpTo(text: string, character: string, limit: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

/** @throws TooComplexError */
function checkComplexity(text: string): void {
  // Counting brackets is quick, and almost every text has too few to be nested that deep.
  const brackets = countUpTo(text, '{', maxDepth) + countUpTo(text, '[', maxDepth);
  const mayBeDeep = brackets > maxDepth;
  // Each value takes at least two characters.
  const mayBeMany = text.length > 2 * maxValues;
  if (!mayBeDeep && !mayBeMany) return;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) {
      values++;
      if (++depth > maxDepth) throw new TooComplexError(`the JSON nests deeper than ${maxDepth} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x2c) values++;
    if (values > maxValues) throw new TooComplexError(`the JSON holds more than ${maxValues} values`);
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/**
 * Whether a text has sixteen consecutive digits: perhaps an integer that a double cannot represent. Such a
 * run includes one of the indices 15, 31, 47, …, so only those are checked first.
 */
function hasLongNumber(text: string): boolean {
  for (let index = 15; index < text.length; index += 16) {
    if (!isDigit(text.charCodeAt(index))) continue;
    let start = index;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    let end = index + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start >= 16) return true;
    index += 16 * Math.floor((end - index - 1) / 16);
  }
  return false;
}

/**
 * A number with an exponent of at least three digits: perhaps one that a double cannot represent. What stands
 * before it tells it from the digits of a UUID.
 */
const longExponent = /(?:^|[\s:[,])-?\d+(?:\.\d+)?[eE]\+?\d{3}/;

/** Whether a double cannot represent a number: an integer beyond 2^53, or a number that becomes Infinity. */
const isInexact = (token: string) =>
  /^-?\d+$/.test(token) ? !Number.isSafeInteger(Number(token)) : !Number.isFinite(Number(token));

/** Quotes the numbers that a double cannot represent, in one pass. The text must be valid JSON. */
function keepLongNumbers(json: string): string {
  let kept = '';
  let copied = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22) index = endOfString(json, index);
    else if (isDigit(code) || code === 0x2d) {
      const start = index;
      while (isNumberCharacter(json.charCodeAt(index + 1))) index++;
      const token = json.slice(start, index + 1);
      if (isInexact(token)) {
        kept += `${json.slice(copied, start)}"${token}"`;
        copied = index + 1;
      }
    }
  }
  return kept + json.slice(copied);
}

/** Whether a character can be part of a number: digits and `+ - . E e`. */
const isNumberCharacter = (code: number) =>
  isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;

/**
 * `JSON.parse` without its silent losses: an integer beyond 2^53 becomes a string of its digits, instead of
 * being rounded, and a number beyond 1e308 becomes its text, instead of Infinity. A byte order mark is
 * accepted.
 *
 * @throws SyntaxError, TooComplexError
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  checkComplexity(json);
  const value: unknown = JSON.parse(json);
  return hasLongNumber(json) || longExponent.test(json) ? JSON.parse(keepLongNumbers(json)) : value;
}
