import { isRecord } from '../../../src/validation/record.js';

/**
 * Replacements for fields, including nested fields. A list is replaced as a whole, and undefined removes a
 * field.
 */
export type Overrides<Value> = {
  [Name in keyof Value]?:
    | Value[Name]
    | (NonNullable<Value[Name]> extends readonly unknown[]
        ? never
        : NonNullable<Value[Name]> extends object
          ? Overrides<NonNullable<Value[Name]>>
          : never)
    | undefined;
};

/** Bytes, files and streams are replaced as values. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function withOverrides<Value extends object>(sample: Value, overrides: Overrides<Value> = {}): Value {
  return merged(sample, overrides) as Value;
}

function merged(sample: object, overrides: object): object {
  const result = new Map<string, unknown>(Object.entries(sample));
  for (const [name, value] of Object.entries(overrides)) {
    const before = result.get(name);
    if (value === undefined) result.delete(name);
    else result.set(name, isPlain(before) && isPlain(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(result);
}
