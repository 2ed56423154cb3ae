import { type Issue, issuesAt } from '../../input/issue.js';
import { aFunction, anObject, oneOf, type Readers, readOptions, that, unless } from '../../input/options.js';
import { Read } from '../../input/read.js';
import { isRecord } from '../../input/record.js';
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

const isTimeout = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= longestTimer;

const isRetryCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10;

export const timeout = that<number>(
  isTimeout,
  `must be milliseconds: a number above 0 and at most ${longestTimer}`,
);

export const maxRetries = that<number>(isRetryCount, 'must be an integer from 0 to 10');

/** By shape, because a signal may come from another realm or a polyfill. */
const isSignal = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.aborted === 'boolean' &&
  typeof value.addEventListener === 'function' &&
  typeof value.removeEventListener === 'function';

export const signal = that<AbortSignal>(isSignal, 'must be an AbortSignal');

export const auth = oneOf('headers', 'oauth');

export const idempotencyKey = unless<string>(keyProblem);

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
function readHeaders(given: unknown): Read<Record<string, string>> {
  const refused = (message: string) => new Read<never>(undefined, [{ path: '', message }]);
  // Not a Headers or a Map: they have no entries of their own.
  if (!isRecord(given) || Symbol.iterator in given) return refused('must be a plain object of strings');
  const entries = entriesOf(given);
  if (entries === undefined) return refused('must be a plain object of strings');
  if (entries.length > mostHeaders || entries.some(([, value]) => isLong(value)))
    return refused(`must be at most ${mostHeaders} headers of ${longestHeader} characters`);
  const headers: Record<string, string> = Object.create(null);
  const issues: Issue[] = [];
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!headerName.test(name)) issues.push({ path: '', message: 'has a name that is no header name' });
    else if (reserved.has(lower)) {
      const instead = lower === 'x-idempotency-key' ? ': use the option idempotencyKey' : '';
      issues.push({ path: name, message: `is set by the SDK${instead}` });
    } else if (typeof value !== 'string' || !headerValue.test(value)) {
      issues.push({ path: name, message: 'must be a string of printable ASCII characters' });
    } else headers[lower] = value;
  }
  return new Read(headers, issues);
}

/** Undefined where a getter throws. */
function entriesOf(given: object): [string, unknown][] | undefined {
  try {
    return Object.entries(given);
  } catch {
    return undefined;
  }
}

export const headers = { read: readHeaders };

export const extraBody = anObject<Readonly<Record<string, unknown>>>();

/** How each option of a call is read. */
export const callReaders: Readers<CallOptions> = {
  idempotencyKey: unless<string | null>((key) => (key === null ? undefined : keyProblem(key))),
  timeout,
  maxRetries,
  signal,
  headers,
  auth,
  extraBody,
  onUploadProgress: aFunction(),
};

const none = new Read<CallOptions>(Object.freeze(Object.create(null)));

/** The options of a call, each read once, under the path `options`. */
export function readCallOptions(given: unknown): Read<CallOptions> {
  if (given === undefined) return none;
  const { value, issues } = readOptions(given, callReaders);
  return new Read(value, issuesAt('options', issues));
}
