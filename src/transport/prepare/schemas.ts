import type { OperationId } from '../../contract/index.js';
import type { Schema } from '../../contract/schema-issues.js';

/** The schemas that the query, the body and the answer of a call are checked against. */
export interface CallSchemas {
  readonly query?: Schema;
  readonly request?: Schema;
  readonly response?: Schema;
}

let schemasOf: ((id: OperationId) => CallSchemas) | undefined;

async function load(): Promise<(id: OperationId) => CallSchemas> {
  const loaded = await import('../../contract/schemas.js');
  schemasOf = loaded.schemasOf;
  return schemasOf;
}

/**
 * The schemas of an operation. zod is loaded with the first call, so that importing the package is cheap
 * and a webhook receiver never loads it.
 */
export function operationSchemas(id: OperationId): CallSchemas | Promise<CallSchemas> {
  return schemasOf === undefined ? load().then((of) => of(id)) : schemasOf(id);
}
