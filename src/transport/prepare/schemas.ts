import type { OperationId } from '../../contract/index.js';
import type { Schema } from './schema-issues.js';

/** What the parts of a call are held against. */
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
 * The schemas of an operation. Their library is loaded with the first call: importing the package costs
 * little, and a webhook receiver never needs it.
 */
export function operationSchemas(id: OperationId): CallSchemas | Promise<CallSchemas> {
  return schemasOf === undefined ? load().then((of) => of(id)) : schemasOf(id);
}
