import { limits } from '../../contract/limits.js';
import type { Operation } from '../../contract/operation.js';
import { missingValue, typeName, uuidV4Pattern } from '../../contract/patterns.js';
import type { Issue } from '../../validation/issue.js';
import { isRecord } from '../../validation/record.js';

/** Matches a string that a header carries unchanged: visible ASCII characters, and spaces between them. */
const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Never repeats the key. */
export function keyProblem(key: unknown): string | undefined {
  if (typeof key !== 'string') return `must be a string, not ${typeName(key)}`;
  if (key === '') return 'must not be empty';
  if (key.length > limits.idempotencyKeyLength) {
    return `must have at most ${limits.idempotencyKeyLength} characters, has ${key.length}`;
  }
  if (!keyPattern.test(key)) return 'must be visible ASCII without line breaks or spaces at its ends';
  return undefined;
}

/** Matches `idempotency_key`, `X-Idempotency-Key`, `idempotentKey`, `chaveIdempotencia` and similar names. */
export const isKeyName = (name: string): boolean => /idempot.*?(?:[ck]|id|token)/i.test(name);

interface KeyOptions {
  readonly idempotencyKey?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const isOption = 'is an option, not a field. Pass { idempotencyKey } as the next argument';

/**
 * Finds idempotency keys that have no effect, because they are in the body, a header or the query instead of
 * the option. The SDK would send a random key instead, so the next call would charge the customer again. If
 * the option is set, only a key at the top level of the body is reported.
 */
export function misplacedKeys(
  operation: Pick<Operation, 'idempotencyKey'>,
  inBody: readonly string[],
  { idempotencyKey, headers }: KeyOptions,
  query: unknown,
): readonly Issue[] {
  if (operation.idempotencyKey === 'none') return [];
  if (inBody.length === 0 && headers === undefined && query === undefined) return [];
  const toIssues = (paths: readonly string[], message = isOption): Issue[] =>
    paths.map((path) => ({ path, message, check: 'key.misplaced' }));
  if (idempotencyKey !== undefined) return toIssues(inBody.filter((path) => !path.includes('.')));
  const named = (value: unknown, path: string) =>
    Object.keys(value ?? {})
      .filter(isKeyName)
      .map((name) => path + name);
  const notTheKey = 'is not the key of this call. Use the option idempotencyKey';
  return [
    ...toIssues(inBody),
    ...toIssues([...named(headers, 'options.headers.'), ...named(query, 'query.')], notTheKey),
  ];
}

/**
 * The choice is made before the first attempt, and every attempt sends the same key. The key is never derived
 * from the payload, because two equal orders are two orders.
 */
export function chooseKey(
  operation: Pick<Operation, 'idempotencyKey'>,
  value: string | null | undefined,
): string | undefined {
  if (value !== undefined) return value ?? undefined;
  return operation.idempotencyKey === 'none' ? undefined : globalThis.crypto.randomUUID();
}

const undefinedKey =
  'is undefined. Pass a key that your order keeps, such as its number, or leave the option out for a random one';

/** Without this check, the SDK would send a random key. */
const isKeyUndefined = (value: unknown, key: unknown, issues: readonly Issue[]): boolean =>
  key === undefined &&
  isRecord(value) &&
  Object.hasOwn(value, 'idempotencyKey') &&
  issues.every(({ path }) => path !== 'options.idempotencyKey');

/**
 * The key must not be built from a missing value, as `order-undefined` is. The key must be a UUID v4 if the
 * API docs require that (Authentication, 2).
 */
export function keyIssues(
  operation: Pick<Operation, 'idempotencyKey'>,
  value: unknown,
  { idempotencyKey: key }: KeyOptions,
  issues: readonly Issue[],
): Issue[] {
  const path = 'options.idempotencyKey';
  if (operation.idempotencyKey !== 'none' && isKeyUndefined(value, key, issues))
    return [{ path, message: undefinedKey, check: 'key.missingValue' }];
  const found: Issue[] = [];
  const missing = key == null ? undefined : missingValue(key);
  const reason =
    missing === '[object Object]'
      ? ': use a field of the object, such as order.id'
      : ', so a value was missing when it was built';
  const madeOfNothing = `contains ${missing}${reason}. If you mean it, turn off the check 'key.missingValue'`;
  if (missing !== undefined) found.push({ path, message: madeOfNothing, check: 'key.missingValue' });
  if (operation.idempotencyKey !== 'required' || key === undefined) return found;
  if (key === null)
    found.push({
      path,
      message: 'is required by this operation: leave the option out to send a generated UUID v4',
    });
  else if (!uuidV4Pattern.test(key)) found.push({ path, message: 'must be a UUID v4 for this operation' });
  return found;
}
