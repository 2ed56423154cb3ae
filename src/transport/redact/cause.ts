import { printable } from '../../errors/printable.js';

/** Longer texts of an error are cut. In characters. */
const maxTextLength = 2_000;

/** How many levels of `cause` are copied. */
const maxCauseDepth = 3;

/** A property of a thrown value; undefined if its getter throws. */
function readProperty(thrown: object, name: string): unknown {
  try {
    return (thrown as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The name and the message of a thrown value, in one line. */
export function summaryOf(thrown: unknown): string {
  const parts =
    thrown instanceof Error ? [readProperty(thrown, 'name'), readProperty(thrown, 'message')] : [thrown];
  const named = parts.map(asText).filter((part) => part !== '');
  return printable(named.join(': ')).slice(0, 300);
}

/**
 * A copy of a thrown value with name, message, stack, system properties and causes, without secrets.
 * Everything else is dropped: errors of `fetch` and of agents may hold the request with its headers.
 * Never throws.
 */
export function cleanCause(cause: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (cause === undefined) return undefined;
  const clean = (value: unknown) => scrub(asText(value).slice(0, 4 * maxTextLength)).slice(0, maxTextLength);
  if (!(cause instanceof Error)) return new Error(clean(cause) || 'a value that is not an Error was thrown');
  const copy = new Error(clean(readProperty(cause, 'message')));
  // Defined, not assigned: an assignment fails if Error.prototype is frozen.
  const define = (name: string, value: unknown) =>
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  define('name', clean(readProperty(cause, 'name')) || 'Error');
  const stack = readProperty(cause, 'stack');
  if (typeof stack === 'string') define('stack', clean(stack));
  for (const name of ['code', 'errno', 'syscall', 'address', 'port']) {
    const value = readProperty(cause, name);
    if (typeof value === 'string') define(name, clean(value));
    else if (typeof value === 'number') define(name, value);
  }
  const inner = readProperty(cause, 'cause');
  if (inner !== undefined && depth < maxCauseDepth) define('cause', cleanCause(inner, scrub, depth + 1));
  return copy;
}
