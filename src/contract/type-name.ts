import { isRecord } from '../input/record.js';

/** The kind of a value in words: `null`, `an array`, `a fraction`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  // Array.isArray throws for a revoked proxy, which isRecord is not.
  if (typeof value === 'object' && !isRecord(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a fraction';
  return article(typeof value);
}

export const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);
