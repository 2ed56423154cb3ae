import { printable } from '../../errors/printable.js';

/** Longer texts of an error from below are cut. In characters. */
const longest = 2_000;

/** How far an error leads to the one that caused it. */
const deepest = 3;

/** A property of whatever was thrown; undefined where its getter throws. */
function read(thrown: object, name: string): unknown {
  try {
    return (thrown as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The name and the message of whatever was thrown, in one line. */
export function summaryOf(thrown: unknown): string {
  const parts = thrown instanceof Error ? [read(thrown, 'name'), read(thrown, 'message')] : [thrown];
  const named = parts.map(asText).filter((part) => part !== '');
  return printable(named.join(': ')).slice(0, 300);
}

/**
 * A copy of an error from below that says what happened and carries nothing else: errors of `fetch` and
 * of agents may hold the request with its headers. Whatever was thrown, reading it never throws.
 */
export function cleanCause(cause: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (cause === undefined) return undefined;
  const clean = (value: unknown) => scrub(asText(value).slice(0, 4 * longest)).slice(0, longest);
  if (!(cause instanceof Error)) return new Error(clean(cause) || 'something that is no Error was thrown');
  const copy = new Error(clean(read(cause, 'message')));
  // Defined, not assigned: a frozen Error.prototype lets nobody assign.
  const put = (name: string, value: unknown) =>
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  put('name', clean(read(cause, 'name')) || 'Error');
  const stack = read(cause, 'stack');
  if (typeof stack === 'string') put('stack', clean(stack));
  for (const name of ['code', 'errno', 'syscall', 'address', 'port']) {
    const value = read(cause, name);
    if (typeof value === 'string') put(name, clean(value));
    else if (typeof value === 'number') put(name, value);
  }
  const inner = read(cause, 'cause');
  if (inner !== undefined && depth < deepest) put('cause', cleanCause(inner, scrub, depth + 1));
  return copy;
}
