import type { WebhookEvent } from '../contract/events.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { isPromise } from '../input/outside.js';
import { BodyBudget, bodyAtHand, Refusal, readStream } from './body.js';
import { digestOf, signerOf } from './crypto.js';
import { readEvent } from './event.js';
import { callHook, tellError } from './hooks.js';
import { checkedIdentity, chooseHandler, identityOf } from './notification.js';
import { Handling, type Job, received } from './once.js';
import { answer, type ReceiveOutcome, type ReceiveResult } from './outcome.js';
import { type ResolvedReceiverOptions, resolveReceiverOptions } from './receiver-options.js';
import { StillAway } from './secrets.js';
import { late, TimeLimit } from './time-limit.js';
import type { FetchContext, IncomingDelivery, Receiver, ReceiverOptions, SignedDelivery } from './types.js';
import { readSignature, signatureMismatch, withBody } from './verify.js';

/**
 * Makes a receiver of webhooks: it checks the signature and the time of a delivery (API document, Events,
 * Signature), handles each notification once, and answers so that the platform sends again exactly what was
 * not handled. The platform waits for 30 seconds and tries four times in all (API document, Limits).
 *
 * The answer is 2xx only when the event was handled, was handled before, or needs no handler.
 *
 * @throws ConfigurationError naming every wrong option.
 * @example
 * ```ts
 * const receiver = createReceiver({
 *   secret,
 *   dedupe: redisDedupe(redis), // one for all processes; without it, the memory of this process
 *   on: {
 *     'transaction.paid': async (event, delivery) => {
 *       await ship(event.externalReference); // if it throws, the platform sends again
 *     },
 *   },
 *   onError: (error) => logger.error(error),
 * });
 * createServer(toNodeHandler(receiver)).listen(3000);
 * ```
 */
export function createReceiver<Transaction = undefined>(given: ReceiverOptions<Transaction>): Receiver {
  const options = resolveReceiverOptions(given);
  const budget = new BodyBudget(options.maxBody);
  const take = (delivery: IncomingDelivery, context?: FetchContext) =>
    receive(options, budget, delivery, context);
  return Object.freeze({
    receive: take,
    async fetch(request: Request, context?: FetchContext) {
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
      const { status } = await take(deliveryOf(request), context);
      return new Response(null, { status });
    },
  });
}

/** A Request as a delivery. What its getters throw becomes an answer of the receiver. */
const deliveryOf = (request: Request): IncomingDelivery => ({
  get body() {
    const { body, bodyUsed } = request;
    return bodyUsed || body?.locked ? (undefined as never) : (body ?? '');
  },
  get headers() {
    return request.headers;
  },
});

/** Checks and handles a delivery. It never rejects. */
async function receive(
  options: ResolvedReceiverOptions,
  budget: BodyBudget,
  delivery: IncomingDelivery,
  context: FetchContext | undefined,
): Promise<ReceiveResult> {
  const limit = new TimeLimit(options.handlerTimeout);
  let headers: IncomingDelivery['headers'] = {};
  let event: WebhookEvent | undefined;
  try {
    headers = delivery.headers;
    const signed = await readSigned(options, budget, limit, { body: delivery.body, headers });
    const secretIndex = await findSigner(options, limit, signed);
    const { body, timestamp, signature } = signed;
    event = readEvent(body, options.fieldNames);
    const outcome = await handle(
      options,
      limit,
      { event, headers, secretIndex, body, timestamp, signature },
      context,
    );
    return answer(outcome, { event });
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.cause !== undefined) tellError(options, error.cause, 'body');
      return answer(error.outcome, event && { event });
    }
    if (error instanceof WebhookVerificationError) return refuse(options, error, headers);
    tellError(options, error, 'body');
    return answer('failed');
  } finally {
    limit.end();
  }
}

/** The answer to a delivery that is not authentic, not recent or not readable. */
function refuse(
  options: ResolvedReceiverOptions,
  error: WebhookVerificationError,
  headers: IncomingDelivery['headers'],
): ReceiveResult {
  const { reason } = error;
  if (reason === 'body-already-parsed') {
    tellError(options, error, 'body');
    return answer('failed', { reason });
  }
  callHook(options, () => options.onRejected?.(error, headers));
  if (reason === 'body-too-large') return answer('too-large', { reason });
  return answer(reason === 'body-incomplete' ? 'incomplete' : 'rejected', { reason });
}

/** Reads a delivery whose timestamp is accepted. @throws WebhookVerificationError, Refusal */
async function readSigned(
  options: ResolvedReceiverOptions,
  budget: BodyBudget,
  limit: TimeLimit,
  delivery: IncomingDelivery,
): Promise<SignedDelivery> {
  const { maxBody } = options;
  const atHand = bodyAtHand(delivery, maxBody);
  // The headers come before a body that is on its way: a delivery that they refuse takes no memory.
  const signature = readSignature(delivery.headers, options, options.now());
  return withBody(signature, atHand ?? (await readStream(delivery.body, maxBody, limit, budget)));
}

/** The position of the secret that signed a delivery. @throws WebhookVerificationError, Refusal */
async function findSigner(
  options: ResolvedReceiverOptions,
  limit: TimeLimit,
  signed: SignedDelivery,
): Promise<number> {
  const { secret: secrets } = options;
  const current = secrets.current();
  const known = isPromise(current) ? await askSecrets(options, limit, current, secrets.known) : current;
  const index = await signerOf(signed, known);
  if (index >= 0) return index;
  const renewed = secrets.renewed();
  if (renewed !== undefined) {
    const position = await signerOf(signed, await askSecrets(options, limit, renewed));
    if (position >= 0) return position;
  }
  throw signatureMismatch();
}

/** Secrets from their source, or else the known ones. @throws Refusal if there are none. */
async function askSecrets(
  options: ResolvedReceiverOptions,
  limit: TimeLimit,
  asked: PromiseLike<readonly string[]>,
  known?: readonly string[],
): Promise<readonly string[]> {
  try {
    const secrets = await limit.race(asked);
    if (secrets !== late) return secrets;
    throw new Error('The function `secret` did not answer in time.');
  } catch (error) {
    if (!(error instanceof StillAway)) tellError(options, error, 'secret');
    if (known !== undefined) return known;
    throw new Refusal('unavailable');
  }
}

/** An authentic delivery. */
interface Authentic extends SignedDelivery {
  readonly event: WebhookEvent;
  readonly headers: IncomingDelivery['headers'];
  readonly secretIndex: number;
}

/** @throws Refusal */
async function handle(
  options: ResolvedReceiverOptions,
  limit: TimeLimit,
  { event, headers, secretIndex, body, timestamp }: Authentic,
  context: FetchContext | undefined,
): Promise<ReceiveOutcome> {
  const choice = chooseHandler(event, options);
  if (choice.handler === undefined) return choice.outcome;
  const id = await identify(options, limit, event, body);
  const facts = { id, changed: false, body, headers, timestamp, secretIndex, transaction: undefined };
  const job: Job = { options, event, facts, limit, choice };
  const work =
    options.dedupe === false
      ? handleAlways(job)
      : new Handling(job, options.dedupe, await digestOf(body)).run();
  const outcome = await limit.race(work);
  if (outcome !== late) return outcome;
  callHook(options, () => typeof context?.waitUntil === 'function' && context.waitUntil(work), event);
  return 'timed-out';
}

async function identify(
  options: ResolvedReceiverOptions,
  limit: TimeLimit,
  event: WebhookEvent,
  body: SignedDelivery['body'],
): Promise<string> {
  if (options.identity === undefined) return identityOf(event, body);
  try {
    const given = options.identity(event, { body });
    const known = isPromise(given) ? await limit.race(given) : given;
    if (known === late) throw new Error('The function `identity` did not answer in time.');
    return await checkedIdentity(known);
  } catch (error) {
    tellError(options, error, 'identity', event);
    throw new Refusal('failed');
  }
}

/** Without a store, each delivery is handled. */
async function handleAlways({ options, event, facts, limit, choice }: Job): Promise<ReceiveOutcome> {
  try {
    await choice.handler?.(event, received(facts, limit));
    return choice.outcome;
  } catch (error) {
    tellError(options, error, 'handler', event);
    return 'failed';
  }
}
