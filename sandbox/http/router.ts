import { Hono } from 'hono';
import { shapes } from '../../src/contract/generated/shapes.js';
import { type OperationId, operations } from '../../src/contract/index.js';
import type { RateLimitGroup } from '../../src/contract/limits.js';
import { listSecretPaths, type RuntimeSchema } from '../../src/contract/runtime-schema.js';
import type { WireNames } from '../../src/contract/wire-names.js';
import type { Behaviour } from '../defaults/all.js';
import type { PendingFault, RequestFaults } from '../faults/request-faults.js';
import type { AccessTokens } from '../merchants/access-tokens.js';
import type { Merchant } from '../merchants/merchant.js';
import type { Merchants } from '../merchants/merchants.js';
import type { RateLimits } from '../merchants/rate-limits.js';
import type { Clock, SandboxClock } from '../time/clock.js';
import { authenticate } from './authenticate.js';
import { handleCall, handleTokenRequest } from './handle-call.js';
import { type AnyOperation, type Handler, type Handlers, isPublic, type PublicId } from './handler.js';
import { type UpdateRoute, updateSubmerchant } from './handlers/submerchant-updates.js';
import { IgnoredFieldFinder } from './ignored-fields.js';
import { type JournalEntry, packed, unpacked } from './journal-entry.js';
import { hideFields } from './mask-secrets.js';
import { fromWireOnly, pathToWire } from './platform-names.js';
import type { RequestBody } from './request-body.js';
import { createProblem, json, NotFound } from './responses.js';

export interface RequestState {
  readonly entry: JournalEntry;
  readonly body: RequestBody;
  readonly address: string;
  fault: Readonly<PendingFault> | undefined;
}

export interface RouterParts {
  readonly merchants: Merchants;
  readonly tokens: AccessTokens;
  readonly rateLimits: RateLimits;
  readonly handlers: Handlers;
  readonly faults: RequestFaults;
  readonly clock: Clock;
  /** The routes of the `submerchantUpdates` option. */
  readonly updates: readonly UpdateRoute[];
  /** The field names on the wire: the SDK's names, unless the `fieldNames` option changes them. */
  readonly names: WireNames;
  readonly grantType: Behaviour['oauth']['grantType'];
}

/** The fault can send a part of this response. */
export const notExecutedResponse = () =>
  json(200, { note: 'A fault kept this request from being carried out.' });

export type Router = Hono<{ Bindings: RequestState }>;

/** Each request passes these steps in order: path, fault, credentials, rate limit, body, rules, handler. */
export function createRouter(parts: RouterParts): Router {
  const { merchants, tokens, rateLimits, handlers, faults, clock, updates, names, grantType } = parts;
  const router: Router = new Hono();
  const ignored = new IgnoredFieldFinder(names);

  const execute = (
    exchange: RequestState,
    operation: AnyOperation | undefined,
    run: () => Response | Promise<Response>,
  ) => {
    const fault = faults.take(operation?.id);
    const { entry } = exchange;
    entry.operation = operation?.id;
    entry.body = packed(withoutSecrets(unpacked(entry.body), operation, names));
    exchange.fault = fault;
    const prevented = fault?.phase === 'before-commit' && fault.fault !== 'acquirer-unknown';
    return prevented ? notExecutedResponse() : run();
  };

  const forMerchant = (
    headers: Headers,
    address: string,
    group: RateLimitGroup | undefined,
    run: (merchant: Merchant) => Response | Promise<Response>,
  ) => {
    const access = authenticate(headers, merchants, tokens);
    if ('rejection' in access) return createProblem(401, 'unauthorized', access.rejection);
    const wait = group && rateLimits.take(group, group === 'vault' ? address : access.clientId);
    return wait === undefined ? run(access.merchant) : tooMany(wait, clock);
  };

  for (const operation of operations as readonly AnyOperation[]) {
    router.on(operation.method, buildPattern(operation), ({ env, req }) => {
      const { headers } = req.raw;
      const { reads } = handlers[operation.id] as Handler;
      env.entry.ignored = ignored.of(operation, reads, { headers, query: req.query(), body: env.body.value });
      return execute(env, operation, () => {
        const shape = shapes[operation.id].response;
        if (isPublic(operation)) {
          return onTheWire(
            handleTokenRequest(operation, handlers[operation.id], headers, env.body, names, grantType),
            shape,
            names,
          );
        }
        return forMerchant(headers, env.address, operation.rateLimit, (merchant) => {
          const about = {
            merchant,
            params: req.param(),
            query: fromWireOnly(names, shapes[operation.id].query, req.query()),
            origin: new URL(req.url).origin,
            ignored: bodyPaths(env.entry.ignored),
            acquirerFails: env.fault?.fault === 'acquirer-unknown',
          };
          const handler: Handler = handlers[operation.id as Exclude<OperationId, PublicId>];
          return onTheWire(handleCall(operation, handler, headers, env.body, about, names), shape, names);
        });
      });
    });
  }
  for (const update of updates) {
    router.on(update.method, buildPattern(update), ({ env, req }) =>
      execute(env, undefined, () =>
        forMerchant(req.raw.headers, env.address, 'submerchants', (merchant) =>
          updateSubmerchant({ merchant, params: req.param(), body: env.body.value }),
        ),
      ),
    );
  }
  router.notFound((context) =>
    execute(context.env, undefined, () => {
      const { method, path } = context.req;
      return createProblem(404, 'not_found', `The sandbox has no ${method} ${path}.`);
    }),
  );
  router.onError((error) =>
    error instanceof NotFound
      ? createProblem(404, 'not_found', error.message)
      : createProblem(500, 'sandbox_error', `The sandbox failed: ${error.message}`),
  );
  return router;
}

function withoutSecrets(body: unknown, operation: AnyOperation | undefined, names: WireNames): unknown {
  const request = operation && shapes[operation.id].request;
  if (request === undefined) return body;
  const secrets = listSecretPaths(request);
  if (secrets.includes('')) return hideFields(body, 'all');
  return hideFields(
    body,
    secrets.map((path) => pathToWire(names, request, path)),
  );
}

/** Only for a success. */
function onTheWire(
  pending: Response | Promise<Response>,
  shape: RuntimeSchema | undefined,
  names: WireNames,
): Response | Promise<Response> {
  return names.findRenamings(shape) === undefined ? pending : renamed(pending, shape, names);
}

async function renamed(
  pending: Response | Promise<Response>,
  shape: RuntimeSchema | undefined,
  names: WireNames,
): Promise<Response> {
  const response = await pending;
  if (!response.ok) return response;
  return json(response.status, names.toWire(shape, await response.json()) as object);
}

const bodyPaths = (paths: readonly string[]) => paths.filter((path) => !/^(query|headers)\./.test(path));

const buildPattern = ({ path }: { readonly path: string }) => path.replaceAll(/\{(\w+)\}/g, ':$1');

function tooMany(seconds: number, { frozen }: SandboxClock): Response {
  const how = frozen
    ? `of the sandbox's clock, which is frozen: move it with clock.advance('${seconds}s') or \`payment-platform advance ${seconds}s\``
    : "of the sandbox's clock";
  const message = `Too many requests: try again in ${seconds} seconds ${how}. createSandbox({ rateLimits: false }) has no limits.`;
  const response = createProblem(429, 'rate_limited', message);
  response.headers.set('retry-after', String(seconds));
  return response;
}
