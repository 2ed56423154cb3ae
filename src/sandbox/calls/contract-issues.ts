import type { OperationId } from '../../contract/index.js';
import type { Operation } from '../../contract/operation.js';
import { type ChecksOff, withoutChecks } from '../../contract/own-checks.js';
import { mismatches, type Schema } from '../../contract/schema-issues.js';
import { schemasOf } from '../../contract/schemas.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';

/** Every rule of the contract that a body breaks, without the checks that are turned off. */
export function contractIssues(
  operation: Operation<OperationId>,
  body: unknown,
  off: ChecksOff = new Set(),
): readonly Issue[] {
  const { request } = schemasOf(operation.id);
  const broken = isRecord(body) ? (operation.rules?.(body) ?? []) : [];
  return withoutChecks([...schemaIssues(request, body), ...broken], off, operation, body);
}

/** Every rule of the contract that a query breaks. */
export function queryIssues(operation: Operation<OperationId>, query: object): Issue[] {
  return issuesAt('query', schemaIssues(schemasOf(operation.id).query, query));
}

function schemaIssues(schema: Schema | undefined, value: unknown): Issue[] {
  return schema === undefined ? [] : mismatches(schema, value);
}
