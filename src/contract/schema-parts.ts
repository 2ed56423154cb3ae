import type { FileInput } from './forms.js';
import * as z from './zod.js';

/** The name of a schema in the OpenAPI document, where it is described once. */
export function titled<Schema extends z.core.$ZodType>(title: string, schema: Schema): Schema {
  return described({ title }, schema);
}

/** A schema with what the OpenAPI document adds to it. */
export function described<Schema extends z.core.$ZodType>(meta: z.core.GlobalMeta, schema: Schema): Schema {
  z.globalRegistry.add(schema, meta);
  return schema;
}

/** A UUID, in any version. */
export const uuid = z.guid();

/** An integer that JSON carries without loss. */
export const integer = z.int();

/** What is wrong with an amount that is no integer of cents. Undefined for what JSON cannot carry, which has a message of its own. */
function notCents(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const number = typeof given === 'string' ? Number(given.trim().replace(',', '.')) : given;
  // What is longer than any amount is none: it may be the number of a card.
  if (given === '' || !(Math.abs(number) < 1e9)) return 'must be an integer of cents: R$ 19,90 is 1990';
  if (Number.isInteger(number)) return `must be an integer of cents, not a string: ${number} without quotes`;
  const [reais, centavos = ''] = number.toFixed(2).split('.');
  return `must be an integer of cents, not a fraction: ${number} looks like reais; ${Math.round(number * 100)} is R$ ${reais},${centavos}`;
}

/** Cents: an integer. */
export const cents = z.int({ error: ({ input }) => notCents(input) });

/** Free key/value data, or an object whose fields are undocumented. */
export const object = z.looseObject({});

/** Text up to a documented length. It may be empty: in an update that may clear the field. */
export const text = (longest: number) =>
  z.string().check(z.maxLength(longest, `must have at most ${longest} characters`));

/** Required text: only white space counts as missing. */
export const filled = z.string().check(z.regex(/\S/, { error: 'must not be empty', abort: true }));

/** Required text up to a documented length. */
export const filledText = (longest: number) =>
  filled.check(z.maxLength(longest, `must have at most ${longest} characters`));

/** A file of a form. Client and sandbox represent files differently, so any object is accepted. */
export const file = described(
  { type: 'string', format: 'binary' },
  z.custom<FileInput>((value) => typeof value === 'object' && value !== null, 'must be a file'),
);

/** Makes a value at the first call, and returns the same value at every later call. */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
