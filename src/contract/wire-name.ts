import { notificationShape, shapes } from './generated/shapes.js';
import type { Shape } from './shape.js';

/** Where a name is used. */
export type Place = 'request' | 'query' | 'response' | 'notification' | 'response-header';

/** A wire name, or one for each place where the field is used. */
export type WireName = string | { readonly [In in Place]?: string | undefined };

/** Wire names by key, from the option `fieldNames`. */
export type Overrides = ReadonlyMap<string, WireName>;

/** The override of a name in one place. */
export function overrideOf(overrides: Overrides, key: string, place: Place): string | undefined {
  const given = overrides.get(key);
  return typeof given === 'object' ? given[place] : given;
}

/** The wire name of a field. */
export const wireNameOf = (property: string, { key }: Shape, overrides: Overrides, place: Place): string =>
  (key === undefined ? undefined : overrideOf(overrides, key, place)) ?? property;

/** A shape that has assumed names, and where it is used. */
export interface NamedShape {
  readonly shape: Shape;
  readonly place: Place;
}

/** The keys of the assumed names inside of a shape. */
export const keysIn = ({ fields }: Shape): readonly string[] =>
  Object.values(fields).flatMap((field) => [
    ...(field.key === undefined ? [] : [field.key]),
    ...keysIn(field),
  ]);

/** Every shape that has assumed names. */
export function namedShapes(): readonly NamedShape[] {
  const all = Object.values(shapes).flatMap(({ query, request, response }): NamedShape[] => [
    ...(query === undefined ? [] : [{ shape: query, place: 'query' as const }]),
    ...(request === undefined ? [] : [{ shape: request, place: 'request' as const }]),
    ...(response === undefined ? [] : [{ shape: response, place: 'response' as const }]),
  ]);
  return [...all, { shape: notificationShape, place: 'notification' as const }].filter(
    ({ shape }) => keysIn(shape).length > 0,
  );
}
