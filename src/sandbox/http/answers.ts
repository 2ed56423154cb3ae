import type { Issue } from '../../input/issue.js';

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** An error answer with the sandbox's usual body. */
export function problem(
  status: number,
  code: string,
  message: string,
  issues: readonly Issue[] = [],
): Response {
  return json(status, { error: { code, message, issues } });
}

/** Ends a handler with 404. */
export class NotFound extends Error {}

/** What a request refers to. @throws NotFound where there is nothing. */
export function found<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotFound(missing);
  return value;
}
