import { isRecord } from './record.js';

/** Deeper JSON is rejected, because it could exhaust the stack of recursive code. */
const maxDepth = 128;

export class TooComplexError extends Error {}

/** Walking through the values takes a fifth of the time that a search in the JSON takes. */
function hasLostDigits(value: object, depth: number): boolean {
  if (depth > maxDepth) throw new TooComplexError(`the JSON nests deeper than ${maxDepth} levels`);
  let isLost = false;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof each === 'number') isLost ||= Math.abs(each) > Number.MAX_SAFE_INTEGER;
    else if (typeof each === 'object' && each !== null && hasLostDigits(each, depth + 1)) isLost = true;
  }
  return isLost;
}

/** An integer beyond 2^53, or a number that becomes Infinity. */
const isInexact = (token: string) =>
  Math.abs(Number(token)) > (/^-?\d+$/.test(token) ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);

/**
 * Strings are scanned character by character and numbers up to 1,000 characters, because a longer match could
 * exhaust the stack. A longer number becomes several strings in a row, which is invalid JSON.
 */
function quoteInexact(json: string): string {
  let isInText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]{0,999}/gs, (token) => {
    if (token === '"') isInText = !isInText;
    return !isInText && isInexact(token) ? `"${token}"` : token;
  });
}

/**
 * An integer beyond 2^53 becomes a string of its digits, and a number beyond 1e308 becomes its source string,
 * up to 1,000 characters. A byte order mark is accepted.
 */
export function parseExactJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  return hasLostDigits([value], 0) ? JSON.parse(quoteInexact(json)) : value;
}

/** More are rejected, because a parsed value takes many times the memory of its characters. */
const maxValues = 100_000;

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

/** Also rejects JSON that is invalid, because a retry would return the same JSON. */
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

export function parseJson(text: string): unknown {
  if (mayBeTooComplex(text)) checkComplexity(text);
  return parseExactJson(text);
}

/** A replacer for `JSON.stringify` that sorts properties by name, so that equal objects give equal JSON. */
export const inOrder = (_name: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
