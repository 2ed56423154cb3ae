import { shapes } from '../../contract/generated/shapes.js';
import type { OperationId } from '../../contract/index.js';
import type { Operation } from '../../contract/operation.js';
import { type ChecksOff, withoutChecks } from '../../contract/own-checks.js';
import { differences } from '../../contract/read-value.js';
import type { Shape } from '../../contract/shape.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';

/** Every rule of the contract that a body breaks, without the checks that are turned off. */
export function contractIssues(
  operation: Operation<OperationId>,
  body: unknown,
  off: ChecksOff = new Set(),
): readonly Issue[] {
  const { request } = shapes[operation.id];
  const broken = isRecord(body) ? (operation.rules?.(body) ?? []) : [];
  return withoutChecks([...differencesFrom(request, body), ...broken], off);
}

/** Every rule of the contract that a query breaks. */
export function queryIssues(operation: Operation<OperationId>, query: object): Issue[] {
  return issuesAt('query', differencesFrom(shapes[operation.id].query, query));
}

const differencesFrom = (shape: Shape | undefined, value: unknown): readonly Issue[] =>
  shape === undefined ? [] : differences(value, shape);

/** So many problems are named in a message, within so many characters. */
const mostNamed = 5;
const longestNamed = 300;

/** The first problems, for the message of an answer. All of them are in `issues`. */
export function inShort(issues: readonly Issue[]): string {
  const named: string[] = [];
  let length = 0;
  for (const { path, message } of issues.slice(0, mostNamed)) {
    const problem = path === '' ? message : `${path}: ${message}`;
    length += problem.length;
    if (named.length > 0 && length > longestNamed) break;
    named.push(problem.length > longestNamed ? `${problem.slice(0, longestNamed)}…` : problem);
  }
  const left = issues.length - named.length;
  return `${named.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`;
}
