import { inspect } from '#sandbox-runtime';
import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';

/** The values of these options are never shown. */
const secretName = /secret|token|key|pem|credential/i;

/** In characters. */
const longest = 60;

/** Turns a message into `must be a time, not 'ontem'`. Leaves out secrets and objects. */
export function withValues(issues: readonly Issue[], input: unknown): Issue[] {
  return issues.map(({ path, message }) => {
    const value = valueAt(input, path);
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const isShown = isPlain && !secretName.test(path) && /^must /.test(message) && !/, not /.test(message);
    return { path, message: isShown ? `${message}, not ${inspect(shortened(value))}` : message };
  });
}

const shortened = (value: string | number | boolean) =>
  typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;

function valueAt(input: unknown, path: string): unknown {
  try {
    return path.split('.').reduce<unknown>((value, name) => {
      const holder = Array.isArray(value) || isRecord(value) ? (value as Record<string, unknown>) : {};
      return Object.hasOwn(holder, name) ? holder[name] : undefined;
    }, input);
  } catch {
    return undefined;
  }
}
