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

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Turns integers beyond 2^53 into strings of their digits. */
function keepLongIntegers(json: string): string {
  return json.replace(stringOrNumber, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

/**
 * `JSON.parse` without its silent losses: an integer beyond 2^53 comes as a string of its digits, not
 * rounded, and a byte order mark is no error.
 *
 * @throws SyntaxError, TooDeepError
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isTooDeep(json)) throw new TooDeepError(`the JSON nests deeper than ${deepestJson} levels`);
  return JSON.parse(hasLongNumber(json) ? keepLongIntegers(json) : json);
}
