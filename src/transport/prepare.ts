import { brokenRules, type Operation } from '../contract/operation.js';
import { isRecord } from '../contract/record.js';
import { type Issue, ValidationError } from '../errors/usage.js';
import { version } from '../version.js';
import { type CallOptions, checkCallOptions } from './call-options.js';
import { rename } from './field-names.js';
import { fixKey, keyProblem } from './idempotency.js';
import { checkPath, fillPath, queryString } from './path.js';
import type { Settings } from './settings.js';
import { snapshot } from './snapshot.js';
import { mismatches, type Schema } from './validate.js';

/** What a call is made of, beside its options. */
export interface Input {
  /** Values for the braces of the path. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: unknown;
  readonly body?: unknown;
  /** The call repeats an earlier one that may have been executed: no refusal proves that nothing was. */
  readonly resumes?: boolean;
}

/** A call as the caller left it: copied before anything can be awaited, so that no later change gets in. */
export interface Draft {
  readonly params: Readonly<Record<string, unknown>>;
  /** `?name=value&…`, or nothing. */
  readonly query: string;
  readonly body: unknown;
  readonly resumes: boolean;
  readonly options: CallOptions;
  readonly issues: Issue[];
}

/** What the road needs of an operation; `platform.request` makes its own. */
export interface Trip
  extends Pick<Operation, 'id' | 'path' | 'replay' | 'conflict' | 'idempotencyKey' | 'names' | 'rules'> {
  readonly method: string;
  readonly encoding: Operation['encoding'];
  readonly request?: Schema | undefined;
  readonly response: Schema | 'file' | 'unspecified' | 'none';
  /** The caller wrote the path out: it has no braces to fill. */
  readonly pathIsGiven?: boolean;
}

/** One logical call, checked and serialised: every attempt sends exactly this. */
export interface Prepared {
  readonly trip: Trip;
  readonly target: string;
  /** This call's own, without the authorisation. */
  readonly headers: Record<string, string>;
  /** The exact text of the body. */
  readonly text: string | undefined;
  /** The body under the SDK's names, to find the secrets in it. */
  readonly body: unknown;
  readonly key: string | undefined;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
  /** Whether sending it twice is harmless. */
  readonly repeatable: boolean;
  /** Whether an earlier call with this key may have been executed. */
  readonly resumes: boolean;
}

/** Takes the caller's arguments, before the first `await`. */
export function draft(input: Input, given: unknown): Draft {
  const issues: Issue[] = [];
  const options = checkCallOptions(given, issues);
  const { extraBody } = options;
  return {
    params: input.params ?? {},
    query: queryString(input.query, issues),
    resumes: input.resumes ?? false,
    body: withExtra(snapshot(input.body, issues), snapshot(extraBody, issues)),
    options,
    issues,
  };
}

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
  { params, query, body, resumes, options, issues }: Draft,
  settings: Settings,
): Prepared {
  const path = trip.pathIsGiven ? checkPath(trip.path, issues) : fillPath(trip.path, params, issues);
  const target = path + query;
  if (trip.request !== undefined)
    addMissing(issues, [...mismatches(trip.request, body), ...brokenRules(trip, body)]);
  if (options.extraBody !== undefined && !(trip.encoding === 'json' && isRecord(body))) {
    issues.push({ path: 'options.extraBody', message: 'has no object to go into' });
  }
  if (issues.length > 0) throw new ValidationError(trip.id, issues, givenKey(options));
  const key = fixKey(trip, options.idempotencyKey);
  const text = trip.encoding === 'json' ? JSON.stringify(onTheWire(body, trip, settings)) : undefined;
  const headers: Record<string, string> = {
    accept: trip.response === 'file' ? 'application/pdf, application/json' : 'application/json',
    'user-agent': `payment-platform/${version}`,
    ...options.headers,
  };
  if (text !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['x-idempotency-key'] = key;
  return {
    trip,
    target,
    headers,
    text,
    body,
    key,
    timeout: options.timeout ?? settings.timeout,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signal: options.signal,
    repeatable: trip.replay === 'natural' || (trip.replay === 'keyed' && key !== undefined),
    resumes,
  };
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

function givenKey({ idempotencyKey }: CallOptions): string | undefined {
  return keyProblem(idempotencyKey) === undefined ? (idempotencyKey ?? undefined) : undefined;
}
