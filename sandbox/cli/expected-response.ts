import type { JsonSchema } from '../control-api/fields.js';
import { schemas } from '../control-api/response-types.js';
import { isObject } from './fields.js';

export type Expected =
  | { readonly one: keyof typeof schemas }
  | { readonly list: keyof typeof schemas }
  | 'nothing';

/** Describes how a response differs from its schema, worded to follow a subject. Undefined if it matches. */
export function responseProblem(
  expected: Exclude<Expected, 'nothing'>,
  response: unknown,
): string | undefined {
  const schema: JsonSchema =
    'one' in expected
      ? schemas[expected.one]
      : { type: 'object', required: ['data'], properties: { data: listSchema(expected.list) } };
  return problem(schema, response, 'its response');
}

const listSchema = (name: keyof typeof schemas): JsonSchema => ({ type: 'array', items: schemas[name] });

/** Enumerations are not checked, because another version can add values to them. */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

function problem(input: JsonSchema, value: unknown, name: string): string | undefined {
  const schema = resolved(input);
  const type = schema.type as string | undefined;
  if (type !== undefined && isOfType[type]?.(value) === false) {
    return value === undefined ? `${name} is missing` : `${name} is not of the type ${type}`;
  }
  if (Array.isArray(value)) {
    return takeFirst(value, (item, index) =>
      problem((schema.items ?? {}) as JsonSchema, item, `${name}[${index}]`),
    );
  }
  if (!isObject(value)) return undefined;
  const { required = [], properties = {} } = schema as {
    required?: readonly string[];
    properties?: Readonly<Record<string, JsonSchema>>;
  };
  return takeFirst(Object.keys(properties), (field) =>
    Object.hasOwn(value, field) || required.includes(field)
      ? problem(properties[field] ?? {}, value[field], `${name}.${field}`.replace(/^its response\./, ''))
      : undefined,
  );
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : undefined;
  return name === undefined ? schema : schemas[name as keyof typeof schemas];
}

function takeFirst<Item>(
  items: readonly Item[],
  look: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
