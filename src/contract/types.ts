/** A string. Editors suggest the known values; any other string is also accepted. */
export type Open<Known extends string> = Known | (string & {});

declare const rule: unique symbol;

/**
 * The type of a property that must be left out. No value has this type. If you set the property, TypeScript
 * shows the rule in the error.
 */
export interface Absent<Rule extends string> {
  readonly [rule]: Rule;
}

/** Includes undefined if a member does not require the field. */
export type ValueIn<Union, Name extends PropertyKey> = Union extends unknown
  ? Name extends keyof Union
    ?
        | Exclude<Union[Name], Absent<string>>
        | (Union[Name] extends Absent<string> | undefined ? undefined : never)
    : undefined
  : never;

/** The property names of all members of a union, without index signatures. */
type AllNames<Union> = Union extends unknown
  ? keyof {
      [Name in keyof Union as string extends Name ? never : Name]: never;
    } &
      string
  : never;

/** The field names that a public type can have, except those that are `Absent` in every member. */
export type NamesIn<Union> = {
  [Name in AllNames<Union>]: [Exclude<ValueIn<Union, Name>, undefined>] extends [never] ? never : Name;
}[AllNames<Union>];
