import type { ShownText } from './shown-text.js';

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

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The name of a class of errors. */
const className = /^(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception)$/;
/** Of the system, of Node or of OpenSSL: `ECONNRESET`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
export const systemCode =
  /^(?!(?:.*\d){4})(?:E[A-Z]{2,20}|(?:CERT|CRL|DEPTH|ERR|ERROR|HOSTNAME|HPE|INVALID|SELF|UNABLE|UND_ERR)_[A-Z0-9_]{1,60})$/;
const address = /^(?:(?:\d{1,3}\.){3}\d{1,3}|(?=.*::|(?:[^:]+:){7})[\da-f:.]{2,45})$/i;
const functionName = /^[a-z]{2,20}$/;

/** The properties that the system adds to an error, and the form that they have. */
const systemProperties: readonly (readonly [name: string, form: RegExp])[] = [
  ['code', systemCode],
  ['errno', /^-?\d{1,5}$/],
  ['syscall', functionName],
  ['address', address],
  ['port', /^\d{1,5}$/],
];

/** The name of the class of a thrown value. */
const nameOf = (thrown: object) => {
  const name = textOf(readProperty(thrown, 'name'));
  return className.test(name) ? name : 'Error';
};

/** The code of a thrown value, if it is the system's, or else the name of its class; empty if it is no error. */
export function codeOrName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const code = textOf(readProperty(thrown, 'code'));
  return systemCode.test(code) ? code : nameOf(thrown);
}

/** A line of a stack that names a place of code: a function, a file or a module of Node, and two numbers. */
const codeLine =
  /^ {4}at (?:[\w$.<># []{1,200}\]? \()?(?:async )?(?:node:|\w+:\/\/|\/|[A-Z]:\\|<anonymous>|index \d)[^\n]{0,300}:\d{1,7}:\d{1,7}\)?$/;

/** The places of code in a stack, without the message that it repeats: a message may have such lines, too. */
function placesIn(stack: string, message: string): string[] {
  const start = stack.indexOf(message);
  const rest = start < 0 ? '' : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => codeLine.test(line))
    .slice(0, 20);
}

/**
 * A copy of a thrown value with its name, the words of its message, the places of code in its stack, system
 * properties and causes. Everything else is dropped: errors of `fetch` and of agents may hold the request
 * with its headers. Never throws.
 */
export function shownCause(cause: unknown, shown: ShownText, depth = 0): unknown {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error))
    return new Error(shown.text(textOf(cause)) || 'a value that is not an Error was thrown');
  const message = textOf(readProperty(cause, 'message'));
  const copy = new Error(shown.text(message));
  // Defined, not assigned: an assignment fails if Error.prototype is frozen.
  const define = (name: string, value: unknown) =>
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  const given = nameOf(cause);
  const name = shown.repeatsHidden(given) ? 'Error' : given;
  define('name', name);
  const places = placesIn(textOf(readProperty(cause, 'stack')), message);
  define('stack', [`${name}: ${copy.message}`, ...places].join('\n'));
  for (const [property, form] of systemProperties) {
    const value = readProperty(cause, property);
    const text = textOf(value);
    if (form.test(text) && !shown.repeatsHidden(text)) define(property, value);
  }
  const inner = readProperty(cause, 'cause');
  if (inner !== undefined && depth < maxCauseDepth) define('cause', shownCause(inner, shown, depth + 1));
  return copy;
}
