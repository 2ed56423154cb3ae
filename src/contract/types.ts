/** Known values complete in the editor; any other string is accepted. */
export type Open<Known extends string> = Known | (string & {});

declare const rule: unique symbol;

/**
 * The type of a property that must not be sent beside the others. Nothing has this type: its
 * purpose is the sentence that TypeScript prints when somebody sends the property all the same.
 */
export interface Absent<Rule extends string> {
  readonly [rule]: Rule;
}

/** The value of a field in any member of a union; undefined where a member may go without it. */
export type ValueIn<Union, Name extends PropertyKey> = Union extends unknown
  ? Name extends keyof Union
    ?
        | Exclude<Union[Name], Absent<string>>
        | (Union[Name] extends Absent<string> | undefined ? undefined : never)
    : undefined
  : never;

/** Every name in any member of a union, without index signatures. */
type AllNames<Union> = Union extends unknown
  ? keyof {
      [Name in keyof Union as string extends Name ? never : Name]: never;
    } &
      string
  : never;

/** The names of the fields that a body of a public type can have: not those that are only ever absent. */
export type NamesIn<Union> = {
  [Name in AllNames<Union>]: [Exclude<ValueIn<Union, Name>, undefined>] extends [never] ? never : Name;
}[AllNames<Union>];
