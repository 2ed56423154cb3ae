import type { FormValue } from '../../contract/forms.js';
import { limits, type RateLimitGroup } from '../../contract/limits.js';
import type { Replay } from '../../contract/operation.js';
import { type Issue, ValidationError } from '../../errors/usage.js';
import { isRecord, readFields, unreadable } from '../../input/record.js';
import type { Transport } from '../transport.js';
import type { CallOptions } from './call-options.js';
import type { Trip } from './prepare-call.js';
import type { Schema } from './schema-issues.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A call that `platform.request` carries. */
export interface RequestInput {
  method: (typeof methods)[number];
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

const known = ['method', 'path', 'query', 'body', 'multipart', 'response', 'replay', 'rateLimit'] as const;
const natural = new Set<unknown>(['GET', 'HEAD', 'PUT', 'DELETE']);

/** The input, each of its fields read once, with what is wrong with it added to `issues`. */
function readInput(given: unknown, issues: Issue[]): RequestInput {
  const read = isRecord(given) ? readFields(given, known) : undefined;
  if (read === undefined) {
    const message = isRecord(given) ? unreadable : 'must be an object with method and path';
    issues.push({ path: '', message });
    return {} as RequestInput;
  }
  for (const name of read.unknown)
    issues.push({ path: name, message: `unknown field of a request (known: ${known.join(', ')})` });
  const { method, body, multipart, response, replay, rateLimit } = read.fields;
  if (!methods.some((one) => one === method))
    issues.push({ path: 'method', message: `must be one of ${methods.join(', ')}` });
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    issues.push({ path: 'body', message: `is not sent with ${method}` });
  if (multipart !== undefined) {
    if (!isRecord(multipart)) issues.push({ path: 'multipart', message: 'must be an object of form fields' });
    if (body !== undefined) issues.push({ path: 'multipart', message: 'is sent instead of body: give one' });
    if (method === 'GET' || method === 'HEAD')
      issues.push({ path: 'multipart', message: `is not sent with ${method}` });
  }
  if (
    response !== undefined &&
    !['json', 'file', 'none'].includes(response as string) &&
    !isSchema(response)
  ) {
    issues.push({ path: 'response', message: "must be 'json', 'file', 'none' or a zod schema" });
  }
  if (replay !== undefined && !['natural', 'keyed', 'never'].includes(replay as string)) {
    issues.push({ path: 'replay', message: "must be 'natural', 'keyed' or 'never'" });
  }
  if (rateLimit !== undefined && !Object.hasOwn(limits.requestsPerMinute, rateLimit as string)) {
    const groups = Object.keys(limits.requestsPerMinute).join(', ');
    issues.push({ path: 'rateLimit', message: `must be one of ${groups}` });
  }
  return read.fields as unknown as RequestInput;
}

function isSchema(value: unknown): value is Schema {
  try {
    return isRecord(value) && typeof value.safeParse === 'function';
  } catch {
    return false;
  }
}

/** Carries a call that no resource has a method for. */
export async function request<Result extends object>(
  transport: Transport,
  input: RequestInput,
  options: CallOptions | undefined,
): Promise<Result> {
  const issues: Issue[] = [];
  const { method, path, query, body, multipart, replay, rateLimit, ...rest } = readInput(input, issues);
  if (issues.length > 0) throw new ValidationError('request', issues);
  const { response = method === 'HEAD' ? 'none' : 'json' } = rest;
  const trip: Trip = {
    id: 'request',
    method,
    path,
    pathIsGiven: true,
    encoding: multipart !== undefined ? 'multipart' : body === undefined ? 'none' : 'json',
    idempotencyKey: replay === 'keyed' ? 'optional' : 'none',
    replay: replay ?? (natural.has(method) ? 'natural' : 'never'),
    conflict: 'unspecified',
    response,
    ...(rateLimit !== undefined && { rateLimit }),
  };
  const content = multipart === undefined ? { body } : { form: multipart };
  return transport.request<Result>(trip, { query, ...content }, options, replay === 'never');
}
