import { StoreError } from '../errors/store.js';
import { isError } from '../validation/builtins.js';
import { type DatabaseError, findDatabaseError, findInnermostError } from '../validation/database-error.js';
import { MessageRedactor, redacted } from './message-redactor.js';

const maxCauseDepth = 3;

const readProperty = (thrown: object, name: string) => (thrown as Record<string, unknown>)[name];

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const classNamePattern = /^(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception)$/;
/** Matches error codes of the system, of Node or of OpenSSL: `ECONNRESET`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
export const systemCodePattern =
  /^(?!(?:.*\d){4})(?:E[A-Z]{2,20}|(?:CERT|CRL|DEPTH|ERR|ERROR|HOSTNAME|HPE|INVALID|SELF|UNABLE|UND_ERR)_[A-Z0-9_]{1,60})$/;
/** Properties that the system and PostgreSQL add to an error, and that engineers search for. */
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

const findName = (thrown: object) => {
  const name = toText(readProperty(thrown, 'name'));
  return classNamePattern.test(name) ? name : 'Error';
};

function findSystemCode(thrown: object): string {
  const code = toText(readProperty(thrown, 'code'));
  return systemCodePattern.test(code) ? code : '';
}

export function codeOrName(thrown: unknown): string {
  if (!isError(thrown)) return '';
  return findSystemCode(thrown) || findName(thrown);
}

/** Matches a stack line with a code location: a function, a file or a Node module, and two numbers. */
const codeLine =
  /^ {4}at (?:[\w$.<># []{1,200}\]? \()?(?:async )?(?:node:|\w+:\/\/|\/|[A-Z]:\\|<anonymous>|index \d)[^\n]{0,300}:\d{1,7}:\d{1,7}\)?$/;

/** The message at the start of the stack can contain lines that look like code locations. */
function findCodeLocations(stack: string, message: string): string[] {
  const start = stack.indexOf(message);
  const rest = start < 0 ? '' : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => codeLine.test(line))
    .slice(0, 20);
}

/**
 * Everything else is dropped, because errors of `fetch` and of agents can contain the request, and database
 * errors can contain the row.
 */
export function redactCause(cause: unknown, redactor: MessageRedactor, depth = 0): unknown {
  if (cause === undefined) return undefined;
  if (!isError(cause))
    return new Error(redactor.show(toText(cause)) || 'a value that is not an Error was thrown');
  const message = toText(readProperty(cause, 'message'));
  const input = findName(cause);
  const name = redactor.isSafe(input.replace(/([a-z])([A-Z])/g, '$1 $2')) ? input : 'Error';
  // A failed connection to several addresses has only a code, and a timeout of node-redis only a class.
  const copy = new Error(redactor.show(message) || findSystemCode(cause) || (name === 'Error' ? '' : name));
  const define = (property: string, value: unknown) =>
    Object.defineProperty(copy, property, { value, configurable: true, writable: true });
  define('name', name);
  const places = findCodeLocations(toText(readProperty(cause, 'stack')), message).filter((line) =>
    redactor.isSafe(line),
  );
  define('stack', [`${name}: ${copy.message}`, ...places].join('\n'));
  for (const property of systemProperties) {
    const value = readProperty(cause, property);
    const text = toText(value);
    if (text !== '' && text.length <= 255 && redactor.isSafe(text)) define(property, value);
  }
  const inner = readProperty(cause, 'cause');
  if (inner !== undefined && depth < maxCauseDepth) define('cause', redactCause(inner, redactor, depth + 1));
  return copy;
}

/** Matches the value that a data exception quotes. The value can contain quotes, or be cut off at its start. */
const quotedValue = /^[^"]*"$|".*"/s;

/** Matches the classes whose messages PostgreSQL itself writes. Constraints (23) are the class that triggers imitate. */
const ownClass = /^(?:0|2[^3]|3|4|5[34578]|F0|HV|XX)/;
const ownConstraintMessage = /^[a-z ]+(?: "[^"]*"(?: of relation "[^"]*")?)? violates /;

/**
 * Checks whether a function or trigger wrote the message, which can then be any string. PostgreSQL names the source
 * file, such as `pl_exec.c` or `plpy_elog.c`, but not every driver passes it on.
 */
export const isRaised = ({ code, file, message }: DatabaseError): boolean =>
  file !== undefined
    ? /^pl(?!an)/.test(file)
    : !ownClass.test(code) && !(code.startsWith('23') && ownConstraintMessage.test(message));

function fromDatabase(error: DatabaseError, redactor: MessageRedactor) {
  const { code, message } = error;
  // Class 22 (data exceptions) quotes values, and rarely identifiers.
  const text = isRaised(error)
    ? 'a function or trigger raised an error'
    : code.startsWith('22')
      ? message.replace(quotedValue, `"${redacted}"`)
      : message;
  const shown = redactor.show(text);
  return new StoreError(`PostgreSQL: ${shown} (${code}).`, code);
}

/**
 * A database's error can contain the failed row, the statement's parameters, and the database's address with
 * a password. All of these are dropped.
 */
export function redactStoreError(thrown: unknown, row?: unknown): Error {
  if (thrown instanceof StoreError) return thrown;
  const redactor = new MessageRedactor({ named: row });
  const database = findDatabaseError(thrown);
  if (database !== undefined) return fromDatabase(database, redactor);
  return redactCause(thrown ?? null, redactor) as Error;
}

/**
 * If PostgreSQL did not report it, for example because the connection was lost, a library's error can contain
 * the whole query. Only the message and the code of the innermost error are kept.
 */
export function redactTransactionError(thrown: unknown, row?: unknown): StoreError {
  const known = redactStoreError(thrown, row);
  if (known instanceof StoreError) return known;
  const redactor = new MessageRedactor({ named: row });
  const { error, message } = findInnermostError(thrown);
  const code = toText(readProperty(Object(error), 'code'));
  const reason = redactor.show(message) || codeOrName(error) || 'a value that is not an Error was thrown';
  return new StoreError(
    `A statement in your transaction failed: ${reason.replace(/\.$/, '')}. Roll the transaction back.`,
    code !== '' && redactor.isSafe(code) ? code : undefined,
  );
}
