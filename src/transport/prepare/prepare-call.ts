import type { AuthMode } from '../../auth/credentials.js';
import type { ChecksOff } from '../../contract/own-checks.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { Read } from '../../input/read.js';
import { isRecord, objectProblem, unreadable } from '../../input/record.js';
import { version } from '../../version.js';
import type { Settings } from '../settings.js';
import { buildForm, type Form, readForm } from '../upload/form.js';
import { type CallOptions, readCallOptions } from './call-options.js';
import type { CallSpec } from './call-spec.js';
import { chooseKey, keyIssues, misplacedKeys } from './idempotency-key.js';
import { fillPath, queryString, readPath } from './path.js';
import { snapshot } from './snapshot.js';

export const userAgent = `payment-platform/${version}`;

/** The arguments of a call, without its options. */
export interface CallArguments {
  /** Values for the `{parameters}` of the path. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Fields of a form, files included, instead of a body. */
  readonly form?: unknown;
  /** Issues that the resource method itself found. */
  readonly issues?: readonly Issue[];
  /** Called with the milliseconds left, after all checks have passed and before anything of this call is sent. If it throws, the call ends with that error. */
  readonly confirm?: ((remaining: number) => Promise<void>) | undefined;
  /** The call repeats an earlier one that may have been executed: a refusal does not prove that nothing was executed. */
  readonly resumes?: boolean;
}

/** One call, ready to be sent. It does not change: every attempt sends exactly this. */
export interface PreparedCall {
  readonly spec: CallSpec;
  /** Path and query, after the base address. */
  readonly target: string;
  /** Without the authorisation. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, or a form that gives the same bytes for each attempt. */
  readonly content: string | Form | undefined;
  /** With the SDK's field names. */
  readonly query: unknown;
  /** With the SDK's field names. */
  readonly body: unknown;
  readonly key: string | undefined;
  /** The key that the caller gave, if it is valid. */
  readonly givenKey: string | undefined;
  readonly auth: AuthMode;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly maxRetries: number;
  /** Whether sending it twice is harmless. */
  readonly repeatable: boolean;
  /** Whether an earlier call with this key may have been executed. */
  readonly resumes: boolean;
  readonly confirm: CallArguments['confirm'];
  /** Issues that were found without the schemas. */
  readonly issues: readonly Issue[];
}

/**
 * Copies the caller's arguments before the first await, so that later changes have no effect, and builds
 * what is sent from them.
 */
export function prepareCall(
  spec: CallSpec,
  args: CallArguments,
  givenOptions: unknown,
  settings: Settings,
): PreparedCall {
  // Own properties only: an argument that was not given must not be found on a prototype.
  const ownArgument = <Name extends keyof CallArguments>(name: Name): CallArguments[Name] | undefined =>
    Object.hasOwn(args, name) ? args[name] : undefined;
  const { value: options = {}, issues: optionIssues } = readCallOptions(givenOptions);
  const { names } = settings;
  const path = spec.pathIsGiven
    ? readPath(spec.path)
    : fillPath(spec.path, spec.params ?? {}, ownArgument('params') ?? {});
  const query = readQuery(ownArgument('query'));
  const search = queryString(names.toWire(spec.fields?.query, query.value));
  const given = readBody(
    spec,
    ownArgument('body'),
    ownArgument('form'),
    options.extraBody,
    settings.checksOff,
  );
  const body = normalized(given.value, spec.normal);
  const issues = [
    ...(ownArgument('issues') ?? []),
    ...optionIssues,
    ...query.issues,
    ...given.issues,
    ...path.issues,
    ...search.issues,
    ...misplacedArguments(spec, body, options),
    ...misplacedKeys(spec, body, { ...options, query: query.value }),
    ...keyIssues(spec, options.idempotencyKey, isGivenUndefined(givenOptions, options, optionIssues)),
  ];
  const key = chooseKey(spec, options.idempotencyKey);
  // Nothing is serialised if there are issues: bytes given by mistake could be large.
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
    resumes: ownArgument('resumes') ?? false,
    confirm: ownArgument('confirm'),
    issues,
  };
}

/** Whether the option `idempotencyKey` was given, and is undefined: a random key would be sent in its place. */
const isGivenUndefined = (
  given: unknown,
  { idempotencyKey }: CallOptions,
  issues: readonly Issue[],
): boolean =>
  idempotencyKey === undefined &&
  isRecord(given) &&
  Object.hasOwn(given, 'idempotencyKey') &&
  issues.every(({ path }) => path !== 'options.idempotencyKey');

/** Limit for the names of a query, and for the values of one name. */
const maxQueryEntries = 1_000;

/** Copies a query and the lists in it. `queryString` checks the values. */
function readQuery(query: unknown): Read<unknown> {
  if (query === undefined) return new Read<unknown>(undefined);
  const problem = objectProblem(query);
  if (problem !== undefined || !isRecord(query))
    return new Read<unknown>(undefined, [{ path: 'query', message: problem ?? 'must be an object' }]);
  const copy: Record<string, unknown> = {};
  const issues: Issue[] = [];
  try {
    const names = Object.keys(query);
    if (names.length > maxQueryEntries)
      issues.push({ path: 'query', message: `has more than ${maxQueryEntries} names` });
    for (const name of names.slice(0, maxQueryEntries)) {
      const value = query[name];
      const isLong = Array.isArray(value) && value.length > maxQueryEntries;
      if (isLong) issues.push({ path: `query.${name}`, message: `has more than ${maxQueryEntries} entries` });
      else copy[name] = Array.isArray(value) ? [...value] : value;
    }
    return new Read<unknown>(copy, issues);
  } catch {
    return new Read<unknown>(undefined, [{ path: '', message: unreadable }]);
  }
}

/** A copy of the body or the form, with the fields of `extraBody` added. */
function readBody(
  spec: CallSpec,
  body: unknown,
  form: unknown,
  extra: unknown,
  off: ChecksOff,
): Read<unknown> {
  if (spec.encoding === 'multipart') return readForm(form, extra, spec.files, off.has('file.empty'));
  const copied = snapshot(body);
  if (extra === undefined) return copied;
  const copiedExtra = snapshot(extra);
  return new Read(withExtraFields(copied.value, copiedExtra.value), [
    ...copied.issues,
    ...issuesAt('options.extraBody', copiedExtra.issues),
  ]);
}

function withExtraFields(body: unknown, extra: unknown): unknown {
  return isRecord(body) && isRecord(extra) ? { ...body, ...extra } : body;
}

/** The body with its texts in the documented format: without punctuation, for example. */
function normalized(body: unknown, normal: CallSpec['normal']): unknown {
  if (normal === undefined || !isRecord(body)) return body;
  const texts = Object.entries(normal).flatMap(([name, write]) => {
    const value = body[name];
    return typeof value === 'string' ? [[name, write(value)] as const] : [];
  });
  return { ...body, ...Object.fromEntries(texts) };
}

/** Issues for arguments that were given in the wrong place. */
function misplacedArguments(spec: CallSpec, body: unknown, { extraBody }: CallOptions): Issue[] {
  const issues: Issue[] = [];
  if (extraBody !== undefined && (spec.encoding === 'none' || !isRecord(body)))
    issues.push({ path: 'options.extraBody', message: 'needs a call whose body is an object' });
  return issues;
}

function contentOf(
  { encoding }: CallSpec,
  wire: unknown,
  { onUploadProgress }: CallOptions,
): PreparedCall['content'] {
  if (encoding === 'none') return undefined;
  return encoding === 'multipart' ? buildForm(wire, onUploadProgress) : JSON.stringify(wire);
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
