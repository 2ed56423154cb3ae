import type { AuthMode } from '../../auth/credentials.js';
import { type CheckedBody, checkBody } from '../../contract/read-value.js';
import type { RuntimeSchema } from '../../contract/runtime-schema.js';
import { withoutDisabledIssues } from '../../contract/sdk-checks.js';
import { type Issue, prefixIssues } from '../../validation/issue.js';
import { isRecord, objectProblem } from '../../validation/record.js';
import { version } from '../../version.js';
import type { CallSchemas, CallSpec } from '../call/call-spec.js';
import type { Settings } from '../settings.js';
import { buildForm, type Form, readForm } from '../upload/form.js';
import { type CallOptions, readCallOptions } from './call-options.js';
import { chooseKey, isKeyName, keyIssues, misplacedKeys } from './idempotency-key.js';
import { checkRequestPath, fillPath, maxQueryEntries, queryString } from './path.js';

export interface CallArguments {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly form?: unknown;
  readonly issues?: readonly Issue[] | undefined;
  /** Runs only for a call with a form. If the function throws, the call ends with its error. */
  readonly checkBeforeSending?: ((remaining: number) => Promise<void>) | undefined;
  /** If so, a rejection does not prove that nothing was executed. */
  readonly mayHaveRunBefore?: boolean | undefined;
}

/** A call that is ready to be sent. It does not change between attempts. */
export interface PreparedCall {
  readonly spec: CallSpec;
  readonly shapes: CallSchemas;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Form | undefined;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The idempotency key that the caller passed, if it can be sent as a header. */
  readonly callerKey: string | undefined;
  readonly auth: AuthMode;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly maxRetries: number;
  /** Whether sending the call twice is harmless. */
  readonly repeatable: boolean;
  readonly mayHaveRunBefore: boolean;
  readonly checkBeforeSending: CallArguments['checkBeforeSending'];
  readonly issues: readonly Issue[];
}

/** Reads the caller's arguments before the first await, so that later changes to them have no effect. */
export function prepareCall(
  spec: CallSpec,
  shapes: CallSchemas,
  args: CallArguments,
  callerOptions: unknown,
  defaults: Settings,
): PreparedCall {
  const { names, checksOff } = defaults;
  const { value: options = noOptions, issues: optionIssues } =
    callerOptions === undefined ? nothing : readCallOptions(callerOptions);
  const path = spec.isCallerPath
    ? checkRequestPath(spec.path)
    : args.params === undefined
      ? { value: spec.path, issues: none }
      : fillPath(spec.path, spec.params, args.params);
  const query = args.query === undefined ? nothing : readQuery(args.query, shapes.query);
  const search =
    query.value === undefined || query.issues.length > 0
      ? noSearch
      : queryString(names.toWire(shapes.query, query.value));
  const body =
    spec.encoding === 'multipart'
      ? readForm(args.form, options.extraBody, shapes.request, isKeyName, checksOff.has('file.empty'))
      : options.extraBody === undefined
        ? checkBody(args.body, shapes.request, isKeyName)
        : readWithExtra(args.body, options.extraBody, shapes.request);
  const ofMethod = args.issues ?? [];
  const broken = spec.rules !== undefined && isRecord(body.value) ? spec.rules(body.value, args.body) : [];
  const found = [
    ofMethod,
    optionIssues,
    query.issues,
    path.issues,
    search.issues,
    callerOptions === undefined ? none : extraIssues(spec, body.value, options),
    misplacedKeys(spec, body.keyLikePaths, options, query.value),
    callerOptions === undefined ? none : keyIssues(spec, callerOptions, options, optionIssues),
    body.issues.length === 0 ? none : bodyIssues(body.issues, ofMethod, options),
    broken.length === 0
      ? none
      : findNewIssues(withoutDisabledIssues([...ofMethod, ...body.issues], checksOff), broken),
  ];
  const issues = found.every((list) => list.length === 0)
    ? none
    : withoutDisabledIssues(found.flat(), checksOff);
  const idempotencyKey = chooseKey(spec, options.idempotencyKey);
  // If there are issues, nothing is serialised, because a body that was passed by mistake can be large.
  let content: PreparedCall['content'];
  if (issues.length === 0 && spec.encoding !== 'none') {
    const wire = names.isIdentity ? body.value : names.toWire(shapes.request, body.value);
    content =
      spec.encoding === 'multipart' ? buildForm(wire, options.onUploadProgress) : JSON.stringify(wire);
  }
  const contentType = typeof content === 'string' ? 'application/json' : undefined;
  return {
    spec,
    shapes,
    target: `${path.value}${search.value}`,
    headers: buildHeaders(spec, { contentType, idempotencyKey, others: options.headers }),
    content,
    query: query.value,
    body: body.value,
    idempotencyKey,
    callerKey: options.idempotencyKey ?? undefined,
    auth: options.auth ?? defaults.auth,
    timeoutMs: options.timeout ?? defaults.timeoutMs,
    signal: options.signal,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    repeatable: spec.replay === 'natural' || (spec.replay === 'keyed' && idempotencyKey !== undefined),
    mayHaveRunBefore: args.mayHaveRunBefore ?? false,
    checkBeforeSending: args.checkBeforeSending,
    issues,
  };
}

const none: readonly Issue[] = Object.freeze([]);
const nothing = Object.freeze({ value: undefined, issues: none });
const noSearch = Object.freeze({ value: '', issues: none });
const noOptions: CallOptions = Object.freeze({});

function readWithExtra(body: unknown, extra: unknown, shape: RuntimeSchema | undefined): CheckedBody {
  const [own, added] = [checkBody(body), checkBody(extra)];
  const issues = [...own.issues, ...added.issues];
  return issues.length > 0 || !isRecord(own.value) || !isRecord(added.value)
    ? { value: own.value, issues, keyLikePaths: [] }
    : checkBody({ ...own.value, ...added.value }, shape, isKeyName);
}

/** `queryString` checks its values later. */
function readQuery(input: unknown, shape: RuntimeSchema | undefined): Pick<CheckedBody, 'value' | 'issues'> {
  const problem = objectProblem(input);
  if (problem !== undefined) return { value: undefined, issues: [{ path: 'query', message: problem }] };
  const { value, issues } = checkBody(Object.fromEntries(Object.entries(input as object).map(listed)), shape);
  return { value, issues: prefixIssues('query', issues) };
}

/** Leaves out fields that the method already reported, and names in `extraBody`, which are intentional. */
const bodyIssues = (issues: readonly Issue[], ofMethod: readonly Issue[], { extraBody }: CallOptions) =>
  findNewIssues(ofMethod, issues)
    .map((issue) => withExtraBodyPath(issue, extraBody))
    .filter(({ path, check }) => check !== 'field.name' || !path.startsWith('options.extraBody.'));

/** A list that is too long is rejected later. */
const listed = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  Array.isArray(value) && value.length <= maxQueryEntries
    ? value.filter((entry) => entry !== undefined)
    : value,
];

/** A second issue of a field usually has the same cause. */
function findNewIssues(known: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const paths = new Set(known.map(({ path }) => path));
  return issues.filter(({ path }) => !paths.has(path));
}

const withExtraBodyPath = (issue: Issue, extra: CallOptions['extraBody']): Issue =>
  extra !== undefined && Object.hasOwn(extra, issue.path.split('.', 1)[0] as string)
    ? { ...issue, path: `options.extraBody.${issue.path}` }
    : issue;

const extraIssues = (spec: CallSpec, body: unknown, { extraBody }: CallOptions): readonly Issue[] =>
  extraBody === undefined || (spec.encoding !== 'none' && isRecord(body))
    ? []
    : [{ path: 'options.extraBody', message: 'needs a call whose body is an object' }];

interface HeaderValues {
  /** The HTTP client sets a form's. */
  readonly contentType?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly others?: Readonly<Record<string, string>> | undefined;
}

export function buildHeaders(
  { result }: Pick<CallSpec, 'result'>,
  { contentType, idempotencyKey, others }: HeaderValues,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: result === 'file' ? 'application/pdf, application/json' : 'application/json',
    // Without this header, fetch would request compression, which it decodes itself or fails to decode.
    'accept-encoding': 'identity',
    'user-agent': `payment-platform/${version}`,
    ...others,
  };
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (idempotencyKey !== undefined) headers['x-idempotency-key'] = idempotencyKey;
  return headers;
}
