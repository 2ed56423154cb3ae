import type { Issue } from '../input/issue.js';
import { objectProblem } from '../input/record.js';
import { type FieldTable, fieldsOf } from './fields.js';
import { type Overrides, wireName } from './renaming.js';

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

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
  const overrides = new Map<string, string>();
  const issues: Issue[] = [];
  const problem = given === undefined ? undefined : objectProblem(given);
  if (problem !== undefined) issues.push({ path: '', message: problem });
  for (const [key, wire] of Object.entries(problem === undefined ? (given ?? {}) : {})) {
    if (wire === undefined) continue;
    if (issues.length > maxOverrideIssues) break;
    if (!known.includes(key))
      issues.push({ path: key, message: `is an unknown key (known: ${known.join(', ')})` });
    else if (typeof wire !== 'string' || !plainName.test(wire) || wire === '__proto__')
      issues.push({ path: key, message: 'must be a plain name' });
    else overrides.set(key, wire);
  }
  return { overrides, issues: [...issues, ...findCollisions(overrides, tables)] };
}

/** An issue for each override that gives two fields of one object the same name. */
function findCollisions(overrides: Overrides, tables: readonly FieldTable[]): Issue[] {
  const found = new Map<string, Issue>();
  for (const table of tables) {
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
