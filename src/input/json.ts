/** Deeper JSON is refused: it could exhaust the stack of whoever walks it. */
const deepestJson = 128;

/** JSON with more values is refused: each costs many times the memory of its characters. */
const mostValues = 100_000;

/** Thrown by `parseJson` for text that may be JSON, but nests too deep or holds too many values. */
export class TooComplexError extends Error {}

/** How many times a character occurs, or a number above `limit` if more. */
function count(text: string, character: string, limit: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

/** @throws TooComplexError */
function checkComplexity(text: string): void {
  // Almost every text has too few brackets to nest that deep, and counting them is quick.
  const brackets = count(text, '{', deepestJson) + count(text, '[', deepestJson);
  const mayBeDeep = brackets > deepestJson;
  // A value takes two characters at least.
  const mayBeMany = text.length > 2 * mostValues;
  if (!mayBeDeep && !mayBeMany) return;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) {
      values++;
      if (++depth > deepestJson)
        throw new TooComplexError(`the JSON nests deeper than ${deepestJson} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x2c) values++;
    if (values > mostValues) throw new TooComplexError(`the JSON holds more than ${mostValues} values`);
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/**
 * Whether sixteen digits stand in a row: perhaps an integer that a double cannot hold. Such a row
 * covers one index in sixteen, so only those are looked at first.
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

/** The start of an exponent of three digits: perhaps a number that a double cannot hold. */
const longExponent = /\d[eE]\+?\d{3}/;

/** Whether a double holds something else than what is written. */
const isLost = (token: string) =>
  /^-?\d+$/.test(token) ? !Number.isSafeInteger(Number(token)) : !Number.isFinite(Number(token));

/** Turns numbers that a double cannot hold into strings of what is written. One pass over text that is known to be JSON. */
function keepLongNumbers(json: string): string {
  let kept = '';
  let copied = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22) index = endOfString(json, index);
    else if (isDigit(code) || code === 0x2d) {
      const start = index;
      while (isNumeral(json.charCodeAt(index + 1))) index++;
      const token = json.slice(start, index + 1);
      if (isLost(token)) {
        kept += `${json.slice(copied, start)}"${token}"`;
        copied = index + 1;
      }
    }
  }
  return kept + json.slice(copied);
}

/** Digits, and what else stands inside a number: `+ - . E e`. */
const isNumeral = (code: number) =>
  isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;

/**
 * `JSON.parse` without its silent losses: an integer beyond 2^53 comes as a string of its digits, not
 * rounded, a number beyond 1e308 as the text of it, not as Infinity, and a byte order mark is no error.
 *
 * @throws SyntaxError, TooComplexError
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  checkComplexity(json);
  const value: unknown = JSON.parse(json);
  return hasLongNumber(json) || longExponent.test(json) ? JSON.parse(keepLongNumbers(json)) : value;
}
