import type { Issue } from '../../input/issue.js';

/** The texts of answers: to read one from its answer takes a step of its own. */
const texts = new WeakMap<Response, string>();

export function json(status: number, body: unknown): Response {
  const text = JSON.stringify(body);
  const response = new Response(text, { status, headers: { 'content-type': 'application/json' } });
  texts.set(response, text);
  return response;
}

/** The JSON text of an answer; undefined for another answer. */
export async function jsonTextOf(response: Response): Promise<string | undefined> {
  const isJson = response.headers.get('content-type') === 'application/json';
  return texts.get(response) ?? (isJson ? response.clone().text() : undefined);
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
