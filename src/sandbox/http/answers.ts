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

/** Ends a handler with 404. */
export class NotFound extends Error {}

/** What a request refers to. @throws NotFound where there is nothing. */
export function found<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotFound(missing);
  return value;
}
