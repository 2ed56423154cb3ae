import { shapes } from '../../src/contract/generated/shapes.js';
import type { OperationId } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import { issuesIn } from '../../src/contract/read-value.js';
import type { RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { type ChecksOff, withoutDisabledIssues } from '../../src/contract/sdk-checks.js';
import { type Issue, prefixIssues } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';

export function findContractIssues(
  operation: Operation<OperationId>,
  body: unknown,
  off: ChecksOff = new Set(),
): readonly Issue[] {
  const { request } = shapes[operation.id];
  const broken = isRecord(body) ? (operation.rules?.(body) ?? []) : [];
  return withoutDisabledIssues([...differencesFrom(request, body), ...broken], off);
}

export function findQueryIssues(operation: Operation<OperationId>, query: object): Issue[] {
  return prefixIssues('query', differencesFrom(shapes[operation.id].query, query));
}

const differencesFrom = (shape: RuntimeSchema | undefined, value: unknown): readonly Issue[] =>
  shape === undefined ? [] : issuesIn(value, shape, false);
