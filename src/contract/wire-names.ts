import type { Issue } from '../input/issue.js';
import { isRecord, unreadable } from '../input/record.js';
import { assumptions, type FieldName, fieldTables } from './assumptions.js';
import { type Field, type FieldTable, fieldsOf, type NamedFields } from './fields.js';
import { answerHeaderFields } from './response-headers.js';

/** New names by old ones, and those of the objects inside, by their new names. */
interface Renaming {
  readonly names: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, Renaming>;
}

interface Renamings {
  readonly toWire: Renaming | undefined;
  readonly fromWire: Renaming | undefined;
}

type Overrides = ReadonlyMap<string, string>;

/** The names on the wire of one client, receiver or sandbox: the defaults, and what `fieldNames` says. */
export class WireNames {
  /** The header, in lower case, that carries the platform's identifier of a request. */
  readonly requestIdHeader: string;
  /** Of the tables in which a name differs: nothing is renamed, and no work done, unless `fieldNames` was given. */
  readonly #renamings = new Map<FieldTable, Renamings>();
  readonly #overrides: Overrides;

  constructor(overrides: Overrides = new Map()) {
    this.#overrides = overrides;
    this.requestIdHeader = this.wireOf('response.requestId').toLowerCase();
    for (const table of fieldTables) {
      if (table === answerHeaderFields) continue;
      const toWire = renamingOf(table, overrides, 'toWire');
      if (toWire !== undefined)
        this.#renamings.set(table, { toWire, fromWire: renamingOf(table, overrides, 'fromWire') });
    }
  }

  /** The name on the wire of one assumed name. */
  wireOf(key: FieldName): string {
    return this.#overrides.get(key) ?? assumptions[key].wire;
  }

  /** Whether a name of a table differs from the SDK's. */
  renames(table: FieldTable | undefined): boolean {
    return table !== undefined && this.#renamings.has(table);
  }

  /** A body with its names as they are on the wire; the same object where no name differs. */
  toWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renamed(body, table && this.#renamings.get(table)?.toWire) as Body;
  }

  /** A body with the names of the SDK. */
  fromWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renamed(body, table && this.#renamings.get(table)?.fromWire) as Body;
  }

  /** A dotted path, as it is on the wire. */
  pathToWire(table: FieldTable | undefined, path: string): string {
    let renaming = table && this.#renamings.get(table)?.toWire;
    return path
      .split('.')
      .map((part) => {
        const name = renaming?.names.get(part) ?? part;
        renaming = renaming?.inside.get(name);
        return name;
      })
      .join('.');
  }
}

/** A documented name is never overridden, even where an assumed one elsewhere has the same key. */
function wireName(key: string, property: string, { reason, wire }: Field, overrides: Overrides): string {
  return reason === undefined ? property : (overrides.get(key) ?? wire ?? property);
}

function renamingOf(
  { group, fields }: FieldTable,
  overrides: Overrides,
  direction: keyof Renamings,
): Renaming | undefined {
  const at = (path: string, inner: NamedFields): Renaming | undefined => {
    const names = new Map<string, string>();
    const inside = new Map<string, Renaming>();
    for (const [property, field] of Object.entries(inner)) {
      const key = `${path}.${property}`;
      const wire = wireName(key, property, field, overrides);
      const [from, to] = direction === 'toWire' ? [property, wire] : [wire, property];
      if (from !== to) names.set(from, to);
      const below = field.fields && at(key, field.fields);
      if (below !== undefined) inside.set(to, below);
    }
    return names.size > 0 || inside.size > 0 ? { names, inside } : undefined;
  };
  return at(group, fields);
}

/** A copy with other names. Two names may trade places; a field that has a new name already gives way. */
function renamed(body: unknown, renaming: Renaming | undefined): unknown {
  if (renaming === undefined || !isRecord(body)) return body;
  const { names, inside } = renaming;
  const taken = new Set([...names].filter(([from]) => Object.hasOwn(body, from)).map(([, to]) => to));
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!names.has(name) && taken.has(name)) continue;
    const to = names.get(name) ?? name;
    Object.defineProperty(copy, to, {
      value: renamed(value, inside.get(to)),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Reads the option `fieldNames`, with the problems of it. */
export function readFieldNames(given: unknown): {
  readonly names: WireNames;
  readonly issues: readonly Issue[];
} {
  try {
    const { overrides, issues } = readOverrides(given);
    return { names: new WireNames(overrides), issues: [...issues, ...collisions(overrides)] };
  } catch {
    return { names: new WireNames(), issues: [{ path: '', message: unreadable }] };
  }
}

function readOverrides(given: unknown): { overrides: Overrides; issues: Issue[] } {
  const overrides = new Map<string, string>();
  const issues: Issue[] = [];
  if (given !== undefined && !isRecord(given)) issues.push({ path: '', message: 'must be an object' });
  for (const [key, wire] of Object.entries(isRecord(given) ? given : {})) {
    if (wire === undefined) continue;
    if (!Object.hasOwn(assumptions, key)) {
      const known = Object.keys(assumptions).join(', ');
      issues.push({ path: key, message: `is an unknown key (known: ${known})` });
    } else if (typeof wire !== 'string' || !plainName.test(wire) || wire === '__proto__')
      issues.push({ path: key, message: 'must be a plain name' });
    else overrides.set(key, wire);
  }
  return { overrides, issues };
}

/** Two fields of one object under one name would lose one of them. */
function collisions(overrides: Overrides): Issue[] {
  const found = new Map<string, Issue>();
  for (const table of fieldTables as readonly FieldTable[]) {
    const taken = new Map<string, string>();
    for (const { key, property, field } of fieldsOf(table)) {
      const parent = key.slice(0, -property.length);
      const wire = wireName(key, property, field, overrides);
      const place = `${parent}${table.place === 'response-header' ? wire.toLowerCase() : wire}`;
      const other = taken.get(place);
      const path = other !== undefined && overrides.has(other) && !overrides.has(key) ? other : key;
      if (other !== undefined)
        found.set(path, {
          path,
          message: `cannot be ${wire}: another field of the ${table.place} has that name`,
        });
      taken.set(place, key);
    }
  }
  return [...found.values()];
}
