import type { Issue } from '../validation/issue.js';

/** Lists the undefined fields of a part without documented fields. Nothing says that they are optional. */
export function undefinedIssues(part: unknown, path = '', within: readonly object[] = []): Issue[] {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || within.includes(part))
    return [];
  return Object.entries(part).flatMap(([name, value]): Issue[] => {
    const at = path === '' ? name : `${path}.${name}`;
    return value === undefined
      ? [{ path: at, message: isUndefined, check: 'field.undefined' }]
      : undefinedIssues(value, at, [...within, part]);
  });
}

const isUndefined = 'is undefined, so it would not be sent. Set it, or leave the field out';
