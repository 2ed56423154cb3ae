import type { Issue } from '../validation/issue.js';
import { awaitItFirst, isRecord } from '../validation/record.js';
import { article, typeName } from './patterns.js';

interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly format?: string;
}

/**
 * The part of a zod schema that this package uses. It is declared here so that the package's types do not
 * depend on zod.
 */
export interface Schema {
  /** Checks a value without throwing. Returns `success` and, if it is false, the issues. */
  safeParse(
    value: unknown,
  ):
    | { readonly success: true }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isRecord(current) && !Array.isArray(current)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[name];
  }
  return current;
}

function describe(issue: SchemaIssue, root: unknown): string {
  const value = valueAt(root, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return 'is required';
      if (isRecord(value) && typeof value.then === 'function') return awaitItFirst;
      if (issue.message.startsWith('must')) return issue.message;
      return `must be ${article(issue.expected === 'int' ? 'integer' : String(issue.expected))}, not ${typeName(value)}`;
    case 'invalid_value':
      return `${value === undefined ? 'is required:' : 'must be'} one of ${issue.values?.map(String).join(', ')}`;
    case 'invalid_format':
      if (issue.format === 'guid') return 'must be a UUID';
      return issue.message.startsWith('Invalid')
        ? `must be ${article(issue.format ?? 'valid text')}`
        : issue.message;
    default:
      return issue.message;
  }
}

export function schemaDrift(schema: Schema, value: unknown): Issue[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? (issue.keys ?? []).map((key) => ({
          path: [...issue.path, key].join('.'),
          message: 'is an unknown field',
        }))
      : { path: issue.path.join('.'), message: describe(issue, value) },
  );
}
