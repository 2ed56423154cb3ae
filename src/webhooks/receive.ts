import { computeDigest, findSigner } from '#platform';
import type { WebhookEvent } from '../contract/events.js';
import { missingValue } from '../contract/patterns.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { isPromise } from '../validation/record.js';
import { late, TimeLimit } from '../validation/time-limit.js';
import { BodyBudget, readStream, wholeBody } from './body.js';
import { DeliveryHandler, type HandlingContext, withSignal } from './handle-once.js';
import { callHook, reportError } from './hooks.js';
import { checkIdentity, chooseHandler, computeIdentity, toKey } from './notification.js';
import {
  createResult,
  KnownOutcomeError,
  outcomeOf,
  type ReceiveOutcome,
  type ReceiveResult,
} from './outcome.js';
import {
  type ReceiverOptions,
  type ResolvedReceiverOptions,
  resolveReceiverOptions,
} from './receiver-options.js';
import { type Endpoint, findEndpoint } from './secrets.js';
import { DeliverySlots } from './slots.js';
import type {
  DeliveryRequest,
  FetchContext,
  IdentifiedDelivery,
  IncomingDelivery,
  Receiver,
  RejectedRequest,
} from './types.js';
import { readEvent, readSignedHeaders, signatureMismatch, withBody } from './verify.js';

/**
 * Creates a webhook receiver. It verifies a delivery's signature and time (API docs, Events, Signature),
 * skips notifications that were handled before, and makes the platform resend deliveries that were not
 * handled. The platform waits for 30 seconds and tries four times in all (API docs, Limits).
 *
 * @throws ConfigurationError naming the wrong options.
 * @example
 * ```ts
 * const receiver = createReceiver({
 *   secret,
 *   dedupe: redisDedupe(redis), // one for all processes; without it, the memory of this process
 *   on: {
 *     'transaction.paid': async (event, delivery) => {
 *       await ship(event.externalReference); // if it throws, the platform retries
 *     },
 *   },
 *   onError: (error) => logger.error(error),
 * });
 * createServer(toNodeHandler(receiver)).listen(3000);
 * ```
 */
export function createReceiver<Transaction = undefined, Context = undefined>(
  input: ReceiverOptions<Transaction, Context>,
): Receiver {
  const options = resolveReceiverOptions(input);
  const budget = new BodyBudget(options.maxBody);
  const concurrency = options.concurrency ?? (options.dedupe ? options.dedupe.concurrency : undefined);
  const slots =
    concurrency === undefined ? undefined : new DeliverySlots(concurrency, options.handlerTimeout);
  const receiveDelivery = (delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult> => {
    const started = performance.now();
    const summary: DeliverySummary = { headers: {}, id: undefined, context: undefined };
    if (options.reports.isFirst('options')) warn(options);
    const work = () => receive(options, budget, slots, delivery, context, summary);
    const received = options.telemetry?.deliveries.observe(work) ?? work();
    if (options.onReceived === undefined) return received;
    return received.then((result) => {
      const duration = performance.now() - started;
      reportReceived(options, result, duration, { ...summary, url: findUrl(delivery) });
      return result;
    });
  };
  return Object.freeze({
    receive: receiveDelivery,
    async fetch(request: Request, context?: FetchContext) {
      // A request with `rawHeaders` is a node:http request. Throwing would end a process that passes one.
      if (typeof request?.method !== 'string' || 'rawHeaders' in request) {
        reportError(options, new TypeError(notARequest), { during: 'body' });
        return new Response(null, { status: 500 });
      }
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
      const { status } = await receiveDelivery(toDelivery(request), context);
      return new Response(null, { status });
    },
  });
}

/** `onError` is not called, because nothing has failed. */
function warn(options: ResolvedReceiverOptions): void {
  const { on, onUnhandled, enqueue, isDedupeDefault } = options;
  const say = (warning: string) =>
    // biome-ignore lint/suspicious/noConsole: a receiver has no other place for warnings
    callHook(options, () => console.warn(warning));
  if (isDedupeDefault) say(rememberedInMemory);
  if (Object.keys(on ?? {}).length === 0 && (onUnhandled ?? enqueue) === undefined) say(handledByNobody);
}

const notARequest =
  'receiver.fetch takes a Request, such as context.req.raw in Hono. In node:http, use toNodeHandler.';

const handledByNobody =
  'createReceiver has no handlers, so it acknowledges every event without an effect. Pass on, onUnhandled or enqueue.';

const rememberedInMemory =
  'createReceiver remembers deliveries in this process only. Pass dedupe: redisDedupe(client) or another store, or memoryDedupe() if one process is enough.';

const toDelivery = (request: Request): IncomingDelivery => ({
  get body() {
    const { body, bodyUsed } = request;
    return bodyUsed || body?.locked ? (undefined as never) : (body ?? '');
  },
  get headers() {
    return request.headers;
  },
  get url() {
    return request.url;
  },
});

interface DeliverySummary {
  headers: IncomingDelivery['headers'];
  id: string | undefined;
  context: unknown;
}

function findUrl(delivery: IncomingDelivery): string | undefined {
  const { url } = Object(delivery) as Partial<IncomingDelivery>;
  return url === undefined ? undefined : String(url).replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
}

function reportReceived(
  options: ResolvedReceiverOptions,
  { outcome, status, reason, event }: ReceiveResult,
  duration: number,
  delivery: DeliverySummary & { readonly url: string | undefined },
): void {
  const hook = () => options.onReceived?.({ outcome, status, duration, reason, event, delivery });
  callHook(options, hook, { event, url: delivery.url, context: delivery.context });
}

/** A failure does not reject the promise. */
async function receive(
  options: ResolvedReceiverOptions,
  budget: BodyBudget,
  slots: DeliverySlots | undefined,
  delivery: IncomingDelivery,
  fetchContext: FetchContext | undefined,
  summary: DeliverySummary,
): Promise<ReceiveResult> {
  const { maxBody } = options;
  const limit = new TimeLimit(options.handlerTimeout);
  let event: WebhookEvent | undefined;
  let context: unknown;
  try {
    const { headers, body: unread } = delivery;
    summary.headers = headers;
    const whole = wholeBody({ body: unread, headers }, maxBody);
    // The headers are checked before the body is read, so that a delivery with invalid headers takes no
    // memory.
    const signature = readSignedHeaders(headers, options, options.now());
    const signed = withBody(signature, whole ?? (await readStream(unread, maxBody, limit, budget)));
    const url = findUrl(delivery);
    const chosen = await chooseEndpoint(options, { headers, url }, limit);
    context = chosen.context;
    const { secrets, name: endpoint } = chosen;
    const secretIndex = await findSigner(signed, secrets);
    if (secretIndex < 0) throw signatureMismatch(secrets.length === 0);
    summary.context = context;
    event = readEvent(signed.body, options.fieldNames);
    const choice = chooseHandler(event, options);
    if (choice.handler === undefined) return createResult(choice.outcome, { event });
    const { body, timestamp } = signed;
    const own = options.identity && (await identify(options, event, { body, url, context }, limit));
    const id = await (own === undefined ? computeIdentity(event, body, endpoint) : toKey(own, endpoint));
    summary.id = id;
    const facts = { headers, url, context, timestamp, secretIndex, transaction: undefined };
    const handled = { id, changed: false, body, ...facts };
    const handling = { options, event, delivery: handled, endpoint, limit, choice, done: {} };
    const outcome = await handle(handling, slots, fetchContext);
    return createResult(outcome, { event });
  } catch (error) {
    if (error instanceof KnownOutcomeError) {
      if (error.cause !== undefined) reportError(options, error.cause, { during: 'body' });
      return createResult(error.outcome, event && { event });
    }
    if (error instanceof WebhookVerificationError)
      return rejectDelivery(options, error, { headers: summary.headers, url: findUrl(delivery), context });
    reportError(options, error, { during: 'body', event, context });
    return createResult('failed', event && { event });
  } finally {
    limit.end();
  }
}

/** If `secret` fails, the delivery is not rejected: a secret that it did not return could match. */
function chooseEndpoint(
  options: ResolvedReceiverOptions,
  request: DeliveryRequest,
  limit: TimeLimit,
): Endpoint | Promise<Endpoint> {
  const { secret } = options;
  if (typeof secret !== 'function') return { secrets: secret, context: undefined, name: undefined };
  return findEndpoint(secret, request, limit).catch((error: unknown) => {
    reportError(options, error, { during: 'secret', url: request.url });
    throw new KnownOutcomeError('unavailable');
  });
}

function rejectDelivery(
  options: ResolvedReceiverOptions,
  error: WebhookVerificationError,
  request: RejectedRequest<unknown>,
): ReceiveResult {
  const { reason } = error;
  const result = createResult(outcomeOf(reason), { reason });
  if (result.outcome === 'failed') {
    reportError(options, error, { during: 'body', url: request.url });
    return result;
  }
  const { onRejected, reports } = options;
  const hook = () =>
    onRejected === undefined ? reports.warnRejected(error) : onRejected(error, request.headers, request);
  callHook(options, hook);
  return result;
}

/** The JSON of a list whose only value is the event's name. */
const onlyNull = /^\["[\w.]+"(?:,(null))+\]$/;

/** An identity that is built from a missing value would be the same for different notifications. */
async function identify(
  options: ResolvedReceiverOptions,
  event: WebhookEvent,
  delivery: IdentifiedDelivery<unknown>,
  limit: TimeLimit,
): Promise<string | undefined> {
  const report = (error: unknown) =>
    reportError(options, error, { during: 'identity', event, url: delivery.url, context: delivery.context });
  try {
    const value = options.identity?.(event, delivery);
    const known = isPromise(value) ? await limit.race(value) : value;
    if (known === late) throw new Error('The function `identity` did not respond in time.');
    if (known === undefined) return undefined;
    const identity = checkIdentity(known);
    const missing = missingValue(identity) ?? onlyNull.exec(identity)?.[1];
    if (missing === undefined) return identity;
    report(new Error(`The function \`identity\` returned a string with ${missing}, so the default is used.`));
    return undefined;
  } catch (error) {
    report(error);
    throw new KnownOutcomeError('failed');
  }
}

/** The time limit includes waiting for a slot. */
async function handle(
  handling: HandlingContext,
  slots: DeliverySlots | undefined,
  context: FetchContext | undefined,
): Promise<ReceiveOutcome> {
  const { options, event, limit } = handling;
  const known = { event, url: handling.delivery.url, context: handling.delivery.context };
  let result: ReceiveOutcome | typeof late;
  let started: Promise<ReceiveOutcome> | undefined;
  if (slots !== undefined) ({ result, started } = await slots.run(limit, () => startHandling(handling)));
  else {
    started = startHandling(handling);
    result = await limit.race(started);
  }
  if (result !== late) return result;
  if (started === undefined)
    reportError(options, new Error(waitedForOthers), { during: 'handler', ...known });
  // The handler is still running. `waitUntil` makes the runtime keep the process alive until it is done.
  else callHook(options, () => typeof context?.waitUntil === 'function' && context.waitUntil(started), known);
  return handling.done.outcome ?? 'timed-out';
}

async function startHandling(handling: HandlingContext): Promise<ReceiveOutcome> {
  const { dedupe } = handling.options;
  return dedupe === false
    ? handleAlways(handling)
    : new DeliveryHandler(handling, dedupe, await computeDigest(handling.delivery.body)).run();
}

const waitedForOthers =
  'The delivery was not handled in time, because others ran. Raise concurrency, or lower it below the size of the pool that handlers wait for.';

async function handleAlways({
  options,
  event,
  delivery,
  limit,
  choice,
}: HandlingContext): Promise<ReceiveOutcome> {
  try {
    await choice.handler?.(event, withSignal(delivery, limit));
    return choice.outcome;
  } catch (error) {
    reportError(options, error, { during: 'handler', event, url: delivery.url, context: delivery.context });
    return 'failed';
  }
}
