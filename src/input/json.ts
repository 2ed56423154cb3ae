import { maxDepth, parseExactJson, TooComplexError } from './exact-json.js';

/** JSON with more values is refused: a parsed value takes many times the memory of its characters. */
const maxValues = 100_000;

/** Whether a text has so many brackets, or so many characters, that it may be too complex. */
function mayBeTooComplex(json: string): boolean {
  // Each value takes at least two characters.
  if (json.length > 2 * maxValues) return true;
  let brackets = 0;
  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1))
      if (++brackets > maxDepth) return true;
  }
  return false;
}

/** @throws TooComplexError, also for JSON that is not valid: another request would get the same. */
function checkComplexity(json: string): void {
  let isInText = false;
  let depth = 0;
  let values = 1;
  for (const [token] of json.matchAll(/\\.|["{}[\],]/gs)) {
    if (token === '"') isInText = !isInText;
    if (isInText) continue;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token === '{' || token === '[' || token === ',') values++;
    if (depth > maxDepth) throw new TooComplexError(`the JSON nests deeper than ${maxDepth} levels`);
    if (values > maxValues) throw new TooComplexError(`the JSON holds more than ${maxValues} values`);
  }
}

/**
 * Parses JSON of an unknown sender, exactly, and only if it is not too complex.
 *
 * @throws SyntaxError, TooComplexError
 */
export function parseJson(text: string): unknown {
  if (mayBeTooComplex(text)) checkComplexity(text);
  return parseExactJson(text);
}
