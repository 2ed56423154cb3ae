import { closestName, unknownName } from '../validation/closest-name.js';
import type { Issue } from '../validation/issue.js';
import { objectProblem } from '../validation/record.js';
import { assumptions as generated } from './generated/assumptions.js';
import { notificationShape, shapes } from './generated/shapes.js';
import type { RuntimeSchema } from './runtime-schema.js';

/** The part of a call or notification that a field name is used in. */
export type Place = 'request' | 'query' | 'response' | 'notification' | 'response-header';

type WireName = string | { readonly [In in Place]?: string | undefined };

export type Overrides = ReadonlyMap<string, WireName>;

export function findOverride(overrides: Overrides, key: string, place: Place): string | undefined {
  const value = overrides.get(key);
  return typeof value === 'object' ? value[place] : value;
}

export const findWireName = (
  property: string,
  { key }: RuntimeSchema,
  overrides: Overrides,
  place: Place,
): string => (key === undefined ? undefined : findOverride(overrides, key, place)) ?? property;

export interface NamedShape {
  readonly shape: RuntimeSchema;
  readonly place: Place;
}

export const listKeys = ({ fields }: RuntimeSchema): readonly string[] =>
  Object.values(fields).flatMap((field) => [
    ...(field.key === undefined ? [] : [field.key]),
    ...listKeys(field),
  ]);

export function listNamedShapes(): readonly NamedShape[] {
  const all = Object.values(shapes).flatMap(({ query, request, response }): NamedShape[] => [
    ...(query === undefined ? [] : [{ shape: query, place: 'query' as const }]),
    ...(request === undefined ? [] : [{ shape: request, place: 'request' as const }]),
    ...(response === undefined ? [] : [{ shape: response, place: 'response' as const }]),
  ]);
  return [...all, { shape: notificationShape, place: 'notification' as const }].filter(
    ({ shape }) => listKeys(shape).length > 0,
  );
}

/** The API docs do not name the header. */
export const requestIdField = { key: 'response.requestId', wire: 'x-request-id' } as const;

export const requestIdReason =
  'The API docs do not describe a request id. The x-request-id header is a common convention.';

const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_-]{0,63}){0,7}$/;

/** The syntax of PHP and Rails for nested parameters. Only queries have such names. */
const bracketed = /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:\[[A-Za-z0-9_-]{0,64}\]){1,4}$/;

const isPlain = (wire: unknown, isQuery: boolean): wire is string =>
  typeof wire === 'string' &&
  (plainName.test(wire) || (isQuery && bracketed.test(wire))) &&
  !wire.split('.').includes('__proto__') &&
  // A name like idempotencyKey is rejected. The idempotency key is a header, and a body field with that name
  // would have no effect.
  !/idempot/i.test(wire);

const places: Readonly<Record<Place, true>> = {
  request: true,
  query: true,
  response: true,
  notification: true,
  'response-header': true,
};

/** `isQuery`: the field occurs in queries only. */
function readWireName(wire: unknown, isQuery: boolean): WireName | undefined {
  if (isPlain(wire, isQuery)) return wire;
  if (objectProblem(wire) !== undefined) return undefined;
  const entries = Object.entries(wire as object).filter(([, name]) => name !== undefined);
  return entries.every(([place, name]) => Object.hasOwn(places, place) && isPlain(name, place === 'query'))
    ? (Object.fromEntries(entries) as WireName)
    : undefined;
}

const maxOverrideIssues = 20;

export function readOverrides(
  value: unknown,
  shapes: readonly NamedShape[],
): { overrides: Overrides; issues: Issue[] } {
  const known = [...new Set([...shapes.flatMap(({ shape }) => listKeys(shape)), requestIdField.key])];
  const inPlaces = (isQuery: boolean) =>
    shapes.filter(({ place }) => (place === 'query') === isQuery).flatMap(({ shape }) => listKeys(shape));
  const [ofQueries, ofOthers] = [new Set(inPlaces(true)), new Set(inPlaces(false))];
  const overrides = new Map<string, WireName>();
  const issues: Issue[] = [];
  const problem = value === undefined ? undefined : objectProblem(value);
  if (problem !== undefined) issues.push({ path: '', message: problem });
  for (const [key, wire] of Object.entries(problem === undefined ? (value ?? {}) : {})) {
    if (wire === undefined) continue;
    if (issues.length > maxOverrideIssues) break;
    if (!known.includes(key))
      issues.push({ path: key, message: unknownName('key', closestName(key, known), known) });
    else {
      const name = readWireName(wire, ofQueries.has(key) && !ofOthers.has(key));
      if (name !== undefined) overrides.set(key, name);
      else
        issues.push({
          path: key,
          message: `must be a plain name, a path such as data.name, or an object with names for ${Object.keys(places).join(', ')}`,
        });
    }
  }
  return { overrides, issues: [...issues, ...findCollisions(overrides, shapes)] };
}

const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
const meet = (one: string, other: string) => isWithin(one, other) || isWithin(other, one);

/**
 * Two fields of one object cannot have the same name. In a request, a path cannot lead into another field,
 * because that field would be overwritten. In a response this is allowed, because a field can be read from
 * inside a documented object.
 */
function findCollisions(overrides: Overrides, shapes: readonly NamedShape[]): Issue[] {
  const found = new Map<string, Issue>();
  for (const { shape, place } of shapes) {
    const isReceived = place === 'response' || place === 'notification';
    const earlier: NamedField[] = [];
    for (const field of fieldsIn(shape, place, overrides)) {
      const other = earlier.find(
        (each) =>
          field.wire === each.wire ||
          (!isReceived && !isWithin(field.path, each.path) && meet(field.wire, each.wire)),
      );
      earlier.push(field);
      const isOtherOverridden = other?.key !== undefined && overrides.has(other.key);
      const key =
        isOtherOverridden && !(field.key !== undefined && overrides.has(field.key)) ? other.key : field.key;
      if (other !== undefined && key !== undefined)
        found.set(key, {
          path: key,
          message: `cannot be ${field.name}: another field of the ${place} has that name`,
        });
    }
  }
  return [...found.values()];
}

interface NamedField {
  readonly path: string;
  readonly wire: string;
  readonly name: string;
  readonly key: string | undefined;
}

function fieldsIn(shape: RuntimeSchema, place: Place, overrides: Overrides, within = ''): NamedField[] {
  if (listKeys(shape).length === 0) return [];
  return Object.entries(shape.fields).flatMap(([property, field]) => {
    const name = findWireName(property, field, overrides, place);
    const path = within + property;
    return [
      { path, wire: within + name, name, key: field.key },
      ...fieldsIn(field, place, overrides, `${path}.`),
    ];
  });
}

/** A key of the `fieldNames` client option. */
export type FieldName = keyof typeof generated;

/**
 * Wire names by key, for names that differ from the defaults. A value is a name, a path into objects
 * (`data.access_token`), or an object with a name per place:
 * `{ request: 'split_rules', response: 'data.split' }`.
 */
export type FieldNames = { readonly [Name in FieldName]?: WireName | undefined };

/** A field name that the API docs do not state, with the name that the SDK assumes and the reason for it. */
export interface Assumption {
  /** The name in the SDK. */
  readonly property: string;
  /** The name on the wire, unless `fieldNames` overrides it. */
  readonly wire: string;
  /** The places that use the name. */
  readonly in: readonly Place[];
  /** Why this name is assumed, from the API docs' description of the field. */
  readonly reason: string;
}

/**
 * The field names that the SDK assumes. The `fieldNames` client option overrides a name by its key.
 */
export const assumptions: Readonly<Record<FieldName, Assumption>> = Object.freeze(generated);
