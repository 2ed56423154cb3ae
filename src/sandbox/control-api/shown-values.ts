import { inspect } from 'node:util';
import type { Issue } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';

/** Names of options whose values no message shows. */
const secretName = /secret|token|key|pem|credential/i;

/** So many characters of a value are shown. */
const longest = 60;

/** Problems with the values that they are about, where these are plain and no secrets: `must be a time, not 'ontem'`. */
export function withValues(issues: readonly Issue[], given: unknown): Issue[] {
  return issues.map(({ path, message }) => {
    const value = valueAt(given, path);
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const isShown = isPlain && !secretName.test(path) && /^must /.test(message) && !/, not /.test(message);
    return { path, message: isShown ? `${message}, not ${inspect(shortened(value))}` : message };
  });
}

const shortened = (value: string | number | boolean) =>
  typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;

/** Undefined where there is none, or where it cannot be read. */
function valueAt(given: unknown, path: string): unknown {
  try {
    return path.split('.').reduce<unknown>((value, name) => {
      const holder = Array.isArray(value) || isRecord(value) ? (value as Record<string, unknown>) : {};
      return Object.hasOwn(holder, name) ? holder[name] : undefined;
    }, given);
  } catch {
    return undefined;
  }
}
