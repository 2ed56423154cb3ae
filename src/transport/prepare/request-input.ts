import type { FormValue } from '../../contract/forms.js';
import { operations } from '../../contract/index.js';
import { limits, type RateLimitGroup } from '../../contract/limits.js';
import type { Operation, Replay } from '../../contract/operation.js';
import { ValidationError } from '../../errors/usage.js';
import type { Issue } from '../../input/issue.js';
import {
  type Accepted,
  anything,
  oneOf,
  type Readers,
  readOptions,
  required,
  that,
} from '../../input/options.js';
import { isRecord } from '../../input/record.js';
import type { CallSpec } from './call-spec.js';
import type { CallArguments } from './prepare-call.js';
import type { Schema } from './schema-issues.js';
import type { CallSchemas } from './schemas.js';

/** A call that `platform.request` carries. */
export interface RequestInput {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After the base address, filled in: `/v1/certificates`. */
  path: string;
  /** A list repeats its name; undefined values are left out. */
  query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /**
   * Sent as a form instead: text, values that are sent as text, objects that are sent as JSON, and files
   * (bytes, a Blob, a stream, a `file:` URL, or `{ content, filename, contentType }`). Text is text here, not a path.
   */
  multipart?: Readonly<Record<string, FormValue>> | undefined;
  /**
   * What is expected: `json` (an object or a list, or an empty object for a 204; the default), `file` (`{ bytes, contentType }`),
   * `none` (whatever the body, an empty object results), or a schema (of zod, say): where the answer departs
   * from it `onDrift` is told, and the data is delivered as it came.
   */
  response?: 'json' | 'file' | 'none' | Schema | undefined;
  /**
   * When sending it twice is harmless. Default: `natural` for GET, HEAD, PUT and DELETE, else `never`.
   * With `keyed` a key is sent: yours, or a UUID.
   */
  replay?: Replay | undefined;
  /** The limit that it counts towards, for the client option `rateLimit`: updates of fees and of the bank account are `submerchants`. */
  rateLimit?: RateLimitGroup | undefined;
}

const kinds: readonly unknown[] = ['json', 'file', 'none'];

const isSchema = (value: unknown): value is Schema =>
  isRecord(value) && typeof value.safeParse === 'function';

const methods = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE');

const readers: Readers<RequestInput> = {
  method: required(methods, 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE'),
  // Looked at with the call.
  path: anything(),
  query: anything(),
  body: anything(),
  multipart: that(isRecord, 'must be an object of form fields'),
  response: that(
    (value) => kinds.includes(value) || isSchema(value),
    "must be 'json', 'file', 'none' or a zod schema",
  ),
  replay: oneOf('natural', 'keyed', 'never'),
  rateLimit: that(
    (value) => Object.hasOwn(limits.requestsPerMinute, value as string),
    `must be one of ${Object.keys(limits.requestsPerMinute).join(', ')}`,
  ),
};

/** What does not go together. */
function combinationIssues({ method, body, multipart }: Accepted<typeof readers>): Issue[] {
  const issues: Issue[] = [];
  const hasNoBody = method === 'GET' || method === 'HEAD';
  if (hasNoBody && body !== undefined) issues.push({ path: 'body', message: `is not sent with ${method}` });
  if (multipart === undefined) return issues;
  if (body !== undefined) issues.push({ path: 'multipart', message: 'is sent instead of body: give one' });
  if (hasNoBody) issues.push({ path: 'multipart', message: `is not sent with ${method}` });
  return issues;
}

/** A call that the caller described. */
interface RequestCall {
  readonly spec: CallSpec;
  readonly args: CallArguments;
  readonly schemas: CallSchemas;
}

const natural = new Set<unknown>(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Describes a call as the contract would. Where it is an operation of the contract, its policy holds, but for
 * a `replay: 'never'`.
 *
 * @throws ValidationError
 */
export function requestCall(given: unknown): RequestCall {
  const { value = {}, issues } = readOptions(given, readers, 'field of a request');
  const problems = [...issues, ...combinationIssues(value)];
  if (problems.length > 0) throw new ValidationError('request', problems);
  const { method = 'GET', path = '', query, body, multipart, replay, rateLimit } = value;
  const { response = method === 'HEAD' ? 'none' : 'json' } = value;
  const isOwnSchema = typeof response === 'object';
  const spec: CallSpec = {
    id: 'request',
    method,
    path,
    pathIsGiven: true,
    encoding: multipart !== undefined ? 'multipart' : body === undefined ? 'none' : 'json',
    idempotencyKey: replay === 'keyed' ? 'optional' : 'none',
    replay: replay ?? (natural.has(method) ? 'natural' : 'never'),
    result: isOwnSchema ? 'object' : response,
    ...(rateLimit !== undefined && { rateLimit }),
  };
  return {
    spec: { ...spec, ...policyOf(knownOperation(method, path)), ...(replay === 'never' && { replay }) },
    args: { query, ...(multipart === undefined ? { body } : { form: multipart }) },
    schemas: isOwnSchema ? { response } : {},
  };
}

function knownOperation(method: string, path: unknown): Operation | undefined {
  const same = operations.filter((operation) => operation.method === method);
  return (
    same.find((operation) => operation.path === path) ?? same.find((operation) => fits(operation.path, path))
  );
}

/** Whether a path that was written out is one of a template. */
function fits(template: string, path: unknown): boolean {
  const pattern = template.replace(/\{\w+\}/g, '[^/]+');
  return typeof path === 'string' && new RegExp(`^${pattern}$`).test(path);
}

/** What a call means, whoever wrote it out. */
function policyOf(operation: Operation | undefined): Partial<CallSpec> {
  if (operation === undefined) return {};
  const { replay, sameKey, idempotencyKey, rateLimit, secrets, onUnknown } = operation;
  return {
    replay,
    idempotencyKey,
    ...(sameKey !== undefined && { sameKey }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(secrets !== undefined && { secrets }),
    ...(onUnknown !== undefined && { onUnknown }),
  };
}
