import type { Issue } from '../../src/validation/issue.js';
import type { SandboxProblem } from '../defaults/requests.js';

interface JsonBody {
  readonly value: unknown;
  /** In characters. */
  readonly length: number;
}

/** No subclass of Response, because Jest's jsdom environment lacks Response when this module loads. */
const jsonBodies = new WeakMap<Response, JsonBody>();

export function json(status: number, value: unknown): Response {
  const text = JSON.stringify(value);
  const response = new Response(text, { status, headers: { 'content-type': 'application/json' } });
  rememberJson(response, { value, length: text.length });
  return response;
}

export const rememberJson = (response: Response, body: JsonBody): void => void jsonBodies.set(response, body);

export const findJson = (response: Response): JsonBody | undefined => jsonBodies.get(response);

export function createProblem(
  status: number,
  code: string,
  message: string,
  issues: readonly Issue[] = [],
): Response {
  return json(status, { error: { code, message, issues } });
}

export async function withErrorBody(
  response: Response,
  errorBody: ((problem: SandboxProblem) => unknown) | undefined,
): Promise<Response> {
  if (errorBody === undefined || response.ok) return response;
  const text = await response.text();
  // A response to HEAD has no body.
  if (text === '') return response;
  const { error } = JSON.parse(text) as { error: Omit<SandboxProblem, 'status'> };
  const shaped = shapedBy(errorBody, { status: response.status, ...error });
  const wait = response.headers.get('retry-after');
  if (wait !== null) shaped.headers.set('retry-after', wait);
  return shaped;
}

function shapedBy(errorBody: (problem: SandboxProblem) => unknown, input: SandboxProblem): Response {
  try {
    return json(input.status, errorBody(input));
  } catch (error) {
    return createProblem(500, 'sandbox_error', `errorBody failed: ${(error as Error).message}`);
  }
}

/** Ends a handler with 404. */
export class NotFound extends Error {}

export function requireFound<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotFound(missing);
  return value;
}

/** The maximum number of problems in a message, and their maximum total of characters. */
const maxNamed = 5;
const longestNamed = 300;

/** `issues` contains all of them. */
export function firstProblems(issues: readonly Issue[]): string {
  const named: string[] = [];
  let length = 0;
  for (const { path, message } of issues.slice(0, maxNamed)) {
    const problem = path === '' ? message : `${path} ${message}`;
    length += problem.length;
    if (named.length > 0 && length > longestNamed) break;
    named.push(problem.length > longestNamed ? `${problem.slice(0, longestNamed)}…` : problem);
  }
  const left = issues.length - named.length;
  const listed = `${named.join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
  return /[.?!]$/.test(listed) ? listed : `${listed}.`;
}
