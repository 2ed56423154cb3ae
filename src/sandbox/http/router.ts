import { Hono } from 'hono';
import type { FieldTable } from '../../contract/fields.js';
import { type OperationId, operations } from '../../contract/index.js';
import type { Operation } from '../../contract/operation.js';
import type { WireNames } from '../../contract/wire-names.js';
import type { Issue } from '../../input/issue.js';
import { answerStatus } from '../choices/values.js';
import { accessOf } from '../merchants/access.js';
import type { AccessTokens } from '../merchants/access-tokens.js';
import type { Feature } from '../merchants/features.js';
import { keyIssues } from '../merchants/idempotency-key.js';
import type { Merchant } from '../merchants/merchant.js';
import type { Merchants } from '../merchants/merchants.js';
import type { RateLimits } from '../merchants/rate-limits.js';
import { payloadDigest } from '../payload-digest.js';
import { json, NotFound, problem } from './answers.js';
import type { Faults, PendingFault } from './faults.js';
import { readFields } from './form-fields.js';
import { contractIssues, inShort, queryIssues } from './issues.js';
import type { OpenEntry } from './journal.js';
import { hideFields } from './mask-secrets.js';
import { paramsFit } from './params.js';
import { contentTypes, type RequestBody } from './request-body.js';

/** An authenticated request, as a handler receives it. */
export interface Call {
  /** The owner of the credentials. */
  readonly merchant: Merchant;
  /** Parsed; undefined if the operation has no body. */
  readonly body: unknown;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the URL. */
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  /** Set by a fault: the acquirer does not say whether it charged. */
  readonly acquirerFails: boolean;
}

/** Answers one operation. All parts run synchronously, so that concurrent requests do not interleave. */
export interface Handler {
  /** The features that the merchant needs for this call. */
  readonly features?: (call: Call) => readonly Feature[];
  /** Problems of the request, besides the rules of the contract. */
  readonly issues?: (call: Call) => readonly Issue[];
  /** Runs only if there are no problems. */
  readonly run: (call: Call) => Response | Promise<Response>;
}

/** A request for an access token. It carries its credentials itself. */
interface TokenCall {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Answers an operation that needs no credentials. */
export interface PublicHandler {
  readonly run: (call: TokenCall) => Response;
}

type AnyOperation = Operation<OperationId>;

/** The operations that the contract calls public. */
type PublicId = Extract<(typeof operations)[number], { readonly public: true }>['id'];

const isPublic = (operation: AnyOperation): operation is Operation<PublicId> => operation.public === true;

/** A handler for each operation of the contract. An operation without one does not compile. */
export type Handlers = {
  readonly [Id in OperationId]: Id extends PublicId ? PublicHandler : Handler;
};

/** The state of one request. */
export interface Exchange {
  readonly entry: OpenEntry;
  readonly body: RequestBody;
  /** The address of the client. */
  readonly address: string;
  /** The fault that applies to it. */
  fault: Readonly<PendingFault> | undefined;
}

interface Parts {
  readonly merchants: Merchants;
  readonly tokens: AccessTokens;
  readonly rateLimits: RateLimits;
  readonly handlers: Handlers;
  readonly faults: Faults;
  /** The names on the wire. */
  readonly names: WireNames;
}

export type Router = Hono<{ Bindings: Exchange }>;

/** Routes requests. Each is checked in this order: path, fault, credentials, rate limit, body, rules, handler. */
export function createRouter({ merchants, tokens, rateLimits, handlers, faults, names }: Parts): Router {
  const router: Router = new Hono();

  /** Runs the operation, unless a `before-commit` fault prevents it. */
  const carryOut = (
    exchange: Exchange,
    operation: AnyOperation | undefined,
    run: () => Response | Promise<Response>,
  ) => {
    const fault = faults.take(operation?.id);
    exchange.entry.operation = operation?.id;
    exchange.entry.body = withoutSecrets(exchange.entry.body, operation, names);
    exchange.entry.fault = fault?.fault;
    exchange.fault = fault;
    const prevented = fault?.phase === 'before-commit' && fault.fault !== 'acquirer-unknown';
    return prevented ? json(200, { note: 'A fault kept this request from being carried out.' }) : run();
  };

  for (const operation of operations as readonly AnyOperation[]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.on(operation.method, path, ({ env, req }) =>
      carryOut(env, operation, () => {
        const { headers } = req.raw;
        if (isPublic(operation)) {
          return onTheWire(
            answerToken(operation, handlers[operation.id], headers, env.body, names),
            operation.fields?.response,
            names,
          );
        }
        const access = accessOf(headers, merchants, tokens);
        if ('refused' in access) return problem(401, 'unauthorized', access.refused);
        const { merchant } = access;
        const subject = operation.rateLimit === 'vault' ? env.address : merchant.clientId;
        const wait = operation.rateLimit && rateLimits.take(operation.rateLimit, subject);
        if (wait !== undefined) return tooMany(wait);
        const { body, fault } = env;
        const about = {
          merchant,
          params: req.param(),
          query: names.fromWireOnly(operation.fields?.query, req.query()),
          acquirerFails: fault?.fault === 'acquirer-unknown',
        };
        const handler: Handler = handlers[operation.id as Exclude<OperationId, PublicId>];
        const response = answer(operation, handler, headers, body, about, names);
        return onTheWire(response, operation.fields?.response, names);
      }),
    );
  }
  router.notFound((context) =>
    carryOut(context.env, undefined, () => {
      const { method, path } = context.req;
      return problem(404, 'not_found', `The sandbox has no ${method} ${path}.`);
    }),
  );
  router.onError((error) =>
    error instanceof NotFound
      ? problem(404, 'not_found', error.message)
      : problem(500, 'sandbox_error', `The sandbox failed: ${error.message}`),
  );
  return router;
}

/** The body of a journal entry, without the fields that its operation calls secret. */
function withoutSecrets(body: unknown, operation: AnyOperation | undefined, names: WireNames): unknown {
  const { secrets, fields } = operation ?? {};
  if (secrets === undefined || secrets === 'all')
    return secrets === undefined ? body : hideFields(body, secrets);
  return hideFields(
    body,
    secrets.map((path) => names.pathToWire(fields?.request, path)),
  );
}

/** A success with the wire names of `fieldNames`. */
function onTheWire(
  answered: Response | Promise<Response>,
  table: FieldTable | undefined,
  names: WireNames,
): Response | Promise<Response> {
  return names.renames(table) ? renamed(answered, table, names) : answered;
}

async function renamed(
  answered: Response | Promise<Response>,
  table: FieldTable | undefined,
  names: WireNames,
): Promise<Response> {
  const response = await answered;
  if (!response.ok) return response;
  return json(response.status, names.toWire(table, await response.json()) as object);
}

/** The answer to an invalid request. The paths of the problems are wire names. */
function refusal(operation: Operation, issues: readonly Issue[], names: WireNames, code: string): Response {
  const table = operation.fields?.request;
  const shown = issues.map(({ path, message }) => ({ path: names.pathToWire(table, path), message }));
  return problem(400, code, inShort(shown), shown);
}

function answer(
  operation: AnyOperation,
  handler: Handler,
  headers: Headers,
  received: RequestBody,
  about: Omit<Call, 'body' | 'idempotencyKey'>,
  names: WireNames,
): Response | Promise<Response> {
  const { merchant, params } = about;
  if (!paramsFit(operation, params)) {
    return problem(answerStatus.unfitParameter, 'not_found', 'There is nothing with such an id.');
  }
  const key = headers.get('x-idempotency-key') ?? undefined;
  const idempotencyKey = operation.idempotencyKey === 'none' ? undefined : key;
  if (operation.encoding !== 'none') {
    const objection = bodyObjection([operation.encoding], headers, received);
    if (objection !== undefined) return problem(400, 'invalid_body', objection);
  }
  const { form: wire, issues: formIssues } = readBodyOf(operation, received);
  const form = names.fromWireOnly(operation.fields?.request, wire);
  const call: Call = { ...about, body: form, idempotencyKey };
  const issues = [
    ...keyIssues(operation, idempotencyKey),
    ...formIssues,
    ...queryIssues(operation, about.query),
    ...contractIssues(operation, form).filter(({ path }) => !isExplained(path, formIssues)),
  ];

  const isKeyed = operation.sameKey === 'first-response' && idempotencyKey !== undefined;
  const digest = isKeyed ? payloadDigest([operation.id, form ?? null]) : '';
  const earlier = isKeyed ? merchant.replies.recall(idempotencyKey, digest) : undefined;
  if (earlier === 'reused') return keyReused();
  if (earlier !== undefined) return earlier;

  const missing = (handler.features?.(call) ?? []).filter((feature) => !merchant.features.has(feature));
  if (missing.length > 0) {
    return notEnabled(missing, merchant);
  }
  issues.push(...(handler.issues?.(call) ?? []));
  if (issues.length > 0) {
    return refusal(operation, issues, names, 'invalid_request');
  }
  const response = handler.run(call);
  if (isKeyed && response instanceof Response && response.ok) {
    merchant.replies.keep(idempotencyKey, digest, response);
  }
  return response;
}

/** The body of a request. A body that the operation does not take is ignored. */
function readBodyOf(operation: AnyOperation, { value }: RequestBody) {
  if (operation.encoding === 'none') return { form: undefined, issues: [] };
  return operation.encoding === 'multipart' ? readFields(operation, value) : { form: value, issues: [] };
}

/** Whether there is already an issue for the same field, or for the object that contains it. */
const isExplained = (path: string, issues: readonly Issue[]) =>
  issues.some((issue) => path === issue.path || path.startsWith(`${issue.path}.`));

function answerToken(
  operation: AnyOperation,
  handler: PublicHandler,
  headers: Headers,
  body: RequestBody,
  names: WireNames,
): Response {
  const objection = bodyObjection(['json', 'form'], headers, body);
  if (objection !== undefined) return problem(400, 'invalid_request', objection);
  const fields = names.fromWireOnly(operation.fields?.request, body.value);
  const issues = contractIssues(operation, fields);
  if (issues.length > 0) {
    const code = issues.some(({ path }) => path === 'grant_type')
      ? 'unsupported_grant_type'
      : 'invalid_request';
    return refusal(operation, issues, names, code);
  }
  return handler.run({ headers, body: fields });
}

function bodyObjection(
  accepted: readonly (keyof typeof contentTypes)[],
  headers: Headers,
  { encoding, objection }: RequestBody,
): string | undefined {
  if (accepted.some((one) => one === encoding)) return objection;
  const types = accepted.map((one) => contentTypes[one]).join(' or ');
  return `The content type must be ${types}, not ${headers.get('content-type') ?? 'missing'}.`;
}

function notEnabled(missing: readonly Feature[], { isFirst }: Merchant): Response {
  const remedy = missing.map(
    (feature) => `control.features.enable('${feature}'${isFirst ? '' : ', merchant'})`,
  );
  return problem(
    403,
    'feature_not_enabled',
    `This merchant does not have: ${missing.join(', ')}. In the sandbox: ${remedy.join(', ')}.`,
  );
}

function tooMany(seconds: number): Response {
  const response = problem(429, 'rate_limited', `Too many requests: try again in ${seconds} seconds.`);
  response.headers.set('retry-after', String(seconds));
  return response;
}

function keyReused(): Response {
  return problem(
    409,
    'idempotency_key_reused',
    'This x-idempotency-key was used before with another payload.',
  );
}
