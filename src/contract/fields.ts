import type { NamesIn } from './types.js';

/** The name of one field of a body. */
export interface Field {
  /** Why the name is assumed; absent if the API document states it. */
  readonly reason?: string;
  /** The name on the wire, if it differs from the property. */
  readonly wire?: string;
  /** The fields inside it, if one of their names is assumed. */
  readonly fields?: NamedFields;
}

/** The fields of one object, by property. */
export type NamedFields = Readonly<Record<string, Field>>;

/** Where a name is used. */
export type Place = 'request' | 'query' | 'response' | 'notification' | 'response-header';

/** The field names of one body, query or header section, documented and assumed. */
export interface FieldTable<Group extends string = string, Table extends NamedFields = NamedFields> {
  /** The first part of the keys with which the client option `fieldNames` overrides the names. */
  readonly group: Group;
  readonly place: Place;
  readonly fields: Table;
}

/** A field whose name the API document states. */
export const documented: Field = Object.freeze({});

/** A field whose name the API document states, but not all names of the fields inside it. */
export const documentedWith = <const Inner extends NamedFields>(fields: Inner) => Object.freeze({ fields });

/** A field whose name the API document does not state, with the reason for the assumed name. */
export const assumed = <const More extends Omit<Field, 'reason'>>(reason: string, more?: More) =>
  Object.freeze({ reason, ...more }) as { readonly reason: string } & More;

/** The field table of a public type. A field without an entry does not compile, nor an entry without a field. */
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

/** One field with its key. */
export interface FieldAt {
  readonly key: string;
  readonly property: string;
  readonly field: Field;
}

/** Every field of a table, nested ones included. */
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
