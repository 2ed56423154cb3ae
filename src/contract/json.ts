/** Deeper JSON is refused: it could exhaust the stack of whoever walks it. */
const deepestJson = 128;

/** Thrown by `parseJson` for text that is JSON, but nests too deep. */
export class TooDeepError extends Error {}

/** How often a character occurs, or `limit` if more often. */
function count(text: string, character: string, limit: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found < limit; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

function isTooDeep(text: string): boolean {
  // Almost every text has too few brackets to nest that deep, and counting them is quick.
  if (count(text, '{', deepestJson) + count(text, '[', deepestJson) <= deepestJson) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '{' || character === '[') {
      if (++depth > deepestJson) return true;
    } else if (character === '}' || character === ']') depth--;
    else if (character === '"') index = endOfString(text, index);
  }
  return false;
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

/** Turns integers beyond 2^53 into strings of their digits. One pass over text that is known to be JSON. */
function keepLongIntegers(json: string): string {
  let kept = '';
  let copied = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22) index = endOfString(json, index);
    else if (isDigit(code) || code === 0x2d) {
      const start = index;
      while (isNumeral(json.charCodeAt(index + 1))) index++;
      const token = json.slice(start, index + 1);
      if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
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
 * rounded, and a byte order mark is no error.
 *
 * @throws SyntaxError, TooDeepError
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isTooDeep(json)) throw new TooDeepError(`the JSON nests deeper than ${deepestJson} levels`);
  const value: unknown = JSON.parse(json);
  return hasLongNumber(json) ? JSON.parse(keepLongIntegers(json)) : value;
}
