import type { Issue } from '../input/issue.js';
import { isRecord, objectProblem, unreadable } from '../input/record.js';
import { assumptions, type FieldName, fieldTables } from './assumptions.js';
import { type Field, type FieldTable, fieldsOf, type NamedFields } from './fields.js';
import { answerHeaderFields } from './response-headers.js';

/** The new name of each renamed field, and the renamings of nested objects by their new names. */
interface Renaming {
  readonly names: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, Renaming>;
}

interface Renamings {
  readonly toWire: Renaming | undefined;
  readonly fromWire: Renaming | undefined;
}

type Overrides = ReadonlyMap<string, string>;

/** The wire names that one client, webhook receiver or sandbox uses: the defaults, overridden by `fieldNames`. */
export class WireNames {
  /** The header with the platform's identifier of a request, in lower case. */
  readonly requestIdHeader: string;
  /** The renamings of the tables in which a name differs; empty by default, so that nothing is copied without need. */
  readonly #renamings = new Map<FieldTable, Renamings>();
  readonly #overrides: Overrides;

  constructor(overrides: Overrides = new Map()) {
    this.#overrides = overrides;
    this.requestIdHeader = this.wireOf('response.requestId').toLowerCase();
    for (const table of fieldTables) {
      if (table === answerHeaderFields) continue;
      const toWire = buildRenaming(table, overrides, 'toWire');
      if (toWire !== undefined)
        this.#renamings.set(table, { toWire, fromWire: buildRenaming(table, overrides, 'fromWire') });
    }
  }

  /** The wire name of an assumed field. */
  wireOf(key: FieldName): string {
    return this.#overrides.get(key) ?? assumptions[key].wire;
  }

  /** Whether a name in a table differs from the SDK's. */
  renames(table: FieldTable | undefined): boolean {
    return table !== undefined && this.#renamings.has(table);
  }

  /** A body with its wire names; the same object if no name differs. */
  toWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.toWire) as Body;
  }

  /** A body with the SDK's names; the same object if no name differs. */
  fromWire<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.fromWire) as Body;
  }

  /** As `fromWire`, but exact: a field that comes under the name of the SDK instead of its wire name is left out. */
  fromWireOnly<Body>(table: FieldTable | undefined, body: Body): Body {
    return renameFields(body, table && this.#renamings.get(table)?.fromWire, true) as Body;
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

/** The names without `fieldNames`. */
export const defaultWireNames = new WireNames();

/** The wire name of a field. A documented name is never overridden, even if an assumed name in another table has the same key. */
function wireName(key: string, property: string, { reason, wire }: Field, overrides: Overrides): string {
  return reason === undefined ? property : (overrides.get(key) ?? wire ?? property);
}

function buildRenaming(
  { group, fields }: FieldTable,
  overrides: Overrides,
  direction: keyof Renamings,
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
function renameFields(body: unknown, renaming: Renaming | undefined, isExact = false): unknown {
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

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Reads the option `fieldNames`. */
export function readFieldNames(given: unknown): {
  readonly names: WireNames;
  readonly issues: readonly Issue[];
} {
  try {
    const { overrides, issues } = readOverrides(given);
    return { names: new WireNames(overrides), issues: [...issues, ...findCollisions(overrides)] };
  } catch {
    return { names: defaultWireNames, issues: [{ path: '', message: unreadable }] };
  }
}

/** More wrong overrides are not listed. */
const maxOverrideIssues = 20;

function readOverrides(given: unknown): { overrides: Overrides; issues: Issue[] } {
  const overrides = new Map<string, string>();
  const issues: Issue[] = [];
  const problem = given === undefined ? undefined : objectProblem(given);
  if (problem !== undefined) issues.push({ path: '', message: problem });
  for (const [key, wire] of Object.entries(problem === undefined ? (given ?? {}) : {})) {
    if (wire === undefined) continue;
    if (issues.length > maxOverrideIssues) break;
    if (!Object.hasOwn(assumptions, key)) {
      const known = Object.keys(assumptions).join(', ');
      issues.push({ path: key, message: `is an unknown key (known: ${known})` });
    } else if (typeof wire !== 'string' || !plainName.test(wire) || wire === '__proto__')
      issues.push({ path: key, message: 'must be a plain name' });
    else overrides.set(key, wire);
  }
  return { overrides, issues };
}

/** An issue for each override that gives two fields of one object the same name. */
function findCollisions(overrides: Overrides): Issue[] {
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
