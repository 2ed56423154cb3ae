import { brokenRules, type Operation } from '../../contract/operation.js';
import { uuidV4 } from '../../contract/patterns.js';
import { type Issue, ValidationError } from '../../errors/usage.js';
import { isRecord, unreadable } from '../../input/record.js';
import { version } from '../../version.js';
import { rename } from '../field-names.js';
import type { Settings } from '../settings.js';
import { draftForm, type Form, formIssues, formOf } from '../upload/form.js';
import { type CallOptions, checkCallOptions } from './call-options.js';
import { fixKey, keyProblem } from './idempotency-key.js';
import { checkPath, fillPath, queryString } from './path.js';
import { mismatches, type Schema } from './schema-issues.js';
import { snapshot } from './snapshot.js';

export const userAgent = `payment-platform/${version}`;

/** What a call is made of, beside its options. */
export interface Input {
  /** Values for the braces of the path. */
  readonly params?: Readonly<Record<string, unknown>>;
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

/** A call as the caller left it: copied before anything can be awaited, so that no later change gets in. */
export interface Draft {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly isForm: boolean;
  readonly resumes: boolean;
  readonly confirm: Input['confirm'];
  readonly options: CallOptions;
  readonly issues: Issue[];
}

/** What the road needs of an operation; `platform.request` makes its own. */
export interface Trip
  extends Pick<
    Operation,
    | 'id'
    | 'path'
    | 'replay'
    | 'conflict'
    | 'idempotencyKey'
    | 'names'
    | 'rules'
    | 'public'
    | 'rateLimit'
    | 'files'
    | 'normal'
  > {
  readonly method: string;
  readonly encoding: Operation['encoding'];
  readonly params?: Readonly<Record<string, Schema>> | undefined;
  readonly query?: Schema | undefined;
  readonly request?: Schema | undefined;
  /** `json`: an object or a list. `unspecified`: the document shows none, so anything is one. */
  readonly response: Schema | 'file' | 'json' | 'unspecified' | 'none';
  /** The caller wrote the path out: it has no braces to fill. */
  readonly pathIsGiven?: boolean;
}

/** It changes nothing; a token request neither, as far as a caller is concerned. */
export const isRead = ({ method, public: isPublic }: Trip) =>
  method === 'GET' || method === 'HEAD' || isPublic === true;

/** What travels: every attempt sends exactly this. */
export interface Journey {
  readonly trip: Trip;
  readonly target: string;
  /** This call's own, without the authorisation. */
  readonly headers: Record<string, string>;
  /** The exact text of the body, or the form that gives the same bytes each time. */
  readonly content: string | Form | undefined;
  /** The body under the SDK's names, to find the secrets in it. */
  readonly body: unknown;
  readonly key: string | undefined;
  readonly maxRetries: number;
  /** Whether sending it twice is harmless. */
  readonly repeatable: boolean;
  /** Whether an earlier call with this key may have been executed. */
  readonly resumes: boolean;
  /** The file whose first bytes had not come when the call had to stop. */
  readonly waitedFor?: string | undefined;
}

/** One logical call, checked and serialised, and what the transport needs to set it going. */
export interface Prepared extends Journey {
  readonly auth: 'headers' | 'oauth';
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Takes the caller's arguments, before the first `await`. */
export function draft(input: Input, given: unknown): Draft {
  // What was not given is found on no prototype.
  const own = <Name extends keyof Input>(name: Name): Input[Name] | undefined =>
    Object.hasOwn(input, name) ? input[name] : undefined;
  const issues: Issue[] = [...(own('issues') ?? [])];
  const options = checkCallOptions(given, issues);
  const { extraBody } = options;
  const isForm = Object.hasOwn(input, 'form');
  return {
    params: own('params') ?? {},
    query: copyOf(own('query'), issues),
    resumes: own('resumes') ?? false,
    body: isForm
      ? guarded(() => draftForm(withExtra(input.form, extraBody), issues), issues)
      : withExtra(snapshot(own('body'), issues), snapshot(extraBody, issues)),
    isForm,
    confirm: own('confirm'),
    options,
    issues,
  };
}

/** What the caller's getters throw is a problem of the argument, not an exception of theirs. */
function guarded<Result>(read: () => Result, issues: Issue[]): Result | undefined {
  try {
    return read();
  } catch {
    issues.push({ path: '', message: unreadable });
    return undefined;
  }
}

/** A query has names, and lists of values at most: the values are looked at when it is written. */
function copyOf(query: unknown, issues: Issue[]): unknown {
  if (!isRecord(query)) return query;
  return guarded(() => {
    const copy: Record<string, unknown> = {};
    const names = Object.keys(query);
    if (names.length > mostEntries)
      issues.push({ path: 'query', message: `has more than ${mostEntries} names` });
    for (const name of names.slice(0, mostEntries)) {
      const value = query[name];
      const isLong = Array.isArray(value) && value.length > mostEntries;
      if (isLong) issues.push({ path: `query.${name}`, message: `has more than ${mostEntries} entries` });
      else copy[name] = Array.isArray(value) ? [...value] : value;
    }
    return copy;
  }, issues);
}

/** Of a query, and of a list in it. */
const mostEntries = 1_000;

function withExtra(body: unknown, extra: unknown): unknown {
  return isRecord(body) && isRecord(extra) ? { ...body, ...extra } : body;
}

/**
 * Holds a draft against its operation.
 *
 * @throws ValidationError naming every problem; nothing was sent.
 */
export function prepare(
  trip: Trip,
  { params, query, body, isForm, resumes, options, issues }: Draft,
  settings: Settings,
): Prepared {
  if (trip.params !== undefined) issues.push(...paramIssues(trip.params, params));
  const path = trip.pathIsGiven ? checkPath(trip.path, issues) : fillPath(trip.path, params, issues);
  if (trip.query !== undefined && isRecord(query))
    issues.push(
      ...mismatches(trip.query, query).map(({ path, message }) => ({ path: `query.${path}`, message })),
    );
  const target =
    path + queryString(trip.query === undefined ? query : onTheWire(query, trip, settings), issues);
  if (trip.normal !== undefined) normalise(body, trip.normal);
  if (trip.request !== undefined)
    addMissing(issues, [...mismatches(trip.request, body), ...brokenRules(trip, body)]);
  if (isForm) addMissing(issues, formIssues(body, issues));
  if (options.extraBody !== undefined && (trip.encoding === 'none' || !isRecord(body))) {
    issues.push({ path: 'options.extraBody', message: 'has no object to go into' });
  }
  if (trip.idempotencyKey !== 'none' && isRecord(body) && body.idempotencyKey !== undefined) {
    const message = 'is an option, not a field: pass it in the argument after this one';
    issues.push({ path: 'idempotencyKey', message });
  }
  if (trip.idempotencyKey === 'required') checkRequiredKey(options.idempotencyKey, issues);
  if (issues.length > 0) throw new ValidationError(trip.id, issues, givenKey(options));
  const key = fixKey(trip, options.idempotencyKey);
  const content = contentOf(body, isForm, trip, options, settings);
  const headers: Record<string, string> = {
    accept: trip.response === 'file' ? 'application/pdf, application/json' : 'application/json',
    'user-agent': userAgent,
    ...options.headers,
  };
  if (typeof content === 'string') headers['content-type'] = 'application/json';
  if (key !== undefined) headers['x-idempotency-key'] = key;
  return {
    trip,
    target,
    headers,
    content,
    body,
    key,
    auth: options.auth ?? settings.auth,
    timeout: options.timeout ?? settings.timeout,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signal: options.signal,
    repeatable: trip.replay === 'natural' || (trip.replay === 'keyed' && key !== undefined),
    resumes,
  };
}

function contentOf(
  body: unknown,
  isForm: boolean,
  trip: Trip,
  { onUploadProgress }: CallOptions,
  settings: Settings,
): Prepared['content'] {
  if (trip.encoding === 'none') return undefined;
  const wire = onTheWire(body, trip, settings);
  return isForm ? formOf(wire, onUploadProgress) : JSON.stringify(wire);
}

function paramIssues(
  schemas: Readonly<Record<string, Schema>>,
  params: Readonly<Record<string, unknown>>,
): Issue[] {
  return Object.entries(schemas).flatMap(([path, schema]) =>
    mismatches(schema, params[path]).map(({ message }) => ({ path, message })),
  );
}

/** Texts in the form that the API document gives. The body is our own copy. */
function normalise(body: unknown, normal: NonNullable<Trip['normal']>): void {
  if (!isRecord(body)) return;
  for (const [name, inForm] of Object.entries(normal)) {
    const value = body[name];
    if (typeof value === 'string') (body as Record<string, unknown>)[name] = inForm(value);
  }
}

/** API document, Authentication, 2. */
function checkRequiredKey(key: unknown, issues: Issue[]): void {
  const message =
    key === null
      ? 'is required by this operation: leave it out, and a UUID v4 is sent'
      : 'must be a UUID v4 for this operation';
  if (key === null || (typeof key === 'string' && keyProblem(key) === undefined && !uuidV4.test(key)))
    issues.push({ path: 'options.idempotencyKey', message });
}

function onTheWire(body: unknown, trip: Trip, settings: Settings): unknown {
  const renames = trip.names === undefined ? [] : settings.wireNames.groups[trip.names].outward;
  if (renames.length === 0 || !isRecord(body)) return body;
  const renamed = { ...body };
  rename(renamed, renames);
  return renamed;
}

/** A value that JSON cannot carry is told once, not again as a value of the wrong type. */
function addMissing(issues: Issue[], found: readonly Issue[]): void {
  const told = new Set(issues.map(({ path }) => path));
  for (const issue of found) if (!told.has(issue.path)) issues.push(issue);
}

/** The key that the caller gave, where it is one. */
export function givenKey({ idempotencyKey }: CallOptions): string | undefined {
  return keyProblem(idempotencyKey) === undefined ? (idempotencyKey ?? undefined) : undefined;
}
