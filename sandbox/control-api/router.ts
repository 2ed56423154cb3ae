import { Hono } from 'hono';
import { page } from '#sandbox-page';
import { isErrorNamed } from '../../src/validation/builtins.js';
import { OptionsError } from '../arguments/checked-options.js';
import { IllegalTransitionError, UnknownIdError } from '../arguments/control-errors.js';
import type { Counts } from '../control/responses.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import { prefix } from '../http/control-paths.js';
import type { Journal } from '../http/journal.js';
import { createProblem, json, NotFound } from '../http/responses.js';
import type { Ledger } from '../payments/ledger.js';
import type { Changes } from '../state/changes.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import { findState, hasFailed } from '../webhooks/delivery-list.js';
import { type AnyAction, action } from './action.js';
import { actions } from './actions/all.js';
import type { Session } from './copied-test/selection.js';
import { createFeed } from './events.js';
import { buildControlApiDocument } from './openapi.js';
import { readBodyFields, readJsonBody, readQuery } from './read-request.js';

interface Bindings {
  readonly stream: AsyncIterable<Uint8Array>;
}

export type ControlApi = (request: Request, stream: AsyncIterable<Uint8Array>) => Promise<Response>;

/** In characters. */
const longestId = 500;

interface Parts {
  readonly changes: Changes;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortController;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly deliveries: Deliveries;
  readonly timeline: Timeline;
  readonly options: object;
}

export function createControlApi(sandbox: Sandbox, parts: Parts): ControlApi {
  const counts = (): Counts => ({
    payments: parts.ledger.size,
    requests: parts.journal.size,
    rejected: parts.journal.countRejected(),
    deliveries: parts.deliveries.notifications.length,
    failed: parts.deliveries.notifications.filter(hasFailed).length,
    paymentsByStatus: countBy(parts.ledger.records, ({ status }) => status),
    deliveriesByState: countBy(parts.deliveries.notifications, findState),
  });
  const router = new Hono<{ Bindings: Bindings }>({ strict: true });
  const served: readonly AnyAction[] = [
    ...actions,
    description,
    listening(createFeed(parts.changes, parts.closing.signal)),
  ];
  // Paths without parameters come first, so that `unresolved` in `/payments/unresolved` is not read as an id.
  const paths = [...new Set(served.map(findRoute))].sort(
    (one, other) => Number(one.includes(':')) - Number(other.includes(':')),
  );
  for (const path of paths) {
    const known = served.filter((action) => findRoute(action) === path);
    for (const action of known) {
      router.on(action.method, path, ({ req, env }) =>
        run(action, { sandbox, counts, ...parts }, req.raw, req.param(), env.stream),
      );
    }
    router.all(path, ({ req }) =>
      wrongMethod(
        req.method,
        known.map(({ method }) => method),
      ),
    );
  }
  for (const [path, respond] of Object.entries(page)) {
    router.get(prefix + path, respond);
    router.all(prefix + path, ({ req }) => wrongMethod(req.method, ['GET']));
  }
  router.get(prefix, ({ req }) => redirect(`${prefix}/${new URL(req.url).search}`));
  router.notFound(({ req }) => createProblem(404, 'not_found', `The sandbox has no ${shortened(req.path)}.`));
  router.onError((error) => createProblem(500, 'sandbox_error', `The sandbox failed: ${error.message}`));

  return async (request, stream) => {
    const response = await router.fetch(request, { stream });
    const { headers } = response;
    headers.set('cache-control', 'no-store');
    headers.set('x-content-type-options', 'nosniff');
    return response;
  };
}

const description = action({
  id: 'openapi.retrieve',
  route: 'GET /openapi.json',
  summary: '',
  response: { description: '' },
  run: () => buildControlApiDocument(),
});

const listening = (listen: () => Response) =>
  action({
    id: 'events.listen',
    route: 'GET /events',
    summary: '',
    response: { description: '' },
    run: listen,
  });

function countBy<Item>(items: readonly Item[], find: (item: Item) => string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const item of items) found[find(item)] = (found[find(item)] ?? 0) + 1;
  return found;
}

const findRoute = ({ path }: AnyAction) => prefix + path.replaceAll(/\{(\w+)\}/g, ':$1');

async function run(
  action: AnyAction,
  { sandbox, ...context }: Session & { readonly counts: () => Counts; readonly sandbox: Sandbox },
  request: Request,
  params: Record<string, string>,
  stream: AsyncIterable<Uint8Array>,
): Promise<Response> {
  if (Object.values(params).some((value) => value.length > longestId)) {
    return createProblem(404, 'not_found', `An id has at most ${longestId} characters.`);
  }
  const query = readQuery(action, new URL(request.url).searchParams);
  if ('rejection' in query) return query.rejection;
  const read = action.method === 'GET' ? { value: {} } : await readJsonBody(request, stream);
  if ('rejection' in read) return read.rejection;
  const body = readBodyFields(action, read.value);
  if ('rejection' in body) return body.rejection;
  // A HEAD request must not open an event stream, because its response has no body.
  if (request.method === 'HEAD' && action.id === 'events.listen') {
    return new Response(null, { headers: { 'content-type': 'text/event-stream' } });
  }
  try {
    const result = await action.run(sandbox, {
      params,
      body: body.value,
      query: query.value,
      ...context,
    });
    if (result instanceof Response) return result;
    return result === undefined ? new Response(null, { status: 204 }) : json(200, result);
  } catch (error) {
    return createErrorResponse(error, action.rejectionStatus ?? 409);
  }
}

function wrongMethod(method: string, allowed: readonly string[]): Response {
  const names = allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ');
  const response = createProblem(405, 'method_not_allowed', `This path accepts ${names}, not ${method}.`);
  response.headers.set('allow', names);
  return response;
}

const redirect = (location: string) => new Response(null, { status: 308, headers: { location } });

const shortened = (path: string) => (path.length > 100 ? `${path.slice(0, 100)}…` : path);

/** @param rejectionStatus the status for a plain Error */
function createErrorResponse(error: unknown, rejectionStatus: 400 | 409): Response {
  if (error instanceof IllegalTransitionError) {
    const { message, status, legal } = error;
    return json(409, { error: { code: 'illegal_transition', message, issues: [], status, legal } });
  }
  if (error instanceof UnknownIdError || error instanceof NotFound) {
    return createProblem(404, 'not_found', error.message);
  }
  if (error instanceof OptionsError)
    return createProblem(400, 'invalid_request', error.message, error.issues);
  if (isErrorNamed(error, 'TypeError') || isErrorNamed(error, 'RangeError')) {
    return createProblem(400, 'invalid_request', error.message);
  }
  if (error instanceof Error && error.constructor === Error) {
    return createProblem(
      rejectionStatus,
      rejectionStatus === 400 ? 'invalid_request' : 'conflict',
      error.message,
    );
  }
  throw error;
}
