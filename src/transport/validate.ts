import type { ZodError, ZodType } from 'zod';
import { isRecord } from '../contract/record.js';
import type { Issue } from '../errors/usage.js';

type ZodIssue = ZodError['issues'][number];

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : `${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isRecord(current) && !Array.isArray(current)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[name];
  }
  return current;
}

/** In our words, and never with the value itself: it could be a card number. */
function describe(issue: ZodIssue, root: unknown): string {
  const value = valueAt(root, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return 'is required';
      return `must be ${article(issue.expected === 'int' ? 'integer' : issue.expected)}, not ${kindOf(value)}`;
    case 'invalid_value':
      if (value === undefined) return `is required: one of ${issue.values.map(String).join(', ')}`;
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has fields the API document does not show: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return `must be ${article(issue.format)}`;
    default:
      return issue.message;
  }
}

/** Where a value departs from a schema: every place, one message for each path and rule. */
export function mismatches(schema: ZodType, value: unknown): Issue[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: describe(issue, value),
  }));
}
