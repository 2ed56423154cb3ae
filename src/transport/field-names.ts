import {
  type Assumption,
  assumptions,
  type FieldName,
  type FieldNames,
  type NameGroup,
  shownNames,
} from '../contract/assumptions.js';
import { isRecord } from '../input/record.js';

/** Pairs of [from, to]. */
type Renames = readonly (readonly [string, string])[];

/** Where the wire differs from the SDK. Empty lists, and no work at all, unless `fieldNames` was given. */
export interface WireNames {
  readonly groups: Readonly<Record<NameGroup, { readonly outward: Renames; readonly inward: Renames }>>;
  /** The header, in lower case, that carries the platform's identifier of a request. */
  readonly requestIdHeader: string;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const table: Readonly<Record<FieldName, Assumption>> = assumptions;

/** Checks `fieldNames`, adding what is wrong with it to `problems`. */
export function resolveFieldNames(given: FieldNames, problems: string[]): WireNames {
  const overrides = checkOverrides(given, problems);
  const wireOf = (key: FieldName) => overrides.get(key) ?? table[key].wire;
  const groups = {} as Record<NameGroup, { outward: Renames; inward: Renames }>;
  for (const group of Object.keys(shownNames) as NameGroup[]) {
    const inward = renames(group, 'response', wireOf, problems);
    groups[group] = {
      outward: renames(group, 'request', wireOf, problems),
      inward: inward.map(([property, wire]) => [wire, property] as const),
    };
  }
  return Object.freeze({ groups, requestIdHeader: wireOf('response.requestId').toLowerCase() });
}

function checkOverrides(given: FieldNames, problems: string[]): Map<FieldName, string> {
  const overrides = new Map<FieldName, string>();
  if (!isRecord(given)) problems.push('fieldNames must be an object');
  else {
    for (const [key, wire] of Object.entries(given)) {
      if (!Object.hasOwn(assumptions, key)) {
        problems.push(`fieldNames: ${key} is no key (the keys are ${Object.keys(assumptions).join(', ')})`);
      } else if (typeof wire !== 'string' || !plainName.test(wire) || wire === '__proto__') {
        problems.push(`fieldNames: ${key} must be a plain name`);
      } else overrides.set(key as FieldName, wire);
    }
  }
  return overrides;
}

/** The names of a group that differ on one side. Two properties under one name would lose one of them: refused. */
function renames(
  group: NameGroup,
  side: 'request' | 'response',
  wireOf: (key: FieldName) => string,
  problems: string[],
): Renames {
  const found: (readonly [string, string])[] = [];
  const taken = new Set<string>(shownNames[group][side]);
  for (const key of Object.keys(table) as FieldName[]) {
    const { property, in: sides } = table[key];
    const isHere = sides.includes(side) || (side === 'request' && sides.includes('query'));
    if (!isHere || !key.startsWith(`${group}.`)) continue;
    const wire = wireOf(key);
    if (taken.has(wire))
      problems.push(`fieldNames: ${key} cannot be ${wire}, another field of the ${side} has that name`);
    taken.add(wire);
    if (wire !== property) found.push([property, wire]);
  }
  return found;
}

/**
 * Renames top-level properties in place; the caller owns `body`. All values are lifted out before
 * any is put back, so that two names may trade places.
 */
export function rename(body: Record<string, unknown>, renames: Renames): void {
  const lifted: [string, unknown][] = [];
  for (const [from, to] of renames) {
    if (Object.hasOwn(body, from)) {
      lifted.push([to, body[from]]);
      delete body[from];
    }
  }
  for (const [name, value] of lifted) body[name] = value;
}
