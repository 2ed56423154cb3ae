import { brokenRules, type Operation } from '../../contract/operation.js';

/** One problem of a request. */
export interface Issue {
  /** Dotted; empty for the body as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Every rule of the contract that a body breaks. */
export function contractIssues(operation: Operation, body: unknown): Issue[] {
  const result = operation.request?.safeParse(body);
  const departures = result?.error?.issues ?? [];
  return [
    ...departures.map(({ path, message }) => ({ path: path.join('.'), message })),
    ...brokenRules(operation, body),
  ];
}

/** So many problems are named in a message, within so many characters. */
const mostNamed = 5;
const longestNamed = 300;

/** The first problems, for a message that somebody reads: all of them stand in `issues`. */
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

/** Issues in one sentence, for an error of a control. */
export function inWords(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
}
