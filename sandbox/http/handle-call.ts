import { shapes } from '../../src/contract/generated/shapes.js';
import { limits } from '../../src/contract/limits.js';
import { type Operation, paramForms } from '../../src/contract/operation.js';
import { uuidV4Pattern } from '../../src/contract/patterns.js';
import { withoutDisabledIssues } from '../../src/contract/sdk-checks.js';
import type { WireNames } from '../../src/contract/wire-names.js';
import type { Issue } from '../../src/validation/issue.js';
import { isPromise, isRecord } from '../../src/validation/record.js';
import { findContractIssues, findQueryIssues } from '../arguments/contract-issues.js';
import type { Behaviour } from '../defaults/all.js';
import type { Feature } from '../merchants/features.js';
import type { Merchant } from '../merchants/merchant.js';
import { computePayloadDigest } from '../state/payload-digest.js';
import { readFormFields } from './form-fields.js';
import type { AnyOperation, Call, Handler, PublicHandler } from './handler.js';
import { fromWireOnly, pathToWire } from './platform-names.js';
import { contentTypes, type RequestBody } from './request-body.js';
import { createProblem, findJson, firstProblems, json } from './responses.js';

/** Problems name fields by their wire names. */
function createRejection(
  operation: AnyOperation,
  issues: readonly Issue[],
  names: WireNames,
  code: string,
  status = 400,
): Response {
  const { request } = shapes[operation.id];
  const wireIssues = issues.map(({ path, message }) => ({ path: pathToWire(names, request, path), message }));
  return createProblem(status, code, firstProblems(wireIssues), wireIssues);
}

/** For an operation that repeats its first response, a known idempotency key gets the stored response. */
export function handleCall(
  operation: AnyOperation,
  handler: Handler,
  headers: Headers,
  received: RequestBody,
  about: Omit<Call, 'body' | 'idempotencyKey'>,
  names: WireNames,
): Response | Promise<Response> {
  const { merchant, params } = about;
  if (!paramsFit(operation, params)) {
    return createProblem(merchant.behaviour.statuses.unfitParameter, 'not_found', 'No record has this id.');
  }
  const key = headers.get('x-idempotency-key') ?? undefined;
  const idempotencyKey = operation.idempotencyKey === 'none' ? undefined : key;
  if (operation.encoding !== 'none') {
    const wrong = findBodyProblem([operation.encoding], headers, received);
    if (wrong !== undefined) return createProblem(400, 'invalid_body', wrong);
  }
  const { form: wire, issues: formIssues } = checkContent(operation, received);
  const form = fromWireOnly(names, shapes[operation.id].request, wire);
  const call: Call = { ...about, body: form, idempotencyKey };
  const issues = [
    ...keyIssues(operation, idempotencyKey),
    ...withoutDisabledIssues(formIssues, merchant.behaviour.checks),
    ...findQueryIssues(operation, about.query),
    ...findContractIssues(operation, form, merchant.behaviour.checks).filter(
      (issue) => !isExplained(issue.path, formIssues) && handler.accepts?.(issue, call) !== true,
    ),
  ];

  const isKeyed = operation.repeatedKeyGets === 'first-response' && idempotencyKey !== undefined;
  const digest = isKeyed ? computePayloadDigest([operation.id, form ?? null]) : '';
  const replyKey =
    merchant.behaviour.submerchantKeys === 'apart'
      ? `${operation.id} ${idempotencyKey}`
      : `${idempotencyKey}`;
  const earlier = isKeyed ? merchant.replies.get(replyKey) : undefined;
  if (earlier !== undefined)
    return earlier.digest === digest ? json(earlier.status, earlier.body) : keyReused();

  const missing = (handler.features?.(call) ?? []).filter((feature) => !merchant.features.has(feature));
  if (missing.length > 0) {
    return notEnabled(missing, merchant);
  }
  const objections = handler.issues?.(call) ?? [];
  issues.push(...objections.filter(({ path }) => !issues.some((known) => known.path === path)));
  if (issues.length > 0) {
    const { statuses } = merchant.behaviour;
    const status = handler.invalid && statuses[handler.invalid];
    return createRejection(operation, issues, names, 'invalid_request', status);
  }
  const response = handler.run(call);
  if (isKeyed && !isPromise(response) && response.ok) {
    const written = findJson(response);
    if (written !== undefined)
      merchant.replies.set(replyKey, { digest, status: response.status, body: written.value });
  }
  return response;
}

/** Ignores the body of an operation that has none. */
function checkContent(operation: AnyOperation, { value }: RequestBody) {
  if (operation.encoding === 'none') return { form: undefined, issues: [] };
  return operation.encoding === 'multipart' ? readFormFields(operation, value) : { form: value, issues: [] };
}

function paramsFit({ params = {} }: AnyOperation, value: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, kind]) => paramForms[kind].test(value[name] ?? ''));
}

/** An issue can cover the object that contains the field. */
const isExplained = (path: string, issues: readonly Issue[]) =>
  issues.some((issue) => path === issue.path || path.startsWith(`${issue.path}.`));

export function handleTokenRequest(
  operation: AnyOperation,
  handler: PublicHandler,
  headers: Headers,
  body: RequestBody,
  names: WireNames,
  grantType: Behaviour['oauth']['grantType'],
): Response {
  // The body can be empty if the header contains the credentials.
  const isInHeader = body.isEmpty === true && headers.has('authorization');
  const wrong = isInHeader ? undefined : findBodyProblem(['json', 'form'], headers, body);
  if (wrong !== undefined) return createProblem(400, 'invalid_request', wrong);
  const fields = fromWireOnly(names, shapes[operation.id].request, isInHeader ? {} : body.value);
  const isLeftOut = grantType === 'optional' && isRecord(fields) && fields.grant_type === undefined;
  const issues = findContractIssues(operation, fields).filter(
    ({ path }) => !(isLeftOut && path === 'grant_type'),
  );
  if (issues.length > 0) {
    const code = issues.some(({ path }) => path === 'grant_type')
      ? 'unsupported_grant_type'
      : 'invalid_request';
    return createRejection(operation, issues, names, code);
  }
  return handler.run({ headers, body: fields });
}

function findBodyProblem(
  accepted: readonly (keyof typeof contentTypes)[],
  headers: Headers,
  { encoding, problem }: RequestBody,
): string | undefined {
  if (accepted.some((one) => one === encoding)) return problem;
  const types = accepted.map((one) => contentTypes[one]).join(' or ');
  return `The content type must be ${types}, not ${headers.get('content-type') ?? 'missing'}.`;
}

function notEnabled(missing: readonly Feature[], { isFirst }: Merchant): Response {
  const remedy = missing.map(
    (feature) => `control.features.enable('${feature}'${isFirst ? '' : ', merchant'})`,
  );
  return createProblem(
    403,
    'feature_not_enabled',
    `This merchant does not have: ${missing.join(', ')}. In the sandbox: ${remedy.join(', ')}.`,
  );
}

function keyReused(): Response {
  return createProblem(
    409,
    'idempotency_key_reused',
    'This x-idempotency-key was used before with another payload.',
  );
}

/** API docs, Authentication, 2, and Limits. */
function keyIssues(operation: Operation, key: string | undefined): Issue[] {
  const problem = operation.idempotencyKey === 'required' ? objectionToUuid(key) : objectionToText(key);
  return problem === undefined ? [] : [{ path: 'x-idempotency-key', message: problem }];
}

function objectionToUuid(key: string | undefined): string | undefined {
  if (key === undefined) return 'is required';
  return uuidV4Pattern.test(key) ? undefined : 'must be a UUID v4';
}

function objectionToText(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKeyLength)) return undefined;
  return `must have 1 to ${limits.idempotencyKeyLength} characters`;
}
