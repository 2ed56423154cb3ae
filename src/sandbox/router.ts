import { Hono } from 'hono';
import { type OperationId, operations } from '../contract/index.js';
import { limits } from '../contract/limits.js';
import type { Operation } from '../contract/operation.js';
import { json, problem } from './answers.js';
import type { Faults, PendingFault } from './faults.js';
import { contractIssues, type Issue } from './issues.js';
import type { OpenEntry } from './journal.js';
import type { JsonBody } from './json-body.js';

/** A request that has passed the credentials, on its way to a handler. */
export interface Call {
  /** Parsed; undefined where the operation has no body. */
  readonly body: unknown;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  /** A fault: the acquirer does not say whether it charged. */
  readonly acquirerFails: boolean;
}

/** How one operation is answered. Both parts run in one step, so that two requests never mix. */
interface Handler {
  /** What is wrong with the body beyond the rules of the contract. */
  readonly issues?: (call: Call) => readonly Issue[];
  /** Runs only when nothing is wrong. */
  readonly run: (call: Call) => Response | Promise<Response>;
}

/** One for each operation of the contract: an operation without a handler does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler };

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** One request and what is found out about it. */
export interface Exchange {
  readonly entry: OpenEntry;
  readonly body: JsonBody;
  /** The fault that hits it. */
  fault: Readonly<PendingFault> | undefined;
}

interface Parts {
  readonly credentials: Credentials;
  readonly handlers: Handlers;
  readonly faults: Faults;
}

export type Router = Hono<{ Bindings: Exchange }>;

/** The road of a request: path, fault, credentials, body, rules, handler. */
export function createRouter({ credentials, handlers, faults }: Parts): Router {
  const router: Router = new Hono();

  /** Before commit, a fault keeps the request from being carried out at all. */
  const carryOut = (
    exchange: Exchange,
    operation: OperationId | undefined,
    run: () => Response | Promise<Response>,
  ) => {
    const fault = faults.take(operation);
    exchange.entry.operation = operation;
    exchange.entry.fault = fault?.fault;
    exchange.fault = fault;
    const prevented = fault?.phase === 'before-commit' && fault.fault !== 'acquirer-unknown';
    return prevented ? json(200, { note: 'A fault kept this request from being carried out.' }) : run();
  };

  for (const operation of operations) {
    const handler = handlers[operation.id];
    router.on(operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
      carryOut(context.env, operation.id, () => {
        const { headers } = context.req.raw;
        if (!knows(credentials, headers)) {
          return problem(
            401,
            'unauthorized',
            'The headers client-id and client-secret are missing or wrong.',
          );
        }
        return answer(operation, handler, headers, context.req.param(), context.env);
      }),
    );
  }
  router.notFound((context) =>
    carryOut(context.env, undefined, () => {
      const { method, path } = context.req;
      return problem(404, 'not_found', `The sandbox has no ${method} ${path}.`);
    }),
  );
  router.onError((error) => problem(500, 'sandbox_error', `The sandbox failed: ${error.message}`));
  return router;
}

function knows({ clientId, clientSecret }: Credentials, headers: Headers): boolean {
  return headers.get('client-id') === clientId && headers.get('client-secret') === clientSecret;
}

function answer(
  operation: Operation,
  handler: Handler,
  headers: Headers,
  params: Readonly<Record<string, string>>,
  { body, fault }: Exchange,
): Response | Promise<Response> {
  if (operation.encoding === 'json') {
    const objection = contentTypeObjection(headers) ?? body.objection;
    if (objection !== undefined) return problem(400, 'invalid_body', objection);
  }
  const call: Call = {
    body: body.value,
    params,
    idempotencyKey:
      operation.idempotencyKey === 'none' ? undefined : (headers.get('x-idempotency-key') ?? undefined),
    acquirerFails: fault?.fault === 'acquirer-unknown',
  };
  const issues = [
    ...keyIssues(call.idempotencyKey),
    ...contractIssues(operation, call.body),
    ...(handler.issues?.(call) ?? []),
  ];
  if (issues.length === 0) return handler.run(call);
  return problem(400, 'invalid_request', 'The request breaks the rules listed in issues.', issues);
}

function contentTypeObjection(headers: Headers): string | undefined {
  const type = headers.get('content-type');
  if (/^application\/json\s*(;|$)/i.test(type ?? '')) return undefined;
  return `The content type must be application/json, not ${type ?? 'missing'}.`;
}

function keyIssues(key: string | undefined): Issue[] {
  if (key === undefined || (key !== '' && key.length <= limits.idempotencyKeyLength)) return [];
  return [{ path: 'x-idempotency-key', message: `must have 1 to ${limits.idempotencyKeyLength} characters` }];
}
