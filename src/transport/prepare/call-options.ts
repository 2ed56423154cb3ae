import { type Issue, Parsed, prefixIssues } from '../../validation/issue.js';
import {
  functionReader,
  invalidIf,
  type OptionReaders,
  objectReader,
  oneOf,
  readOptions,
  validIf,
} from '../../validation/options.js';
import { isRecord, objectProblem } from '../../validation/record.js';
import { longestTimer } from '../../validation/time-limit.js';
import type { UploadProgress } from '../upload/form.js';
import { keyProblem } from './idempotency-key.js';

/** The options that most methods accept. */
export interface CallOptions {
  /**
   * The idempotency key: 1 to 255 visible ASCII characters, optionally with spaces between them. If the
   * operation accepts a key and you leave this option out, the SDK generates a UUID v4. With `null`, the SDK
   * sends a payment without a key, so every request creates a new charge. The SDK rejects `undefined`: your value is probably
   * missing, so a second call would charge the customer again.
   */
  idempotencyKey?: string | null;
  /** The time limit for the whole call, in milliseconds. Default: the client's `timeout`. */
  timeout?: number | undefined;
  /**
   * The maximum number of retries of this call, counted as in the client options. Default: the client's
   * `maxRetries`.
   */
  maxRetries?: number | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /**
   * Additional request headers. You cannot set credentials, the idempotency key, or the headers that frame
   * the body.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** How this call is authorised. Default: the client's `auth`. */
  auth?: 'headers' | 'oauth' | 'both' | undefined;
  /**
   * In multipart calls only, the SDK calls this function with the upload's progress in bytes. The function's
   * results and errors do not affect the call. If fetch cannot stream the form, as in browsers and with your own
   * `fetch`, the SDK calls the function once per attempt, when the response arrives.
   */
  onUploadProgress?: ((progress: UploadProgress) => unknown) | undefined;
  /** Additional body fields that this version of the package does not know. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

const isTimeout = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= longestTimer;

const isRetryCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10;

export const timeout = validIf<number>(
  isTimeout,
  `must be a number of milliseconds above 0 and at most ${longestTimer}`,
);

export const maxRetries = validIf<number>(isRetryCount, 'must be an integer from 0 to 10');

/** Checks for an AbortSignal by its members, because a signal can come from another realm or a polyfill. */
const isSignal = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.aborted === 'boolean' &&
  typeof value.addEventListener === 'function' &&
  typeof value.removeEventListener === 'function';

export const signal = validIf<AbortSignal>(isSignal, 'must be an AbortSignal, such as controller.signal');

export const auth = oneOf('headers', 'oauth', 'both');

export const idempotencyKey = invalidIf<string>(keyProblem);

const reservedHeaders = new Set([
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

/** Typical servers allow no more. */
const maxHeaders = 100;
const maxHeaderLength = 8_192;
const isTooLong = (value: unknown) => typeof value === 'string' && value.length > maxHeaderLength;

/** Names become lower case, so that no header is sent twice. */
function readHeaders(input: unknown): Parsed<Record<string, string>> {
  const reject = (message: string) => new Parsed<never>(undefined, [{ path: '', message }]);
  // A Headers object or a Map is rejected, because its entries are not own properties.
  if (objectProblem(input) !== undefined) return reject('must be a plain object of strings');
  const entries = Object.entries(input as object);
  if (entries.length > maxHeaders || entries.some(([, value]) => isTooLong(value)))
    return reject(`must be at most ${maxHeaders} headers of ${maxHeaderLength} characters`);
  const headers: Record<string, string> = Object.create(null);
  const issues: Issue[] = [];
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!headerName.test(name)) issues.push({ path: '', message: 'has an invalid header name' });
    else if (reservedHeaders.has(lower)) {
      const instead = lower === 'x-idempotency-key' ? '. Use the option idempotencyKey' : '';
      issues.push({ path: name, message: `is set by the SDK${instead}` });
    } else if (typeof value !== 'string' || !headerValue.test(value)) {
      issues.push({ path: name, message: 'must be a string of printable ASCII characters' });
    } else headers[lower] = value;
  }
  return new Parsed(headers, issues);
}

export const headers = { read: readHeaders };

export const extraBody = objectReader<Readonly<Record<string, unknown>>>();

export const callOptionReaders: OptionReaders<CallOptions> = {
  idempotencyKey: invalidIf<string | null>((key) => (key === null ? undefined : keyProblem(key))),
  timeout,
  maxRetries,
  signal,
  headers,
  auth,
  extraBody,
  onUploadProgress: functionReader(),
};

export function readCallOptions(input: unknown): Parsed<CallOptions> {
  if (typeof input === 'string')
    return new Parsed<CallOptions>(undefined, [
      { path: 'options', message: "must be an object, such as { idempotencyKey: 'order-1042' }" },
    ]);
  const { value, issues } = readOptions(input, callOptionReaders);
  // The cast is safe, because `value` does not contain missing options.
  return new Parsed(value as CallOptions, prefixIssues('options', issues));
}
