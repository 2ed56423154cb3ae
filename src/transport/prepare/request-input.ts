import type { FormValue } from '../../contract/forms.js';
import { operations } from '../../contract/index.js';
import { limits, type RateLimitGroup } from '../../contract/limits.js';
import { matchesPath, type Operation, type Replay } from '../../contract/operation.js';
import type { Schema } from '../../contract/schema-drift.js';
import { ValidationError } from '../../errors/usage.js';
import type { Issue } from '../../validation/issue.js';
import {
  type Accepted,
  anything,
  type OptionReaders,
  objectReader,
  oneOf,
  readOptions,
  required,
  validIf,
} from '../../validation/options.js';
import { isRecord } from '../../validation/record.js';
import type { CallSchemas, CallSpec } from '../call/call-spec.js';
import type { CallArguments } from './prepare-call.js';

/** The input of `platform.request`. */
export interface RequestInput {
  /** The HTTP method, in capitals. GET and HEAD cannot have a body. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The complete path after the base address, such as `/v1/certificates`. */
  path: string;
  /**
   * Query parameters. For a list, the SDK repeats the parameter's name. The SDK leaves out undefined values.
   */
  query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The body, which the SDK sends as JSON. Pass the object or the array itself, not the result of
   * `JSON.stringify`.
   */
  body?: unknown;
  /**
   * The fields of a multipart form, instead of `body`. A field can be a string, a value that the SDK converts
   * to a string, an object that it converts to JSON, or a file (bytes, a Blob, a stream, a `file:` URL, or
   * `{ content, filename, contentType }`). The SDK never reads a string as a file path.
   */
  multipart?: Readonly<Record<string, FormValue>> | undefined;
  /**
   * The expected response. `json` (default, except for HEAD) returns an object or a list, or an empty object
   * for a 204. `file` returns `{ bytes, contentType }`. `none` ignores the body and returns an empty object.
   * You can also pass a schema for an object, such as a zod schema. If an object does not match it, the SDK calls
   * the `onDrift` hook and returns the response unchanged.
   */
  response?: 'json' | 'file' | 'none' | Schema | undefined;
  /**
   * Whether the call can be sent twice without harm. An endpoint of the API docs has its own rule, which
   * only `never` changes. Default for other endpoints: `natural` for GET, HEAD, PUT and DELETE, otherwise
   * `never`. With `keyed`, the SDK sends your idempotency key, or a generated UUID v4.
   */
  replay?: Replay | undefined;
  /**
   * For the `rateLimit` client option: the rate limit that the call counts towards. Fee and bank account
   * updates belong to `submerchants`.
   */
  rateLimit?: RateLimitGroup | undefined;
}

const resultKinds: readonly unknown[] = ['json', 'file', 'none'];

const isSchema = (value: unknown): value is Schema =>
  isRecord(value) && typeof value.safeParse === 'function';

const methods = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE');

const optionReaders: OptionReaders<RequestInput> = {
  method: required(methods, 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE'),
  // The fields that use `anything` are checked when the call is prepared.
  path: anything(),
  query: anything(),
  body: validIf(
    (value) => typeof value !== 'string',
    'is a string, and would be encoded as JSON a second time. Pass the object or the array itself',
  ),
  multipart: objectReader(),
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

interface RequestCall {
  readonly spec: CallSpec;
  readonly args: CallArguments;
  readonly shapes: CallSchemas;
}

const idempotentMethods = new Set<unknown>(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * If the method and path match an operation of the contract, the operation's policy for retries and keys
 * applies. Of the caller's policies, only `replay: 'never'` takes precedence.
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
    isCallerPath: true,
    encoding: multipart !== undefined ? 'multipart' : body === undefined ? 'none' : 'json',
    idempotencyKey: replay === 'keyed' ? 'optional' : 'none',
    replay: replay ?? (idempotentMethods.has(method) ? 'natural' : 'never'),
    result: isOwnSchema ? 'object' : response,
    ...(rateLimit !== undefined && { rateLimit }),
  };
  return {
    spec: { ...spec, ...readPolicy(operation), ...(replay === 'never' && { replay }) },
    args: { query, ...(multipart === undefined ? { body } : { form: multipart }) },
    shapes: { query: undefined, request: undefined, response: isOwnSchema ? response : undefined },
  };
}

/**
 * Also matches other spellings that a server may accept: encoded characters, a trailing slash, parameters
 * after a semicolon, and another case.
 */
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
    // The path is malformed, so it matches no operation.
    return '';
  }
}

function readPolicy(operation: Operation | undefined): Partial<CallSpec> {
  if (operation === undefined) return {};
  const { path, replay, repeatedKeyGets, idempotencyKey, rateLimit, adviceIfUnknown, echoes, errors } =
    operation;
  return {
    template: path,
    replay,
    idempotencyKey,
    ...(repeatedKeyGets !== undefined && { repeatedKeyGets }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(adviceIfUnknown !== undefined && { adviceIfUnknown }),
    ...(echoes !== undefined && { echoes }),
    ...(errors !== undefined && { errors }),
  };
}
