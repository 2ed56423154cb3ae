import * as z from 'zod/mini';
import { shapes } from '../../src/contract/generated/shapes.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import { bankAccount } from '../../src/contract/onboarding/schemas.js';
import type { Operation } from '../../src/contract/operation.js';
import { fieldNotes } from '../../src/contract/schema-parts.js';
import { findSchemas } from '../../src/contract/schemas.js';
import { isRecord } from '../../src/validation/record.js';
import { type AssumedName, assumedIn, assumedSentence } from './assumed.js';

export type Schema = { [field: string]: unknown };

export type AnyOperation = Operation<OperationId>;

const all: readonly AnyOperation[] = operations;

/**
 * Returns the name of a body that is described once, under components. A body of undocumented shape has none.
 */
export const findSchemaName = (schema: z.ZodMiniType | undefined) =>
  schema && z.globalRegistry.get(schema)?.title;

type Side = 'request' | 'response';

const refTo = (name: string) => `#/components/schemas/${name}`;

/** The zod checks whose message says more than JSON Schema keywords can. */
const worded = new Set(['custom', 'string_format']);

/** Lists the messages of a schema's checks, such as "must be a hostname only". */
function sentences({ _zod: { def } }: z.core.$ZodType): string[] {
  return (def.checks ?? []).flatMap(({ _zod: { def: check } }) => {
    const wording = check.error as (() => unknown) | undefined;
    const message = worded.has(check.check) ? wording?.() : undefined;
    return typeof message === 'string' ? [`It ${message}.`] : [];
  });
}

/** Lists an object's required fields, except those that only a check of the SDK requires. */
function requiredFields({ _zod: { def } }: z.core.$ZodType, required: unknown): readonly unknown[] {
  const { shape = {} } = def as { readonly shape?: Readonly<Record<string, z.ZodMiniType>> };
  const isOurs = (name: unknown) => {
    const field = shape[String(name)];
    return field !== undefined && fieldNotes.get(field)?.requiredBy !== undefined;
  };
  return Array.isArray(required) ? required.filter((name) => !isOurs(name)) : [];
}

/** Reduces the contract's schemas to the statements of the API docs. */
const override =
  (side: Side): NonNullable<z.core.ToJSONSchemaParams['override']> =>
  ({ zodSchema, jsonSchema }) => {
    const schema: Schema = jsonSchema;
    // Requests accept additional fields, and responses can gain new ones.
    delete schema.additionalProperties;
    delete schema.title;
    if (isRecord(schema.properties) && Object.keys(schema.properties).length === 0) delete schema.properties;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    // The format is clearer than its regular expression.
    if (schema.format === 'date' || schema.format === 'uuid') delete schema.pattern;
    if (side === 'response' && schema.const !== undefined) {
      schema.examples = [schema.const];
      schema.description = 'Other values are undocumented.';
      delete schema.const;
    }
    const required = requiredFields(zodSchema, schema.required);
    if (required.length > 0) schema.required = required;
    else delete schema.required;
    const check = fieldNotes.get(zodSchema)?.requiredBy;
    const descriptions = sentences(zodSchema);
    if (check !== undefined)
      descriptions.push(
        `The SDK requires it (check ${check}). The API docs do not say whether it is required.`,
      );
    if (descriptions.length > 0) schema.description = descriptions.join(' ');
  };

function named(side: Side): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  const bodies = all.map(({ id }) => findSchemas(id)[side]);
  for (const schema of side === 'request' ? [bankAccount(), ...bodies] : bodies) {
    const name = findSchemaName(schema);
    if (schema !== undefined && name !== undefined) registry.add(schema, { id: name });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: side === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
    uri: refTo,
    override: override(side),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/** Marks the properties of a body whose names are assumed. */
function mark(schema: Schema, names: readonly AssumedName[]): void {
  for (const name of names) {
    const [, ...parents] = name.key.split('.').slice(0, -1);
    const owner = parents.reduce((at, parent) => ensureProperty(at, parent), schema);
    const property = ensureProperty(owner, name.wire);
    const prefix = typeof property.description === 'string' ? `${property.description} ` : '';
    Object.assign(property, { description: prefix + assumedSentence(name), 'x-assumed': name.key });
  }
}

/** Finds a property of an object, or adds it if the object's inner names are undocumented. */
function ensureProperty(owner: Schema, name: string): Schema {
  const properties = isRecord(owner.properties) ? (owner.properties as Record<string, Schema>) : {};
  const property = properties[name] ?? {};
  owner.properties = { ...properties, [name]: property };
  return property;
}

/** Lists a form's fields that contain objects. */
const listObjectFields = (id: OperationId): readonly string[] =>
  Object.entries(shapes[id].request?.fields ?? {}).flatMap(([name, { type }]) =>
    type === 'object' ? [name] : [],
  );

/** Adapts a schema to a form, which contains only strings. An object becomes a JSON string. */
function asForm(schema: Schema, objects: readonly string[]): void {
  if (!isRecord(schema.properties)) return;
  const properties: Record<string, unknown> = { ...schema.properties };
  for (const name of objects) {
    properties[name] = {
      type: 'string',
      description: 'Sent as a JSON string.',
      contentMediaType: 'application/json',
      contentSchema: properties[name],
    };
  }
  schema.properties = properties;
}

/** Lists every named body, by name. */
export function namedSchemas(): Record<string, Schema> {
  const schemas = { ...named('request'), ...named('response') };
  for (const operation of all) {
    for (const side of ['request', 'response'] as const) {
      const schema = schemas[findSchemaName(findSchemas(operation.id)[side]) ?? ''];
      if (schema === undefined) continue;
      mark(schema, assumedIn(shapes[operation.id][side], side));
      if (side === 'request' && operation.encoding === 'multipart')
        asForm(schema, listObjectFields(operation.id));
    }
  }
  return Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Refers to a body's schema by name, or includes a schema without a name. */
export function bodySchema(schema: z.ZodMiniType | undefined): Schema {
  if (schema === undefined) return {};
  const name = findSchemaName(schema);
  return name === undefined ? inline(schema) : { $ref: refTo(name) };
}

/** Includes a schema inline. */
export function inline(schema: z.ZodMiniType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: override('request'),
  });
  return rest;
}
