import { z } from 'zod';

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

/** A UUID, in any version. */
export const uuid = z.guid();

/** An integer that JSON carries without loss. */
export const integer = z.int();

/** Cents: an integer. */
export const cents = z.int();

/** Free key/value data, or an object whose inner names the API document does not show. */
export const object = z.looseObject({});

/** Text up to a length, as the API document gives it. It may be empty: in an update that may mean to clear it. */
export const text = (longest: number) => z.string().max(longest, `must have at most ${longest} characters`);

/** Text that is required: nothing but white space is a missing one. */
export const filled = z.string().regex(/\S/, { error: 'must not be empty', abort: true });

/** Required text up to a length, as the API document gives it. */
export const filledText = (longest: number) => filled.max(longest, `must have at most ${longest} characters`);

/** A file of a form: whatever the side that reads it makes of one. */
export const file = z
  .custom<object>((value) => typeof value === 'object' && value !== null, 'must be a file')
  .meta({ type: 'string', format: 'binary' });
