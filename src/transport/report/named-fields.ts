import { isRecord } from '../../input/record.js';

/** How many fields an error names. */
const maxFields = 10;

/** How many entries of a body are looked at. */
const maxEntries = 200;

/** Where bodies list their problems, and where an entry of such a list has its field. */
const listNames = ['issues', 'errors', 'details', 'fields', 'violations', 'invalidParams', 'invalid-params'];
const fieldNames = ['path', 'field', 'property', 'param', 'parameter', 'pointer', 'name', 'loc'];

/** A path of names and indices, in one of the usual spellings: `items.0.unitPrice`, `items[0].unitPrice`, `/items/0`. */
const fieldPath = /^[\w$./#[\]-]{1,100}$/;

/** Where a list of names stands for a path: `['items', 0, 'unitPrice']`. */
function pathText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.slice(0, 20).join('.') : value;
  return typeof text === 'string' && fieldPath.test(text) ? text : undefined;
}

/** The field of one entry. */
function fieldOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  for (const name of fieldNames) {
    const found = Object.hasOwn(entry, name) ? pathText(entry[name]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const isMessage = (value: unknown) =>
  typeof value === 'string' || (Array.isArray(value) && typeof value[0] === 'string');

/** The fields of a list of entries, or of an object with a message for each field. */
function fieldsIn(problems: unknown): (string | undefined)[] {
  if (Array.isArray(problems)) return problems.slice(0, maxEntries).map(fieldOf);
  if (!isRecord(problems)) return [];
  return Object.entries(problems)
    .slice(0, maxEntries)
    .map(([name, value]) => (isMessage(value) ? pathText(name) : undefined));
}

/** The fields that a body names. Its shape is undocumented, so the usual places are tried. */
export function namedFields(body: unknown): string[] {
  if (!isRecord(body)) return [];
  const holders = [body, body.error].filter(isRecord);
  const lists = holders.flatMap((holder) =>
    listNames.filter((name) => Object.hasOwn(holder, name)).map((name) => holder[name]),
  );
  const all = [...lists, ...(Array.isArray(body.error) ? [body.error] : [])].flatMap(fieldsIn);
  return [...new Set(all.filter((field) => field !== undefined))].slice(0, maxFields);
}
