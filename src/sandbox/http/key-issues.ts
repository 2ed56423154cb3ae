import { limits } from '../../contract/limits.js';
import type { Operation } from '../../contract/operation.js';
import { uuidV4 } from '../../contract/patterns.js';
import type { Issue } from '../../input/issue.js';

/** Problems of the idempotency key of a request (API document, Authentication, 2, and Limits). */
export function keyIssues(operation: Operation, key: string | undefined): Issue[] {
  const objection = operation.idempotencyKey === 'required' ? objectionToUuid(key) : objectionToText(key);
  return objection === undefined ? [] : [{ path: 'x-idempotency-key', message: objection }];
}

function objectionToUuid(key: string | undefined): string | undefined {
  if (key === undefined) return 'is required';
  return uuidV4.test(key) ? undefined : 'must be a UUID v4';
}

function objectionToText(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKeyLength)) return undefined;
  return `must have 1 to ${limits.idempotencyKeyLength} characters`;
}
