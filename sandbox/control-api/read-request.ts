import { inspect } from '#sandbox-runtime';
import { type Issue, prefixIssues } from '../../src/validation/issue.js';
import { type OptionReader, readOptions } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import { largestText } from '../defaults/requests.js';
import { parseBody } from '../http/parse-body.js';
import { mediaType, receive } from '../http/receive-body.js';
import { contentTypes } from '../http/request-body.js';
import { createProblem, firstProblems } from '../http/responses.js';
import type { AnyAction } from './action.js';
import type { Field, Fields } from './fields.js';

export type Reading<Value> = { readonly value: Value } | { readonly rejection: Response };

const reject = (status: number, code: string, message: string, issues: readonly Issue[] = []) => ({
  rejection: createProblem(status, code, message, issues),
});

/** An empty body becomes an empty object. */
export async function readJsonBody(
  { headers }: Request,
  stream: AsyncIterable<Uint8Array>,
): Promise<Reading<unknown>> {
  // Requires JSON, because a page of another origin can send a form without permission, but not JSON.
  if (headers.has('content-type') && mediaType(headers) !== contentTypes.json) {
    return reject(415, 'unsupported_media_type', 'The content-type must be application/json.');
  }
  const received = await receive(headers, stream, { most: largestText, kept: largestText });
  if (received === 'too-large') {
    return reject(413, 'body_too_large', `The body is larger than ${largestText} bytes.`);
  }
  const { bytes } = received;
  if (bytes === undefined || bytes.length === 0) return { value: {} };
  if (!headers.has('content-type')) {
    return reject(415, 'unsupported_media_type', 'A body needs the content-type application/json.');
  }
  const { value, problem } = await parseBody(headers, bytes);
  return problem === undefined ? { value } : reject(400, 'invalid_request', problem);
}

export function readBodyFields({ body = {} }: AnyAction, input: unknown): Reading<object> {
  const { value, issues } = readOptions(input, toFieldReaders(body), 'field');
  if (value !== undefined && issues.length === 0) return { value: { ...value } };
  const named = withValues(issues, input);
  return reject(400, 'invalid_request', `The body is invalid: ${firstProblems(named)}`, named);
}

export function readQuery({ query = {} }: AnyAction, input: URLSearchParams): Reading<object> {
  const names = [...input.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const values: [string, unknown][] = Array.from(input, ([name, text]) => [
    name,
    Object.hasOwn(query, name) ? fromQueryText(query[name], text) : text,
  ]);
  const read = readOptions(Object.fromEntries(values), toFieldReaders(query), 'parameter');
  const issues = [
    ...prefixIssues('query', withValues(read.issues, Object.fromEntries(values))),
    ...Array.from(new Set(repeated), (name) => ({
      path: `query.${name.slice(0, 40)}`,
      message: 'is sent more than once',
    })),
  ];
  if (read.value !== undefined && issues.length === 0) return { value: { ...read.value } };
  return reject(400, 'invalid_request', `The query is invalid: ${firstProblems(issues)}`, issues);
}

function fromQueryText(field: Field | undefined, text: string): unknown {
  if (field?.schema.type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return field?.schema.type === 'integer' && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
}

const toFieldReaders = (fields: Fields): Record<string, OptionReader<unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { reader, isRequired }]) => [
      name,
      isRequired ? { ...reader, missing: reader.missing ?? 'is required' } : reader,
    ]),
  );

/** The values of these options are never shown. */
const secretName = /secret|token|key|pem|credential/i;

/** In characters. */
const longest = 60;

/** Turns a message into `must be a time, not 'ontem'`. Leaves out secrets and objects. */
function withValues(issues: readonly Issue[], input: unknown): Issue[] {
  return issues.map(({ path, message }) => {
    const value = valueAt(input, path);
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const isShown = isPlain && !secretName.test(path) && /^must /.test(message) && !/, not /.test(message);
    return { path, message: isShown ? `${message}, not ${inspect(shortened(value))}` : message };
  });
}

const shortened = (value: string | number | boolean) =>
  typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;

function valueAt(input: unknown, path: string): unknown {
  try {
    return path.split('.').reduce<unknown>((value, name) => {
      const holder = Array.isArray(value) || isRecord(value) ? (value as Record<string, unknown>) : {};
      return Object.hasOwn(holder, name) ? holder[name] : undefined;
    }, input);
  } catch {
    return undefined;
  }
}
