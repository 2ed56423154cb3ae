import type { FormValue } from '../../contract/forms.js';
import { operations } from '../../contract/index.js';
import { limits, type RateLimitGroup } from '../../contract/limits.js';
import { matchesPath, type Operation, type Replay } from '../../contract/operation.js';
import type { Schema } from '../../contract/schema-drift.js';
import { ValidationError } from '../../errors/usage.js';
import type { Issue } from '../../validation/issue.js';
import {
  type Accepted,
  anObject,
  anything,
  type OptionReaders,
  oneOf,
  readOptions,
  required,
  validIf,
} from '../../validation/options.js';
import { isRecord } from '../../validation/record.js';
import type { CallSchemas, CallSpec } from '../call/call-spec.js';
import type { CallArguments } from './prepare-call.js';

/** The call that `platform.request` makes. */
export interface RequestInput {
  /** The HTTP method, in capitals. GET and HEAD take no body. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The complete path after the base address: `/v1/certificates`. */
  path: string;
  /** Query parameters. A list repeats its name; undefined values are left out. */
  query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /**
   * Sent as a multipart form, instead of `body`: text, values that are sent as text, objects that are sent
   * as JSON, and files (bytes, a Blob, a stream, a `file:` URL, or `{ content, filename, contentType }`).
   * A text is sent as text: it is not read as the path of a file.
   */
  multipart?: Readonly<Record<string, FormValue>> | undefined;
  /**
   * The expected response. `json` is the default, except for HEAD: an object, a list, or an empty object for a 204.
   * `file` returns `{ bytes, contentType }`. `none` ignores the body and returns an empty object. With a schema, of
   * zod for example, a response that does not match calls the hook `onDrift` and is returned unchanged.
   */
  response?: 'json' | 'file' | 'none' | Schema | undefined;
  /**
   * When it is harmless to send the call twice. Default: `natural` for GET, HEAD, PUT and DELETE, else
   * `never`. With `keyed` an idempotency key is sent: yours, or a generated UUID v4.
   */
  replay?: Replay | undefined;
  /** The rate limit that the call counts towards, for the client option `rateLimit`: updates of fees and of the bank account are `submerchants`. */
  rateLimit?: RateLimitGroup | undefined;
}

const resultKinds: readonly unknown[] = ['json', 'file', 'none'];

const isSchema = (value: unknown): value is Schema =>
  isRecord(value) && typeof value.safeParse === 'function';

const methods = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE');

const optionReaders: OptionReaders<RequestInput> = {
  method: required(methods, 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE'),
  // These are checked when the call is prepared.
  path: anything(),
  query: anything(),
  body: anything(),
  multipart: anObject(),
  response: validIf(
    (value) => resultKinds.includes(value) || isSchema(value),
    "must be 'json', 'file', 'none' or a zod schema",
  ),
  replay: oneOf('natural', 'keyed', 'never'),
  rateLimit: validIf(
    (value) => Object.hasOwn(limits.requestsPerMinute, value as string),
    `must be one of ${Object.keys(limits.requestsPerMinute).join(', ')}`,
  ),
};

/** Issues for fields that cannot be combined. */
function combinationIssues({ method, body, multipart }: Accepted<typeof optionReaders>): Issue[] {
  const issues: Issue[] = [];
  const hasNoBody = method === 'GET' || method === 'HEAD';
  if (hasNoBody && body !== undefined) issues.push({ path: 'body', message: `is not sent with ${method}` });
  if (multipart === undefined) return issues;
  if (body !== undefined)
    issues.push({ path: 'multipart', message: 'cannot be combined with body. Pass one of them' });
  if (hasNoBody) issues.push({ path: 'multipart', message: `is not sent with ${method}` });
  return issues;
}

/** A call that was described by a `RequestInput`. */
interface RequestCall {
  readonly spec: CallSpec;
  readonly args: CallArguments;
  readonly shapes: CallSchemas;
}

const idempotentMethods = new Set<unknown>(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Describes a call as the contract does. If method and path belong to an operation of the contract, its
 * retry and key policy applies; only a `replay: 'never'` of the caller takes precedence.
 *
 * @throws ValidationError
 */
export function requestCall(input: unknown): RequestCall {
  const { value = {}, issues } = readOptions(input, optionReaders, 'field of a request');
  const problems = [...issues, ...combinationIssues(value)];
  if (problems.length > 0) throw new ValidationError('request', problems);
  const { method = 'GET', path = '', query, body, multipart, replay, rateLimit } = value;
  const { response = method === 'HEAD' ? 'none' : 'json' } = value;
  const isOwnSchema = typeof response === 'object';
  const operation = knownOperation(method, path);
  if (operation?.idempotencyKey === 'none' && replay === 'keyed')
    throw new ValidationError('request', [
      { path: 'replay', message: `cannot be 'keyed': ${operation.id} takes no idempotency key` },
    ]);
  const spec: CallSpec = {
    id: 'request',
    method,
    path,
    pathIsGiven: true,
    encoding: multipart !== undefined ? 'multipart' : body === undefined ? 'none' : 'json',
    idempotencyKey: replay === 'keyed' ? 'optional' : 'none',
    replay: replay ?? (idempotentMethods.has(method) ? 'natural' : 'never'),
    result: isOwnSchema ? 'object' : response,
    ...(rateLimit !== undefined && { rateLimit }),
  };
  return {
    // Without a prototype, so that nothing is found on a changed Object.prototype.
    spec: Object.assign(Object.create(null), spec, readPolicy(operation), replay === 'never' && { replay }),
    args: { query, ...(multipart === undefined ? { body } : { form: multipart }) },
    shapes: { query: undefined, request: undefined, response: isOwnSchema ? response : undefined },
  };
}

/** The operation at a path, also if the platform would have to decode it, to drop a slash or parameters at its end, or to ignore its case. */
function knownOperation(method: string, path: unknown): Operation | undefined {
  const decoded = decodedPath(path);
  const whole = decoded.replace(/;[^/]*/g, '');
  const plain = (whole.endsWith('/') ? whole.slice(0, -1) : whole).toLowerCase();
  const sameMethod: readonly Operation[] = operations.filter((operation) => operation.method === method);
  return (
    sameMethod.find((operation) => operation.path === plain) ??
    sameMethod.find((operation) => matchesPath(operation, plain))
  );
}

function decodedPath(path: unknown): string {
  try {
    return decodeURIComponent(String(path));
  } catch {
    // No URL encoding, or nothing that can be a path: it is rejected with the call.
    return '';
  }
}

/** The parts of an operation that also apply to a `platform.request` call of the same endpoint. */
function readPolicy(operation: Operation | undefined): Partial<CallSpec> {
  if (operation === undefined) return {};
  const { path, replay, repeatedKeyGets, idempotencyKey, rateLimit, adviceIfUnknown, errors } = operation;
  return {
    template: path,
    replay,
    idempotencyKey,
    ...(repeatedKeyGets !== undefined && { repeatedKeyGets }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(adviceIfUnknown !== undefined && { adviceIfUnknown }),
    ...(errors !== undefined && { errors }),
  };
}
