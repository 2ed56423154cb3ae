import { MessageRedactor } from './message-redactor.js';

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

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The name of a class of errors. */
const className = /^(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception)$/;
/** Of the system, of Node or of OpenSSL: `ECONNRESET`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
export const systemCode =
  /^(?!(?:.*\d){4})(?:E[A-Z]{2,20}|(?:CERT|CRL|DEPTH|ERR|ERROR|HOSTNAME|HPE|INVALID|SELF|UNABLE|UND_ERR)_[A-Z0-9_]{1,60})$/;
/** The properties that the system and PostgreSQL add to an error, and that engineers search for. */
const systemProperties = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'schema',
  'table',
  'column',
  'constraint',
] as const;

/** The name of the class of a thrown value. */
const findName = (thrown: object) => {
  const name = toText(readProperty(thrown, 'name'));
  return className.test(name) ? name : 'Error';
};

/** Returns the system's error code, or else the name of the error's class. Empty for anything but an error. */
export function codeOrName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const code = toText(readProperty(thrown, 'code'));
  return systemCode.test(code) ? code : findName(thrown);
}

/** A line of a stack that names a place of code: a function, a file or a module of Node, and two numbers. */
const codeLine =
  /^ {4}at (?:[\w$.<># []{1,200}\]? \()?(?:async )?(?:node:|\w+:\/\/|\/|[A-Z]:\\|<anonymous>|index \d)[^\n]{0,300}:\d{1,7}:\d{1,7}\)?$/;

/** The places of code in a stack, without the message that it repeats: a message may have such lines as well. */
function placesIn(stack: string, message: string): string[] {
  const start = stack.indexOf(message);
  const rest = start < 0 ? '' : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => codeLine.test(line))
    .slice(0, 20);
}

/**
 * A copy of a thrown value with its name, its message, the places of code in its stack, system properties and
 * causes. Everything else is dropped: errors of `fetch` and agents can hold the request, and errors of databases the
 * row. Never throws.
 */
export function redactedCause(cause: unknown, redactor: MessageRedactor, depth = 0): unknown {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error))
    return new Error(redactor.show(toText(cause)) || 'a value that is not an Error was thrown');
  const message = toText(readProperty(cause, 'message'));
  const copy = new Error(redactor.show(message));
  // Defined, not assigned: an assignment fails if Error.prototype is frozen.
  const define = (name: string, value: unknown) =>
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  const input = findName(cause);
  const name = redactor.isSafe(input.replace(/([a-z])([A-Z])/g, '$1 $2')) ? input : 'Error';
  define('name', name);
  const places = placesIn(toText(readProperty(cause, 'stack')), message).filter((line) =>
    redactor.isSafe(line),
  );
  define('stack', [`${name}: ${copy.message}`, ...places].join('\n'));
  for (const property of systemProperties) {
    const value = readProperty(cause, property);
    const text = toText(value);
    if (text !== '' && text.length <= 255 && redactor.isSafe(text)) define(property, value);
  }
  const inner = readProperty(cause, 'cause');
  if (inner !== undefined && depth < maxCauseDepth)
    define('cause', redactedCause(inner, redactor, depth + 1));
  return copy;
}

/** An error of a store of this package. Its message contains nothing of a row. */
export class StoreError extends Error {}

/**
 * The error of a store as it is shown. A database adds the row that failed, the parameters of the statement and its own
 * address with a password: they are dropped.
 *
 * @param row the row that the statement wrote. Its confidential values are hidden in the message.
 */
export function redactedStoreError(thrown: unknown, row?: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  return redactedCause(thrown ?? null, new MessageRedactor({ named: row })) as Error;
}
