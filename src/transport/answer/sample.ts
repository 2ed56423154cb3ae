import { isRecord } from '../../input/record.js';

/** Entries that are checked of one list. */
const maxEntriesPerList = 100;

/** Fields that are checked of one object: more than any object of the API document has. */
const maxFieldsPerObject = 1_000;

/** List entries that are checked in total, nested lists included. */
const maxEntries = 2_000;

/**
 * A part of a large answer, enough to check it against the API document: if a list of a million entries
 * differs from it, the first hundred show that.
 */
export function sampleOf(data: unknown): unknown {
  let left = maxEntries;
  const copyList = (list: readonly unknown[]): unknown[] => {
    const entries: unknown[] = [];
    for (const entry of list.slice(0, maxEntriesPerList)) {
      if (left-- <= 0) break;
      entries.push(copy(entry));
    }
    return entries;
  };
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return copyList(value);
    if (!isRecord(value)) return value;
    const fields = Object.entries(value).slice(0, maxFieldsPerObject);
    return Object.fromEntries(fields.map(([name, entry]) => [name, copy(entry)]));
  };
  return copy(data);
}
