import type { Issue } from '../validation/issue.js';

/** Deeper nesting is rejected anyway. */
const maxDepth = 64;

/** Lists the undefined fields of a part without documented fields. Nothing says that they are optional. */
export function undefinedIssues(part: unknown, path = '', seen = new Set<unknown>(), depth = 0): Issue[] {
  if (!isSearched(part) || depth > maxDepth || seen.has(part)) return [];
  seen.add(part);
  // Reads what JSON carries. A library's date, for example, also has its own undefined fields.
  const json: unknown = typeof part.toJSON === 'function' ? part.toJSON() : part;
  if (!isSearched(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Issue[] => {
    const at = path === '' ? name : `${path}.${name}`;
    return value === undefined
      ? [{ path: at, message: isUndefined, check: 'field.undefined' }]
      : undefinedIssues(value, at, seen, depth + 1);
  });
}

const isSearched = (value: unknown): value is { readonly toJSON?: unknown } =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

const isUndefined = 'is undefined, so it would not be sent. Set it, or leave the field out';
