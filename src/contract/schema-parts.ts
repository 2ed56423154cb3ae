import * as z from 'zod/mini';
import type { FileInput } from './forms.js';
import { notCents } from './patterns.js';
import type { SdkCheck } from './sdk-checks.js';

/** Names a schema, so that the OpenAPI document describes it only once. */
export function titled<Schema extends z.core.$ZodType>(title: string, schema: Schema): Schema {
  return described({ title }, schema);
}

export function described<Schema extends z.core.$ZodType>(meta: z.core.GlobalMeta, schema: Schema): Schema {
  z.globalRegistry.add(schema, meta);
  return schema;
}

export interface FieldNotes {
  /** Set if the API docs do not state the field's name. */
  readonly assumed?: { readonly key: string; readonly reason: string };
  readonly isSecret?: true;
  readonly requiredBy?: SdkCheck;
  /** Nested fields whose names are assumed, and whose values are not checked. */
  readonly names?: Readonly<Record<string, z.ZodMiniType>>;
  readonly normalize?: (text: string) => string;
}

export const fieldNotes = new WeakMap<z.core.$ZodType, FieldNotes>();

/** The schema is cloned, because other fields can share it. */
function noted<Schema extends z.ZodMiniType>(notes: FieldNotes, schema: Schema): Schema {
  const own = z.clone(schema);
  fieldNotes.set(own, { ...fieldNotes.get(schema), ...notes });
  return own;
}

export const assumed = <Schema extends z.ZodMiniType>(key: string, reason: string, schema: Schema): Schema =>
  noted({ assumed: { key, reason } }, schema);

export const secret = <Schema extends z.ZodMiniType>(schema: Schema): Schema =>
  noted({ isSecret: true }, schema);

export const requiredBy = <Schema extends z.ZodMiniType>(check: SdkCheck, schema: Schema): Schema =>
  noted({ requiredBy: check }, schema);

export const withNames = <Schema extends z.ZodMiniType>(
  names: Readonly<Record<string, z.ZodMiniType>>,
  schema: Schema,
): Schema => noted({ names }, schema);

export const normalizedBy = <Schema extends z.ZodMiniType>(
  normalize: (text: string) => string,
  schema: Schema,
): Schema => noted({ normalize }, schema);

/** A UUID of any version. */
export const uuid = z.guid();

export const integer = z.int();

export const cents = z.int({
  error: Object.assign(({ input }: { readonly input?: unknown }) => notCents(input), { sentence: notCents }),
});

/** Free key/value data, or an object whose fields are undocumented. */
export const object = z.looseObject({});

export const free = z.unknown();

/** Makes a length check count characters instead of UTF-16 units, so that an emoji counts once. */
function inCharacters(check: z.core.$ZodCheck<string>) {
  const { check: inUnits } = check._zod;
  check._zod.check = ({ value, issues }) => inUnits({ value: 'x'.repeat([...value].length), issues });
  return check;
}

export const atMost = (longest: number) =>
  inCharacters(z.maxLength(longest, `must have at most ${longest} characters`));

export const atLeast = (shortest: number) =>
  inCharacters(z.minLength(shortest, `must have at least ${shortest} characters`));

/** An empty string is allowed, because it might clear a field in an update. */
export const text = (longest: number) => z.string().check(atMost(longest));

/** A string of only white space counts as missing. */
export const filled = z.string().check(z.regex(/\S/, { error: 'must not be empty', abort: true }));

export const filledText = (longest: number) => filled.check(atMost(longest));

/** The client and the sandbox represent files differently, so any object is accepted. */
export const file = described(
  { type: 'string', format: 'binary' },
  z.custom<FileInput>((value) => typeof value === 'object' && value !== null, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a file'),
  }),
);

export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
