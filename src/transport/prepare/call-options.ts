import type { Issue } from '../../errors/usage.js';
import { isRecord, readFields, unreadable } from '../../input/record.js';
import type { UploadProgress } from '../upload/form.js';
import { keyProblem } from './idempotency-key.js';

/** Options that every method takes. */
export interface CallOptions {
  /**
   * 1 to 255 ASCII characters: visible ones, with spaces inside. Where the operation takes a key and none is given, a UUID v4
   * is sent; `null` sends none, and then every request is a new charge.
   */
  idempotencyKey?: string | null | undefined;
  /** Milliseconds for the whole call, instead of the client's. */
  timeout?: number | undefined;
  /** How many times the call may be sent again, instead of the client's. */
  maxRetries?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Further request headers. Credentials, the key and the framing of the body are not set here. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** How this call is authorised, instead of the client's way. */
  auth?: 'headers' | 'oauth' | undefined;
  /**
   * Told how far an upload is, in bytes; of multipart calls only. Nothing it does changes the call. Over
   * fetch the body is then sent in chunks, without its length; where a runtime's fetch cannot tell (Bun,
   * Deno), this is called once, when all was sent.
   */
  onUploadProgress?: ((progress: UploadProgress) => unknown) | undefined;
  /** Further body fields, for what this version of the package does not know. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** The longest wait a timer takes, in milliseconds: beyond it, it fires at once. */
const longestTimer = 2 ** 31 - 1;

export const timeoutRule = `must be milliseconds: a number above 0 and at most ${longestTimer}`;
export const retryRule = 'must be an integer from 0 to 10';

export function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= longestTimer;
}

export function isRetryCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10;
}

/** The names of the options of a call. */
export const callOptionNames = [
  'idempotencyKey',
  'timeout',
  'maxRetries',
  'signal',
  'headers',
  'auth',
  'extraBody',
  'onUploadProgress',
] as const satisfies readonly (keyof CallOptions)[];

/** What the SDK sets itself: a caller who could replace these could break the promises of the call. */
const reserved = new Set([
  'authorization',
  'client-id',
  'client-secret',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-idempotency-key',
]);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\x20-\x7e]*$/;

/** Servers take no more, nor longer ones. */
const mostHeaders = 100;
const longestHeader = 8_192;
const isLong = (value: unknown) => typeof value === 'string' && value.length > longestHeader;

/** The headers that a caller adds, each read once: names in lower case, because one that stands there twice would be sent twice. */
function readHeaders(given: unknown, issues: Issue[]): Record<string, string> | undefined {
  const path = 'options.headers';
  const entries = entriesOf(given);
  if (entries === undefined) {
    issues.push({ path, message: 'must be a plain object of strings' });
    return undefined;
  }
  if (entries.length > mostHeaders || entries.some(([, value]) => isLong(value))) {
    const message = `must be at most ${mostHeaders} headers of ${longestHeader} characters`;
    issues.push({ path, message });
    return undefined;
  }
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!headerName.test(name)) issues.push({ path, message: 'has a name that is no header name' });
    else if (reserved.has(lower)) {
      const instead = lower === 'x-idempotency-key' ? ': use the option idempotencyKey' : '';
      issues.push({ path: `${path}.${name}`, message: `is set by the SDK${instead}` });
    } else if (typeof value !== 'string' || !headerValue.test(value)) {
      issues.push({ path: `${path}.${name}`, message: 'must be a string of printable ASCII characters' });
    } else headers[lower] = value;
  }
  return headers;
}

/** Undefined for what is no plain object, such as a Headers or a Map, and for what cannot be read. */
function entriesOf(given: unknown): [string, unknown][] | undefined {
  try {
    return isRecord(given) && !(Symbol.iterator in given) ? Object.entries(given) : undefined;
  } catch {
    return undefined;
  }
}

/** What to say of an option that does not exist: a misspelt one would have no effect. */
export function unknownOption(name: string, known: readonly string[]): Issue {
  return { path: `options.${name}`, message: `unknown option (known: ${known.join(', ')})` };
}

/** Adds to `issues` what is wrong with the options of a call. A misspelt option is wrong too: a lost key could be a second charge. */
export function checkCallOptions(options: unknown, issues: Issue[]): CallOptions {
  if (options === undefined) return none;
  if (!isRecord(options)) {
    issues.push({ path: 'options', message: 'must be an object' });
    return none;
  }
  // Each is read once: what was checked is what is used, whatever the caller does to the object later.
  const given = readFields(options, callOptionNames);
  if (given === undefined) {
    issues.push({ path: 'options', message: unreadable });
    return none;
  }
  for (const name of given.unknown) issues.push(unknownOption(name, callOptionNames));
  const { idempotencyKey, timeout, maxRetries, signal, headers, auth, extraBody, onUploadProgress } =
    given.fields;
  if (idempotencyKey !== undefined && idempotencyKey !== null) {
    const problem = keyProblem(idempotencyKey);
    if (problem !== undefined) issues.push({ path: 'options.idempotencyKey', message: problem });
  }
  if (timeout !== undefined && !isTimeout(timeout))
    issues.push({ path: 'options.timeout', message: timeoutRule });
  if (maxRetries !== undefined && !isRetryCount(maxRetries)) {
    issues.push({ path: 'options.maxRetries', message: retryRule });
  }
  if (signal !== undefined && !isSignal(signal)) issues.push({ path: 'options.signal', message: signalRule });
  if (extraBody !== undefined && !isRecord(extraBody)) {
    issues.push({ path: 'options.extraBody', message: 'must be an object' });
  }
  if (auth !== undefined && auth !== 'headers' && auth !== 'oauth')
    issues.push({ path: 'options.auth', message: "must be 'headers' or 'oauth'" });
  if (onUploadProgress !== undefined && typeof onUploadProgress !== 'function')
    issues.push({ path: 'options.onUploadProgress', message: 'must be a function' });
  const read: Record<string, unknown> = {
    idempotencyKey,
    timeout,
    maxRetries,
    signal,
    headers: headers === undefined ? undefined : readHeaders(headers, issues),
    auth,
    extraBody,
    onUploadProgress,
  };
  const checked: Record<string, unknown> = Object.create(null);
  for (const name of callOptionNames) if (read[name] !== undefined) checked[name] = read[name];
  return checked;
}

const none: CallOptions = Object.freeze(Object.create(null));

export const signalRule = 'must be an AbortSignal';

/** By shape, because a signal may come from another realm or a polyfill. */
export function isSignal(value: unknown): value is AbortSignal {
  try {
    return (
      isRecord(value) &&
      typeof value.aborted === 'boolean' &&
      typeof value.addEventListener === 'function' &&
      typeof value.removeEventListener === 'function'
    );
  } catch {
    return false;
  }
}
