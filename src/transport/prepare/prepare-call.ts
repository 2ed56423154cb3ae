import type { AuthMode } from '../../auth/credentials.js';
import { withoutChecks } from '../../contract/own-checks.js';
import { type ReadBody, readBody } from '../../contract/read-value.js';
import type { Shape } from '../../contract/shape.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { isRecord, objectProblem } from '../../input/record.js';
import { version } from '../../version.js';
import type { Settings } from '../settings.js';
import { buildForm, type Form, readForm } from '../upload/form.js';
import { type CallOptions, readCallOptions } from './call-options.js';
import type { CallShapes, CallSpec } from './call-spec.js';
import { chooseKey, isKeyName, keyIssues, misplacedKeys } from './idempotency-key.js';
import { fillPath, queryString, readPath } from './path.js';

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
  readonly shapes: CallShapes;
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
  /** What is wrong with it: with an issue nothing is sent. */
  readonly issues: readonly Issue[];
}

/**
 * Reads the caller's arguments before the first await, so that later changes have no effect, checks them, and
 * builds what is sent from them.
 */
export function prepareCall(
  spec: CallSpec,
  shapes: CallShapes,
  args: CallArguments,
  givenOptions: unknown,
  settings: Settings,
): PreparedCall {
  // Own properties only: an argument that was not given must not be found on a prototype.
  const ownArgument = <Name extends keyof CallArguments>(name: Name): CallArguments[Name] | undefined =>
    Object.hasOwn(args, name) ? args[name] : undefined;
  const { value: options = {}, issues: optionIssues } = readCallOptions(givenOptions);
  const { names, checksOff } = settings;
  const path = spec.pathIsGiven
    ? readPath(spec.path)
    : fillPath(spec.path, spec.params ?? {}, ownArgument('params') ?? {});
  const query = readQuery(ownArgument('query'), shapes.query);
  const search = queryString(names.toWire(shapes.query, query.value));
  const body =
    spec.encoding === 'multipart'
      ? readForm(ownArgument('form'), options.extraBody, shapes.request, checksOff.has('file.empty'))
      : readBody(ownArgument('body'), shapes.request, isKeyName, options.extraBody);
  const ofMethod = ownArgument('issues') ?? [];
  const ofBody = withoutPathsOf(ofMethod, body.issues);
  const found = [
    ...ofMethod,
    ...optionIssues,
    ...query.issues,
    ...path.issues,
    ...search.issues,
    ...misplacedExtra(spec, body.value, options),
    ...misplacedKeys(spec, body.watched, { ...options, query: query.value }),
    ...keyIssues(spec, options.idempotencyKey, isGivenUndefined(givenOptions, options, optionIssues)),
    ...ofBody.map((issue) => atExtra(issue, options.extraBody)),
    ...withoutPathsOf([...ofMethod, ...body.issues], brokenRules(spec, body.value)),
  ];
  const issues = withoutChecks(found, checksOff);
  const key = chooseKey(spec, options.idempotencyKey);
  // Nothing is serialised if there are issues: bytes given by mistake could be large.
  const content =
    issues.length > 0 ? undefined : contentOf(spec, names.toWire(shapes.request, body.value), options);
  return {
    spec,
    shapes,
    target: `${path.value}${search.value}`,
    headers: headersOf(spec, content, key, options),
    content,
    query: query.value,
    body: body.value,
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

/** Reads a query. What a query can carry is checked when its text is made. */
function readQuery(given: unknown, shape: Shape | undefined): Pick<ReadBody, 'value' | 'issues'> {
  if (given === undefined) return { value: undefined, issues: [] };
  const problem = objectProblem(given);
  if (problem !== undefined) return { value: undefined, issues: [{ path: 'query', message: problem }] };
  const { value, issues } = readBody(given, shape);
  return { value, issues: issuesAt('query', issues) };
}

/** The rules between fields that a body breaks. */
const brokenRules = ({ rules }: CallSpec, body: unknown): readonly Issue[] =>
  rules !== undefined && isRecord(body) ? rules(body) : [];

/** Issues of fields of which nothing is known yet: one field has one cause. */
const withoutPathsOf = (known: readonly Issue[], issues: readonly Issue[]): readonly Issue[] =>
  issues.filter(({ path }) => known.every((issue) => issue.path !== path));

/** An issue with the path where the caller gave the field: in the body, or in `extraBody`. */
const atExtra = (issue: Issue, extra: CallOptions['extraBody']): Issue =>
  extra !== undefined && Object.hasOwn(extra, issue.path.split('.', 1)[0] as string)
    ? { ...issue, path: `options.extraBody.${issue.path}` }
    : issue;

/** An issue for `extraBody` where there is no object that it could be added to. */
function misplacedExtra(spec: CallSpec, body: unknown, { extraBody }: CallOptions): readonly Issue[] {
  return extraBody === undefined || (spec.encoding !== 'none' && isRecord(body))
    ? []
    : [{ path: 'options.extraBody', message: 'needs a call whose body is an object' }];
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
