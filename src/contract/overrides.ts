import type { Issue } from '../input/issue.js';
import { objectProblem } from '../input/record.js';
import { type FieldTable, fieldsOf, type Place } from './fields.js';
import { type Overrides, type WireName, wireName } from './renaming.js';

/** A name, or a path of names. */
const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_-]{0,63}){0,7}$/;

const isPlain = (wire: unknown): wire is string =>
  typeof wire === 'string' &&
  plainName.test(wire) &&
  !wire.split('.').includes('__proto__') &&
  // A key is a header: as a field it would be believed to be one.
  !/idempot/i.test(wire);

const places: Readonly<Record<Place, true>> = {
  request: true,
  query: true,
  response: true,
  notification: true,
  'response-header': true,
};

/** Reads one override: a name, or an object with a name for each place. */
function readWireName(wire: unknown): WireName | undefined {
  if (isPlain(wire)) return wire;
  if (objectProblem(wire) !== undefined) return undefined;
  const entries = Object.entries(wire as object).filter(([, name]) => name !== undefined);
  return entries.every(([place, name]) => Object.hasOwn(places, place) && isPlain(name))
    ? (Object.fromEntries(entries) as WireName)
    : undefined;
}

/** More wrong overrides are not listed. */
const maxOverrideIssues = 20;

/**
 * Reads the option `fieldNames`.
 *
 * @param known the keys of all assumed names.
 * @param tables the tables in which no two names may become the same.
 */
export function readOverrides(
  given: unknown,
  known: readonly string[],
  tables: readonly FieldTable[],
): { overrides: Overrides; issues: Issue[] } {
  const overrides = new Map<string, WireName>();
  const issues: Issue[] = [];
  const problem = given === undefined ? undefined : objectProblem(given);
  if (problem !== undefined) issues.push({ path: '', message: problem });
  for (const [key, wire] of Object.entries(problem === undefined ? (given ?? {}) : {})) {
    if (wire === undefined) continue;
    if (issues.length > maxOverrideIssues) break;
    if (!known.includes(key))
      issues.push({ path: key, message: `is an unknown key (known: ${known.join(', ')})` });
    else {
      const name = readWireName(wire);
      if (name !== undefined) overrides.set(key, name);
      else
        issues.push({
          path: key,
          message: `must be a plain name, a path such as data.name, or an object with names for ${Object.keys(places).join(', ')}`,
        });
    }
  }
  return { overrides, issues: [...issues, ...findCollisions(overrides, tables)] };
}

/** Whether one path is the other, or leads into it. */
const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
const meet = (one: string, other: string) => isWithin(one, other) || isWithin(other, one);

/**
 * An issue for each override that gives two fields of one object the same name, or that leads into another
 * field: a request would overwrite it. An answer may be read from inside of a documented object.
 */
function findCollisions(overrides: Overrides, tables: readonly FieldTable[]): Issue[] {
  const found = new Map<string, Issue>();
  for (const table of tables) {
    const isAnswer = table.place === 'response' || table.place === 'notification';
    const taken: { readonly key: string; readonly at: string }[] = [];
    for (const { key, property, field } of fieldsOf(table)) {
      const parent = key.slice(0, -property.length);
      const wire = wireName(key, property, field, overrides, table.place);
      const at = `${parent}${table.place === 'response-header' ? wire.toLowerCase() : wire}`;
      const other = taken.find(
        (each) => at === each.at || (!isAnswer && !isWithin(key, each.key) && meet(at, each.at)),
      );
      const path = other !== undefined && overrides.has(other.key) && !overrides.has(key) ? other.key : key;
      if (other !== undefined)
        found.set(path, {
          path,
          message: `cannot be ${wire}: another field of the ${table.place} has that name`,
        });
      taken.push({ key, at });
    }
  }
  return [...found.values()];
}
