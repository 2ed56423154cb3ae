import type { Issue } from '../../input/issue.js';

/** The header that the SDK reads as the request's identifier. */

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
