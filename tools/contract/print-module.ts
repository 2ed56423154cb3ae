import type * as z from 'zod/mini';
import * as brazil from '../../src/contract/brazil.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import { requestIdField, requestIdReason } from '../../src/contract/overrides.js';
import * as patterns from '../../src/contract/patterns.js';
import { notification } from '../../src/contract/payments/schemas.js';
import { fieldNotes } from '../../src/contract/schema-parts.js';
import { findSchemas } from '../../src/contract/schemas.js';
import { ShapePrinter } from './print-shape.js';

const header = '// Generated from the schemas of the contract by `npm run generate`. Not edited by hand.\n';

/** The modules whose functions schemas can use. */
const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '../brazil.js': brazil,
  '../patterns.js': patterns,
};

const functions = new Map(
  Object.values(modules).flatMap((members) => Object.entries(members).map(([name, value]) => [value, name])),
);

const parts = ['query', 'request', 'response'] as const;

/** Prints `generated/shapes.ts`. The client uses it to check bodies and responses. */
export function shapesModule(): string {
  const all = operations.map(({ id }) => [id, findSchemas(id as OperationId)] as const);
  const inNotifications = notification();
  const printer = new ShapePrinter(functions, [
    inNotifications,
    ...all.flatMap(([, schemas]) => parts.flatMap((part) => schemas[part] ?? [])),
  ]);
  const notificationShape = printer.print(inNotifications);
  const printed = all.map(([id, schemas]) => {
    const value = parts.flatMap((part) => {
      const schema = schemas[part];
      return [`${part}: ${schema === undefined ? 'undefined' : printer.print(schema)}`];
    });
    return `  '${id}': { ${value.join(', ')} } as RuntimeSchemas,\n`;
  });
  const imports = Object.entries(modules).flatMap(([path, members]) => {
    const used = Object.keys(members)
      .filter((name) => printer.usedFunctions.has(name))
      .sort();
    return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${path}';\n`];
  });
  return `${header}${imports.join('')}import { RuntimeSchema, type RuntimeSchemas } from '../runtime-schema.js';

${printer.constants.join('\n')}

/** A payment in a notification (API docs, Events). */
export const notificationShape = /* @__PURE__ */ ${notificationShape};

/** The shapes of the query, the body and the response of each operation. */
export const shapes = {
${printed.join('')}} satisfies Readonly<Record<string, RuntimeSchemas>>;
`;
}

interface Assumed {
  readonly property: string;
  readonly wire: string;
  readonly in: readonly string[];
  readonly reason: string;
}

/** Prints `generated/assumptions.ts`: the field names that the API docs do not state. */
export function assumptionsModule(): string {
  const found: Record<string, Assumed> = {};
  const add = (key: string, reason: string, place: string, wire?: string) => {
    const property = key.slice(key.lastIndexOf('.') + 1);
    const known = found[key];
    const reasons = known === undefined ? reason : known.reason;
    found[key] = {
      property,
      wire: wire ?? property,
      in: [...new Set([...(known?.in ?? []), place])],
      reason: reasons.includes(reason) ? reasons : `${reasons} ${reason}`,
    };
  };
  const walk = (schema: z.ZodMiniType | undefined, place: string): void => {
    if (schema === undefined) return;
    const { assumed, names = {} } = fieldNotes.get(schema) ?? {};
    if (assumed !== undefined) add(assumed.key, assumed.reason, place);
    const {
      innerType,
      element,
      shape = {},
    } = schema._zod.def as unknown as {
      readonly innerType?: z.ZodMiniType;
      readonly element?: z.ZodMiniType;
      readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
    };
    for (const inner of [innerType, element, ...Object.values(shape), ...Object.values(names)])
      walk(inner, place);
  };
  for (const { id } of operations) {
    const schemas = findSchemas(id);
    for (const part of parts) walk(schemas[part], part);
  }
  walk(notification(), 'notification');
  add(requestIdField.key, requestIdReason, 'response-header', requestIdField.wire);
  return `${header}
/** The names by key. */
export const assumptions = ${JSON.stringify(found, null, 2)} as const;
`;
}
