import { z } from 'zod';
import type { FileInput } from './forms.js';

/** A UUID, in any version. */
export const uuid = z.guid();

/** An integer that JSON carries without loss. */
export const integer = z.int();

/** Cents: an integer. */
export const cents = z.int();

/** Free key/value data, or an object whose inner names are undocumented. */
export const object = z.looseObject({});

/** Text up to a length, as the API document gives it. It may be empty: in an update that may mean to clear it. */
export const text = (longest: number) => z.string().max(longest, `must have at most ${longest} characters`);

/** Text that is required: nothing but white space is a missing one. */
export const filled = z.string().regex(/\S/, { error: 'must not be empty', abort: true });

/** Required text up to a length, as the API document gives it. */
export const filledText = (longest: number) => filled.max(longest, `must have at most ${longest} characters`);

/** A file of a form: whatever the side that reads it makes of one. */
export const file = z
  .custom<FileInput>((value) => typeof value === 'object' && value !== null, 'must be a file')
  .meta({ type: 'string', format: 'binary' });

/** Makes something when it is asked for first, and the same ever after. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
