import { limits } from '../../contract/limits.js';
import type { Operation } from '../../contract/operation.js';
import { missingValue, uuidV4 } from '../../contract/patterns.js';
import type { Issue } from '../../input/issue.js';

/** What a header carries unchanged: visible ASCII characters, and spaces between them. */
const keyText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Says what is wrong with a key, without repeating it. */
export function keyProblem(key: unknown): string | undefined {
  if (typeof key !== 'string') return `must be a string, not ${key === null ? 'null' : typeof key}`;
  if (key === '') return 'must not be empty';
  if (key.length > limits.idempotencyKeyLength) {
    return `must have at most ${limits.idempotencyKeyLength} characters, has ${key.length}`;
  }
  if (!keyText.test(key))
    return 'must be visible ASCII characters, with spaces between them at most: no line breaks, no spaces around';
  const missing = missingValue(key);
  if (missing !== undefined)
    return `holds the text ${missing}: a value was missing when the key was made, and other calls would have the same key`;
  return undefined;
}

/**
 * The key of one logical call, fixed before the first attempt and the same for all of them. It is
 * random and never derived from the payload: two equal orders are two orders.
 */
export function fixKey(
  operation: Pick<Operation, 'idempotencyKey'>,
  given: string | null | undefined,
): string | undefined {
  if (given !== undefined) return given ?? undefined;
  return operation.idempotencyKey === 'none' ? undefined : globalThis.crypto.randomUUID();
}

/** What is wrong with the key where the platform requires one (API document, Authentication, 2). */
export function keyIssues(
  operation: Pick<Operation, 'idempotencyKey'>,
  key: string | null | undefined,
): Issue[] {
  if (operation.idempotencyKey !== 'required' || key === undefined) return [];
  if (key !== null && uuidV4.test(key)) return [];
  const message =
    key === null
      ? 'is required by this operation: leave it out, and a UUID v4 is sent'
      : 'must be a UUID v4 for this operation';
  return [{ path: 'options.idempotencyKey', message }];
}
