import * as z from 'zod/mini';
import type { FileInput } from './forms.js';
import { notCents } from './patterns.js';
import type { SdkCheck } from './sdk-checks.js';

/** The name of a schema that the OpenAPI document describes once. */
export function titled<Schema extends z.core.$ZodType>(title: string, schema: Schema): Schema {
  return described({ title }, schema);
}

/** A schema with its additions for the OpenAPI document. */
export function described<Schema extends z.core.$ZodType>(meta: z.core.GlobalMeta, schema: Schema): Schema {
  z.globalRegistry.add(schema, meta);
  return schema;
}

/** The notes of a field, next to its check. */
export interface FieldNotes {
  /** The API docs do not state its name: the key of the option `fieldNames`, and the reason for the name. */
  readonly assumed?: { readonly key: string; readonly reason: string };
  /** Its value is a secret. */
  readonly isSecret?: true;
  /** The check of this package that requires it, although the API docs do not. */
  readonly requiredBy?: SdkCheck;
  /** Fields inside of it that are not checked, but whose names are assumed. */
  readonly names?: Readonly<Record<string, z.ZodMiniType>>;
  /** Brings a string into the documented format. Other strings stay as they are. */
  readonly normalize?: (text: string) => string;
}

/** The notes of the fields that have some. */
export const fieldNotes = new WeakMap<z.core.$ZodType, FieldNotes>();

/** A field with notes: a separate schema, because others may use the same one. */
function noted<Schema extends z.ZodMiniType>(notes: FieldNotes, schema: Schema): Schema {
  const own = z.clone(schema);
  fieldNotes.set(own, { ...fieldNotes.get(schema), ...notes });
  return own;
}

/** A field whose name the API docs do not state. @param reason the statement of the API docs about it */
export const assumed = <Schema extends z.ZodMiniType>(key: string, reason: string, schema: Schema): Schema =>
  noted({ assumed: { key, reason } }, schema);

/** A field whose value is a secret. */
export const secret = <Schema extends z.ZodMiniType>(schema: Schema): Schema =>
  noted({ isSecret: true }, schema);

/** A field that a check of this package requires. */
export const requiredBy = <Schema extends z.ZodMiniType>(check: SdkCheck, schema: Schema): Schema =>
  noted({ requiredBy: check }, schema);

/** An object with assumed names inside, whose values are not checked. */
export const withNames = <Schema extends z.ZodMiniType>(
  names: Readonly<Record<string, z.ZodMiniType>>,
  schema: Schema,
): Schema => noted({ names }, schema);

/** A text that is brought into the documented format. */
export const normalizedBy = <Schema extends z.ZodMiniType>(
  normalize: (text: string) => string,
  schema: Schema,
): Schema => noted({ normalize }, schema);

/** A UUID, in any version. */
export const uuid = z.guid();

/** An integer that JSON carries without loss. */
export const integer = z.int();

/** Cents: an integer. */
export const cents = z.int({
  error: Object.assign(({ input }: { readonly input?: unknown }) => notCents(input), { sentence: notCents }),
});

/** Free key/value data, or an object whose fields are undocumented. */
export const object = z.looseObject({});

/** Any value, or none. */
export const free = z.unknown();

/** Counts a length in characters and not in UTF-16 units: an emoji is one. */
function inCharacters(check: z.core.$ZodCheck<string>) {
  const { check: inUnits } = check._zod;
  check._zod.check = ({ value, issues }) => inUnits({ value: 'x'.repeat([...value].length), issues });
  return check;
}

/** At most this many characters. */
export const atMost = (longest: number) =>
  inCharacters(z.maxLength(longest, `must have at most ${longest} characters`));

/** At least this many characters. */
export const atLeast = (shortest: number) =>
  inCharacters(z.minLength(shortest, `must have at least ${shortest} characters`));

/** Text up to a documented length. It may be empty: in an update that may clear the field. */
export const text = (longest: number) => z.string().check(atMost(longest));

/** Required text: only white space counts as missing. */
export const filled = z.string().check(z.regex(/\S/, { error: 'must not be empty', abort: true }));

/** Required text up to a documented length. */
export const filledText = (longest: number) => filled.check(atMost(longest));

/** A file of a form. Client and sandbox represent files differently, so any object is accepted. */
export const file = described(
  { type: 'string', format: 'binary' },
  z.custom<FileInput>((value) => typeof value === 'object' && value !== null, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a file'),
  }),
);

/** Makes a value at the first call, and returns the same value at every later call. */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
