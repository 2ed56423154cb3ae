import type { Issue } from '../../input/issue.js';
import { Read } from '../../input/read.js';
import { isRecord, unreadable } from '../../input/record.js';
import { version } from '../../version.js';
import type { Settings } from '../settings.js';
import { type Form, formOf, readForm } from '../upload/form.js';
import { type CallOptions, readCallOptions } from './call-options.js';
import type { CallSpec } from './call-spec.js';
import { fixKey, keyIssues } from './idempotency-key.js';
import { fillPath, queryString, readPath } from './path.js';
import { snapshot } from './snapshot.js';

export const userAgent = `payment-platform/${version}`;

/** What a call is made of, beside its options. */
export interface CallArguments {
  /** Values for the braces of the path. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Fields of a form, files among them, instead of a body. */
  readonly form?: unknown;
  /** What is wrong with the arguments beyond what the operation says. */
  readonly issues?: readonly Issue[];
  /** Asked when everything else is right, before anything of this call is sent, with the milliseconds left. What it throws ends the call. */
  readonly confirm?: ((remaining: number) => Promise<void>) | undefined;
  /** The call repeats an earlier one that may have been executed: no refusal proves that nothing was. */
  readonly resumes?: boolean;
}

/** One call as it travels: every attempt sends exactly this. Nothing in it changes. */
export interface PreparedCall {
  readonly spec: CallSpec;
  /** Path and query, after the base address. */
  readonly target: string;
  /** Without the authorisation. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text of the body, or the form that gives the same bytes each time. */
  readonly content: string | Form | undefined;
  /** Under the names of the SDK. */
  readonly query: unknown;
  /** Under the names of the SDK. */
  readonly body: unknown;
  readonly key: string | undefined;
  /** The key that the caller gave, where it is one. */
  readonly givenKey: string | undefined;
  readonly auth: 'headers' | 'oauth';
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly maxRetries: number;
  /** Whether sending it twice is harmless. */
  readonly repeatable: boolean;
  /** Whether an earlier call with this key may have been executed. */
  readonly resumes: boolean;
  readonly confirm: CallArguments['confirm'];
  /** What is wrong with it, as far as it shows without the schemas. */
  readonly issues: readonly Issue[];
}

/**
 * Takes the caller's arguments before anything can be awaited, so that no later change gets in, and makes
 * of them what is sent.
 */
export function prepareCall(
  spec: CallSpec,
  args: CallArguments,
  givenOptions: unknown,
  settings: Settings,
): PreparedCall {
  // What was not given is found on no prototype.
  const own = <Name extends keyof CallArguments>(name: Name): CallArguments[Name] | undefined =>
    Object.hasOwn(args, name) ? args[name] : undefined;
  const { value: options = {}, issues: optionIssues } = readCallOptions(givenOptions);
  const { names } = settings;
  const path = spec.pathIsGiven
    ? readPath(spec.path)
    : fillPath(spec.path, spec.params ?? {}, own('params') ?? {});
  const query = readQuery(own('query'));
  const search = queryString(names.toWire(spec.fields?.query, query.value));
  const given = readBody(spec, own('body'), own('form'), options.extraBody);
  const body = inForm(given.value, spec.normal);
  const issues = [
    ...(own('issues') ?? []),
    ...optionIssues,
    ...query.issues,
    ...given.issues,
    ...path.issues,
    ...search.issues,
    ...misplaced(spec, body, options),
    ...keyIssues(spec, options.idempotencyKey),
  ];
  const key = fixKey(spec, options.idempotencyKey);
  // Bytes that were given by mistake would cost their size to write down.
  const content =
    issues.length > 0 ? undefined : contentOf(spec, names.toWire(spec.fields?.request, body), options);
  return {
    spec,
    target: `${path.value}${search.value}`,
    headers: headersOf(spec, content, key, options),
    content,
    query: query.value,
    body,
    key,
    givenKey: options.idempotencyKey ?? undefined,
    auth: options.auth ?? settings.auth,
    timeout: options.timeout ?? settings.timeout,
    signal: options.signal,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    repeatable: spec.replay === 'natural' || (spec.replay === 'keyed' && key !== undefined),
    resumes: own('resumes') ?? false,
    confirm: own('confirm'),
    issues,
  };
}

/** Of a query, and of a list in it. */
const mostEntries = 1_000;

/** A query has names, and lists of values at most: the values are looked at when it is written. */
function readQuery(query: unknown): Read<unknown> {
  if (!isRecord(query)) return new Read(query);
  const copy: Record<string, unknown> = {};
  const issues: Issue[] = [];
  try {
    const names = Object.keys(query);
    if (names.length > mostEntries)
      issues.push({ path: 'query', message: `has more than ${mostEntries} names` });
    for (const name of names.slice(0, mostEntries)) {
      const value = query[name];
      const isLong = Array.isArray(value) && value.length > mostEntries;
      if (isLong) issues.push({ path: `query.${name}`, message: `has more than ${mostEntries} entries` });
      else copy[name] = Array.isArray(value) ? [...value] : value;
    }
    return new Read<unknown>(copy, issues);
  } catch {
    return new Read<unknown>(undefined, [{ path: '', message: unreadable }]);
  }
}

/** A copy of the body or the form, with the fields of `extraBody` in it. */
function readBody(spec: CallSpec, body: unknown, form: unknown, extra: unknown): Read<unknown> {
  if (spec.encoding === 'multipart') return readForm(form, extra, spec.files);
  const copied = snapshot(body);
  if (extra === undefined) return copied;
  const copiedExtra = snapshot(extra);
  return new Read(merged(copied.value, copiedExtra.value), [...copied.issues, ...copiedExtra.issues]);
}

function merged(body: unknown, extra: unknown): unknown {
  return isRecord(body) && isRecord(extra) ? { ...body, ...extra } : body;
}

/** Texts in the form that the API document gives. */
function inForm(body: unknown, normal: CallSpec['normal']): unknown {
  if (normal === undefined || !isRecord(body)) return body;
  const texts = Object.entries(normal).flatMap(([name, write]) => {
    const value = body[name];
    return typeof value === 'string' ? [[name, write(value)] as const] : [];
  });
  return { ...body, ...Object.fromEntries(texts) };
}

/** What was given in the wrong place. */
function misplaced(spec: CallSpec, body: unknown, { extraBody }: CallOptions): Issue[] {
  const issues: Issue[] = [];
  if (extraBody !== undefined && (spec.encoding === 'none' || !isRecord(body)))
    issues.push({ path: 'options.extraBody', message: 'has no object to go into' });
  if (spec.idempotencyKey !== 'none' && isRecord(body) && body.idempotencyKey !== undefined) {
    const message = 'is an option, not a field: pass it in the argument after this one';
    issues.push({ path: 'idempotencyKey', message });
  }
  return issues;
}

function contentOf(
  { encoding }: CallSpec,
  wire: unknown,
  { onUploadProgress }: CallOptions,
): PreparedCall['content'] {
  if (encoding === 'none') return undefined;
  return encoding === 'multipart' ? formOf(wire, onUploadProgress) : JSON.stringify(wire);
}

function headersOf(
  { result }: CallSpec,
  content: PreparedCall['content'],
  key: string | undefined,
  options: CallOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: result === 'file' ? 'application/pdf, application/json' : 'application/json',
    'user-agent': userAgent,
    ...options.headers,
  };
  if (typeof content === 'string') headers['content-type'] = 'application/json';
  if (key !== undefined) headers['x-idempotency-key'] = key;
  return headers;
}
