import type { Issue } from '../validation/issue.js';
import { isRecord, setOwn } from '../validation/record.js';
import {
  findOverride,
  findWireName,
  listNamedShapes,
  type Overrides,
  type Place,
  readOverrides,
  requestIdField,
} from './overrides.js';
import type { RuntimeSchema } from './runtime-schema.js';

/**
 * The renamings of an object's fields. `names` maps each old name to the new name. `inside` maps the new
 * names of nested objects to their renamings.
 */
export interface Renaming {
  readonly names: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, Renaming>;
  readonly nested: readonly NestedField[];
  readonly direction: Direction;
}

type Direction = 'toWire' | 'fromWire';

/** A field that is nested in other objects on the wire: `access_token` at `data.access_token`. */
interface NestedField {
  readonly property: string;
  readonly path: readonly string[];
  readonly inside: Renaming | undefined;
}

/** In queries and headers, a dot is part of the name. */
const isPath = (wire: string, place: Place) =>
  wire.includes('.') && place !== 'query' && place !== 'response-header';

function buildRenaming(
  { fields }: RuntimeSchema,
  place: Place,
  overrides: Overrides,
  direction: Direction,
): Renaming | undefined {
  const names = new Map<string, string>();
  const inside = new Map<string, Renaming>();
  const nested: NestedField[] = [];
  for (const [property, field] of Object.entries(fields)) {
    const wire = findWireName(property, field, overrides, place);
    const within = buildRenaming(field, place, overrides, direction);
    if (isPath(wire, place)) {
      nested.push({ property, path: wire.split('.'), inside: within });
      continue;
    }
    const [from, to] = direction === 'toWire' ? [property, wire] : [wire, property];
    if (from !== to) names.set(from, to);
    if (within !== undefined) inside.set(to, within);
  }
  const isSame = names.size === 0 && inside.size === 0 && nested.length === 0;
  return isSame ? undefined : { names, inside, nested, direction };
}

/**
 * Two fields can swap their names. If a renamed field takes the name of an existing field, the existing field
 * is dropped. With `isExact`, the existing field is dropped even if the renamed field is absent.
 */
export function renameFields(body: unknown, renaming: Renaming | undefined, isExact = false): unknown {
  if (renaming === undefined || !isRecord(body)) return body;
  const { names, inside, nested, direction } = renaming;
  const pairs = isExact ? [...names] : [...names].filter(([from]) => Object.hasOwn(body, from));
  const usedNames = new Set(pairs.map(([, to]) => to));
  const moved = nested
    .map(({ property, path, inside: within }) => {
      const [from, to] = direction === 'toWire' ? [[property], path] : [path, [property]];
      return { property, to, value: renameFields(valueAt(body, from), within, isExact) };
    })
    .filter(({ value }) => value !== undefined);
  for (const { property } of isExact ? nested : moved) usedNames.add(property);
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!names.has(name) && usedNames.has(name)) continue;
    const to = names.get(name) ?? name;
    setOwn(copy, to, renameFields(value, inside.get(to), isExact));
  }
  for (const { to, value } of moved) setAt(copy, to, value);
  return copy;
}

export function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function setAt(copy: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const within: Record<string, unknown> = isRecord(copy[name]) ? { ...copy[name] } : {};
  if (rest.length > 0) setAt(within, rest, value);
  setOwn(copy, name, rest.length > 0 ? within : value);
}

interface Renamings {
  readonly toWire: Renaming | undefined;
  readonly fromWire: Renaming | undefined;
}

export class WireNames {
  /** In lower case. */
  readonly requestIdHeader: string;
  readonly grantType: string;
  /** Empty by default, so that no body is copied needlessly. */
  readonly #renamings = new Map<RuntimeSchema, Renamings>();
  readonly isIdentity: boolean;

  constructor(overrides: Overrides = new Map()) {
    this.isIdentity = overrides.size === 0;
    this.requestIdHeader = (
      findOverride(overrides, requestIdField.key, 'response-header') ?? requestIdField.wire
    ).toLowerCase();
    this.grantType = findOverride(overrides, 'oauth.grant_type', 'request') ?? 'grant_type';
    for (const { shape, place } of this.isIdentity ? [] : listNamedShapes()) {
      const toWire = buildRenaming(shape, place, overrides, 'toWire');
      if (toWire !== undefined)
        this.#renamings.set(shape, { toWire, fromWire: buildRenaming(shape, place, overrides, 'fromWire') });
    }
  }

  findRenamings(shape: RuntimeSchema | undefined): Renamings | undefined {
    return shape && this.#renamings.get(shape);
  }

  toWire<Body>(shape: RuntimeSchema | undefined, body: Body): Body {
    return renameFields(body, this.findRenamings(shape)?.toWire) as Body;
  }

  fromWire<Body>(shape: RuntimeSchema | undefined, body: Body): Body {
    return renameFields(body, this.findRenamings(shape)?.fromWire) as Body;
  }
}

export const defaultWireNames = new WireNames();

export function readFieldNames(value: unknown): {
  readonly names: WireNames;
  readonly issues: readonly Issue[];
} {
  const { overrides, issues } = readOverrides(value, listNamedShapes());
  return { names: new WireNames(overrides), issues };
}
