import { isRecord } from '../../input/record.js';

/** Of a list so many entries are looked at. */
const mostEntries = 100;

/** Of an object so many fields are looked at: none of the document has as many. */
const mostFields = 1_000;

/** So many entries of lists are looked at in all, lists within lists included. */
const mostInAll = 2_000;

/**
 * As much of an answer as is worth holding against the API document: a list of a million entries that
 * depart from it is told by its first hundred.
 */
export function sampleOf(data: unknown): unknown {
  let left = mostInAll;
  const entriesOf = (list: readonly unknown[]): unknown[] => {
    const entries: unknown[] = [];
    for (const entry of list.slice(0, mostEntries)) {
      if (left-- <= 0) break;
      entries.push(copy(entry));
    }
    return entries;
  };
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return entriesOf(value);
    if (!isRecord(value)) return value;
    const fields = Object.entries(value).slice(0, mostFields);
    return Object.fromEntries(fields.map(([name, entry]) => [name, copy(entry)]));
  };
  return copy(data);
}
