import { isRecord } from '../input/record.js';
import type { Field, FieldTable, NamedFields } from './fields.js';

/** The new name of each renamed field, and the renamings of nested objects by their new names. */
export interface Renaming {
  readonly names: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, Renaming>;
}

/** Wire names by key, from the option `fieldNames`. */
export type Overrides = ReadonlyMap<string, string>;

/** The wire name of a field. A documented name is never overridden, even if an assumed name in another table has the same key. */
export function wireName(
  key: string,
  property: string,
  { reason, wire }: Field,
  overrides: Overrides,
): string {
  return reason === undefined ? property : (overrides.get(key) ?? wire ?? property);
}

/** The renaming of a table in one direction; undefined if no name differs. */
export function buildRenaming(
  { group, fields }: FieldTable,
  overrides: Overrides,
  direction: 'toWire' | 'fromWire',
): Renaming | undefined {
  const build = (path: string, inner: NamedFields): Renaming | undefined => {
    const names = new Map<string, string>();
    const inside = new Map<string, Renaming>();
    for (const [property, field] of Object.entries(inner)) {
      const key = `${path}.${property}`;
      const wire = wireName(key, property, field, overrides);
      const [from, to] = direction === 'toWire' ? [property, wire] : [wire, property];
      if (from !== to) names.set(from, to);
      const nested = field.fields && build(key, field.fields);
      if (nested !== undefined) inside.set(to, nested);
    }
    return names.size > 0 || inside.size > 0 ? { names, inside } : undefined;
  };
  return build(group, fields);
}

/**
 * A copy with other names. Two names may trade places; a field that has a new name already gives way to the
 * one that is renamed to it, or, where `isExact`, is left out in any case.
 */
export function renameFields(body: unknown, renaming: Renaming | undefined, isExact = false): unknown {
  if (renaming === undefined || !isRecord(body)) return body;
  const { names, inside } = renaming;
  const pairs = isExact ? [...names] : [...names].filter(([from]) => Object.hasOwn(body, from));
  const taken = new Set(pairs.map(([, to]) => to));
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!names.has(name) && taken.has(name)) continue;
    const to = names.get(name) ?? name;
    Object.defineProperty(copy, to, {
      value: renameFields(value, inside.get(to), isExact),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
