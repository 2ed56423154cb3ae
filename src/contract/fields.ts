import type { NamesIn } from './types.js';

/** The name of one field of a body. */
export interface Field {
  /** Why the name is assumed; absent where the API document states it. */
  readonly reason?: string;
  /** The name on the wire, where it is not the property. */
  readonly wire?: string;
  /** The fields inside of it, where one of their names is assumed. */
  readonly fields?: NamedFields;
}

/** The fields of one object, by their properties. */
export type NamedFields = Readonly<Record<string, Field>>;

/** Where a name stands. */
export type Place = 'request' | 'query' | 'response' | 'notification' | 'response-header';

/** The names of one body, query or head: those that are documented, and those that are assumed. */
export interface FieldTable<Group extends string = string, Table extends NamedFields = NamedFields> {
  /** The first part of the keys under which the client option `fieldNames` overrides the names. */
  readonly group: Group;
  readonly place: Place;
  readonly fields: Table;
}

/** A field whose name the API document states. */
export const documented: Field = Object.freeze({});

/** A field whose name the API document states, and that of a field inside of it not. */
export const documentedWith = <const Inner extends NamedFields>(fields: Inner) => Object.freeze({ fields });

/** A field whose name the API document leaves open, and why it has the name that it has here. */
export const assumed = <const More extends Omit<Field, 'reason'>>(reason: string, more?: More) =>
  Object.freeze({ reason, ...more }) as { readonly reason: string } & More;

/** The names of a public type: one without an entry does not compile, nor an entry without one. */
export const fieldTable =
  <Public>() =>
  <Group extends string, const Table extends { readonly [Name in NamesIn<Public>]: Field }>(
    group: Group,
    place: Place,
    fields: Table & { readonly [Name in Exclude<keyof Table, NamesIn<Public>>]: never },
  ): FieldTable<Group, Table> =>
    Object.freeze({ group, place, fields: Object.freeze(fields) });

/** The keys of the assumed names among some fields. */
type KeysIn<Table extends NamedFields, Path extends string> = {
  [Name in keyof Table & string]:
    | (Table[Name] extends { readonly reason: string } ? `${Path}.${Name}` : never)
    | (Table[Name] extends { readonly fields: infer Inner extends NamedFields }
        ? KeysIn<Inner, `${Path}.${Name}`>
        : never);
}[keyof Table & string];

/** The keys of the assumed names of a table. */
export type KeysOf<Table> = Table extends FieldTable<infer Group, infer Inner> ? KeysIn<Inner, Group> : never;

/** One field and where it stands. */
export interface FieldAt {
  readonly key: string;
  readonly property: string;
  readonly field: Field;
}

/** Every field of a table, those inside of others too. */
export function* fieldsOf({ group, fields }: FieldTable): Iterable<FieldAt> {
  yield* fieldsAt(group, fields);
}

function* fieldsAt(path: string, fields: NamedFields): Iterable<FieldAt> {
  for (const [property, field] of Object.entries(fields)) {
    const key = `${path}.${property}`;
    yield { key, property, field };
    if (field.fields !== undefined) yield* fieldsAt(key, field.fields);
  }
}
