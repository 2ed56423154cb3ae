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

/** Issues in one sentence, for an error of a control. */
export function inWords(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
}
