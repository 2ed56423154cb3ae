import {
  anything,
  booleanReader,
  integerReader,
  type OptionReader,
  objectReader,
  oneOf,
  validIf,
} from '../../src/validation/options.js';
import { aText } from '../arguments/checked-options.js';
import { type Duration, durationForms, isDuration } from '../time/duration.js';

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A field whose name ends in `?` is optional. Objects can have additional fields. */
export function object(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name]])),
  };
}

export interface Field<Value = unknown> {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly reader: OptionReader<Value>;
  readonly isRequired: boolean;
}

export interface RequiredField<Value> extends Field<Value> {
  readonly isRequired: true;
}

export type Fields = Readonly<Record<string, Field>>;

export type FieldValues<Table extends Fields> = {
  readonly [Name in keyof Table as Table[Name] extends RequiredField<unknown> ? Name : never]: ValueOf<
    Table[Name]
  >;
} & {
  readonly [Name in keyof Table as Table[Name] extends RequiredField<unknown> ? never : Name]?:
    | ValueOf<Table[Name]>
    | undefined;
};

type ValueOf<Type> = Type extends Field<infer Value> ? Value : never;

const optional = <Value>(
  description: string,
  schema: JsonSchema,
  reader: OptionReader<Value>,
): Field<Value> => ({
  description,
  schema,
  reader,
  isRequired: false,
});

export const requiredField = <Value>(field: Field<Value>): RequiredField<Value> => ({
  ...field,
  isRequired: true,
});

export const text = (description: string): Field<string> => optional(description, { type: 'string' }, aText);

export const flag = (description: string): Field<boolean> =>
  optional(description, { type: 'boolean' }, booleanReader);

export const enumField = <const Value extends string>(
  description: string,
  values: readonly Value[],
): Field<Value> => optional(description, { type: 'string', enum: values }, oneOf(...values));

export const anObjectField = (description: string): Field<object> =>
  optional(description, { type: 'object' }, objectReader());

/** In a query, the integer arrives as a string of digits. */
export const optionalInteger = (
  description: string,
  { from, to = Number.MAX_SAFE_INTEGER, unit }: { from: number; to?: number; unit: string },
): Field<number> =>
  optional(
    description,
    { type: 'integer', minimum: from, ...(to < Number.MAX_SAFE_INTEGER && { maximum: to }) },
    to === Number.MAX_SAFE_INTEGER
      ? integerReader(from, unit)
      : validIf<number>(
          (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
          `must be ${unit}: an integer from ${from} to ${to}`,
        ),
  );

export const duration = (description: string): Field<Duration> =>
  optional(
    description,
    { oneOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }], examples: ['15m'] },
    validIf(isDuration, `must be ${durationForms}`),
  );

export const texts = (description: string): Field<string[]> =>
  optional(
    description,
    { type: 'array', items: { type: 'string' } },
    validIf(
      (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      'must be a list of strings',
    ),
  );

/** Without a reader, the control method checks the value. */
export const readField = <Value>(
  description: string,
  schema: JsonSchema,
  reader: OptionReader<Value> = anything(),
): Field<Value> => optional(description, schema, reader);
