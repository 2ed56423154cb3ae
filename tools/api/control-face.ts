import { buildControlApiDocument } from '../../sandbox/control-api/openapi.js';
import type { PublicApi } from './face.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Converts a JSON schema to a type. */
function toType(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.oneOf !== undefined) return schema.oneOf.map((each) => toType(each, indent)).join(' | ');
  if (schema.items !== undefined) return `(${toType(schema.items, indent)})[]`;
  if (schema.properties === undefined) return [schema.type ?? 'unknown'].flat().join(' | ');
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${indent}    ${name}${mark}: ${toType(field, `${indent}    `)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

const listTypes = ({ content = {} }: Content) =>
  Object.entries(content).map(([type, { schema = {} }]) => `${type} ${toType(schema)}`);

function printOperation({ parameters = [], requestBody = {}, responses }: Operation): string {
  const parameterLines = parameters.map(
    ({ name, in: place, required, schema }) =>
      `    ${name}${required ? '' : '?'}: ${toType(schema)} in the ${place};\n`,
  );
  const responseLines = Object.entries(responses).map(([status, response]) =>
    [status, ...listTypes(response)].join(' '),
  );
  return `request {\n${parameterLines.join('')}}${listTypes(requestBody).join(' ')}\n${responseLines.join('\n')}`;
}

/**
 * Describes the control API's public API: the endpoints and fields that a test in any language can rely on.
 */
export function controlFace(): PublicApi {
  const { paths, components } = buildControlApiDocument() as Description;
  return {
    specifier: 'The control API',
    exported: Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        text: printOperation(operation),
        isValue: false,
      })),
    ),
    elsewhere: [],
    unexported: Object.entries(components.schemas).map(([name, schema]) => ({
      name,
      text: `response ${toType(schema)}`,
      isValue: false,
    })),
  };
}
