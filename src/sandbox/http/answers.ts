import type { Issue } from '../../input/issue.js';

/** An answer in JSON that still has what it was made of. */
export class JsonResponse extends Response {
  readonly value: unknown;
  /** Of its text. */
  readonly length: number;

  constructor(status: number, value: unknown) {
    const text = JSON.stringify(value);
    super(text, { status, headers: { 'content-type': 'application/json' } });
    this.value = value;
    this.length = text.length;
  }
}

export const json = (status: number, body: unknown): JsonResponse => new JsonResponse(status, body);

/** An error answer with the sandbox's usual body. */
export function problem(
  status: number,
  code: string,
  message: string,
  issues: readonly Issue[] = [],
): Response {
  return json(status, { error: { code, message, issues } });
}

/** An error answer of the platform, for `errorBody`. */
export interface SandboxProblem {
  /** The HTTP status. */
  readonly status: number;
  /** The sandbox's code, such as `invalid_request`. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** Every problem of the request, by the path of its field. */
  readonly issues: readonly Readonly<Issue>[];
}

/** An answer with the body that `errorBody` makes of an error. */
export async function withErrorBody(
  response: Response,
  errorBody: ((problem: SandboxProblem) => unknown) | undefined,
): Promise<Response> {
  if (errorBody === undefined || response.ok) return response;
  const text = await response.text();
  // The answer to HEAD has none.
  if (text === '') return response;
  const { error } = JSON.parse(text) as { error: Omit<SandboxProblem, 'status'> };
  const shaped = shapedBy(errorBody, { status: response.status, ...error });
  const wait = response.headers.get('retry-after');
  if (wait !== null) shaped.headers.set('retry-after', wait);
  return shaped;
}

function shapedBy(errorBody: (problem: SandboxProblem) => unknown, given: SandboxProblem): Response {
  try {
    return json(given.status, errorBody(given));
  } catch (error) {
    return problem(500, 'sandbox_error', `errorBody failed: ${(error as Error).message}`);
  }
}

/** Ends a handler with 404. */
export class NotFound extends Error {}

/** What a request refers to. @throws NotFound where there is nothing. */
export function found<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotFound(missing);
  return value;
}
