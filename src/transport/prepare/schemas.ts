import type { OperationId } from '../../contract/index.js';
import type { Schema } from '../../contract/schema-issues.js';
import type { Schemas } from '../../contract/schemas-for.js';

/** The schemas that the query, the body and the answer of a call are checked against. */
export interface CallSchemas {
  readonly query?: Schema | undefined;
  readonly request?: Schema | undefined;
  readonly response?: Schema | undefined;
}

type ContractSchema = NonNullable<Schemas[keyof Schemas]>;
type SchemaModule = typeof import('../../contract/schemas.js');

/** Compiling a schema takes as long as a thousand checks with it, and a process may end after its first call. */
const checksBeforeCompiling = 500;

/** A schema that is compiled when it was used often: then a check takes a tenth of the time. */
class FrequentSchema implements Schema {
  readonly #compile: SchemaModule['compileSchema'];
  #schema: ContractSchema;
  #checks = 0;

  constructor(schema: ContractSchema, compile: SchemaModule['compileSchema']) {
    this.#schema = schema;
    this.#compile = compile;
  }

  safeParse(value: unknown): ReturnType<Schema['safeParse']> {
    if (++this.#checks === checksBeforeCompiling) this.#schema = this.#compiled();
    return this.#schema.safeParse(value);
  }

  #compiled(): ContractSchema {
    try {
      return this.#compile?.(this.#schema) ?? this.#schema;
    } catch {
      // A process that forbids generated code keeps the schema as it is.
      return this.#schema;
    }
  }
}

const known = new Map<OperationId, CallSchemas>();

/** Loads what builds schemas, zod above all. */
export const loadSchemas = () => import('../../contract/schemas.js');

async function load(id: OperationId): Promise<CallSchemas> {
  const { schemasOf, compileSchema } = await loadSchemas();
  const frequent = (schema: ContractSchema | undefined) =>
    schema && new FrequentSchema(schema, compileSchema);
  const { query, request, response } = schemasOf(id);
  const schemas = { query: frequent(query), request: frequent(request), response: frequent(response) };
  known.set(id, schemas);
  return schemas;
}

/**
 * The schemas of an operation, built when it is first called. zod is loaded with the first call of all, so
 * that importing the package is cheap and a webhook receiver never loads it.
 */
export function operationSchemas(id: OperationId): CallSchemas | Promise<CallSchemas> {
  return known.get(id) ?? load(id);
}
