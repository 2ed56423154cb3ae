import type { WebhookEvent } from '../../contract/events.js';
import { WebhookVerificationError } from '../../errors/webhook.js';
import { isPromise, late } from '../../input/outside.js';
import { digestOf, matchingSecret } from '../crypto.js';
import { readSignature, signatureMismatch } from '../delivery.js';
import { hasLoneSurrogate } from '../raw-body.js';
import { readEvent } from '../read-event.js';
import type { Match } from '../web-crypto.js';
import { BodyBudget } from './body-budget.js';
import { chooseHandler } from './choose-handler.js';
import { HandleOnce, type Job } from './handle-once.js';
import { checkedIdentity, identityOf } from './identity.js';
import { answer, type ReceiveOutcome, type ReceiveResult } from './outcome.js';
import { bodyAtHand, readStream } from './read-body.js';
import { Received } from './received.js';
import { type ResolvedReceiverOptions, resolveReceiverOptions } from './receiver-options.js';
import { Refusal } from './refusal.js';
import { Reports } from './reports.js';
import { StillAway } from './secrets.js';
import { TimeLimit } from './time-limit.js';
import type { FetchContext, IncomingDelivery, Receiver, ReceiverOptions } from './types.js';

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
export function createReceiver<Transaction = undefined>(options: ReceiverOptions<Transaction>): Receiver {
  const receiver = new WebhookReceiver(resolveReceiverOptions(options));
  return Object.freeze({
    receive: (delivery: IncomingDelivery, context?: FetchContext) => receiver.receive(delivery, context),
    fetch: (request: Request, context?: FetchContext | object) => receiver.fetch(request, context),
  });
}

/** A Request as a delivery. What its getters throw is an answer of the receiver. */
class RequestDelivery implements IncomingDelivery {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get body(): IncomingDelivery['body'] {
    const { body, bodyUsed } = this.#request;
    return bodyUsed || body?.locked ? (undefined as never) : (body ?? '');
  }

  get headers(): IncomingDelivery['headers'] {
    return this.#request.headers;
  }
}

/** An authentic delivery. */
interface Authentic {
  readonly event: WebhookEvent;
  readonly match: Match;
  readonly timestamp: string;
}

class WebhookReceiver {
  readonly #options: ResolvedReceiverOptions;
  readonly #reports: Reports;
  readonly #once: HandleOnce | undefined;
  readonly #budget: BodyBudget;

  constructor(options: ResolvedReceiverOptions) {
    this.#options = options;
    this.#reports = new Reports(options);
    this.#budget = new BodyBudget(options.maxBody);
    this.#once = options.store && new HandleOnce(options, options.store, this.#reports);
  }

  async fetch(request: Request, context?: FetchContext | object): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const { status } = await this.receive(new RequestDelivery(request), context);
    return new Response(null, { status });
  }

  async receive(delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult> {
    const limit = new TimeLimit(this.#options.handlerTimeout);
    let headers: IncomingDelivery['headers'] = {};
    let event: WebhookEvent | undefined;
    try {
      headers = delivery.headers;
      const authentic = await this.#authenticate({ body: delivery.body, headers }, limit);
      event = authentic.event;
      return answer(await this.#handle(authentic, headers, limit, context), { event });
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.cause !== undefined) this.#reports.error(error.cause, 'body');
        return answer(error.outcome, event && { event });
      }
      if (error instanceof WebhookVerificationError) return this.#refuse(error, headers);
      this.#reports.error(error, 'body');
      return answer('failed');
    } finally {
      limit.end();
    }
  }

  #refuse(error: WebhookVerificationError, headers: IncomingDelivery['headers']): ReceiveResult {
    const { reason } = error;
    if (reason === 'body-already-parsed') {
      this.#reports.error(error, 'body');
      return answer('failed', { reason });
    }
    this.#reports.rejected(error, headers);
    if (reason === 'body-too-large') return answer('too-large', { reason });
    return answer(reason === 'body-incomplete' ? 'incomplete' : 'rejected', { reason });
  }

  /** @throws WebhookVerificationError, Refusal */
  async #authenticate(delivery: IncomingDelivery, limit: TimeLimit): Promise<Authentic> {
    const { checks, now, secrets, maxBody } = this.#options;
    const atHand = bodyAtHand(delivery, maxBody);
    // Before a body that is on its way is read: what these headers refuse takes no memory.
    const signed = readSignature(delivery.headers, checks, now());
    const body = atHand ?? (await readStream(delivery.body, maxBody, limit, this.#budget));
    if (typeof body === 'string' && hasLoneSurrogate(body)) throw signatureMismatch();
    const current = secrets.current();
    const known = isPromise(current) ? await this.#ask(current, limit, secrets.known) : current;
    let match = await matchingSecret({ ...signed, body }, known);
    const renewed = match === undefined ? secrets.renewed() : undefined;
    if (renewed !== undefined)
      match = await matchingSecret({ ...signed, body }, await this.#ask(renewed, limit));
    if (match === undefined) throw signatureMismatch();
    return { match, timestamp: signed.timestamp, event: readEvent(match.body, checks.toSdkNames) };
  }

  /** Secrets from their source, or else the known ones. @throws Refusal if there are none. */
  async #ask(
    asked: PromiseLike<readonly string[]>,
    limit: TimeLimit,
    known?: readonly string[],
  ): Promise<readonly string[]> {
    try {
      const secrets = await limit.race(asked);
      if (secrets !== late) return secrets;
      throw new Error('The function `secret` did not answer in time.');
    } catch (error) {
      if (!(error instanceof StillAway)) this.#reports.error(error, 'secret');
      if (known !== undefined) return known;
      throw new Refusal('unavailable');
    }
  }

  /** @throws Refusal */
  async #handle(
    { event, match, timestamp }: Authentic,
    headers: IncomingDelivery['headers'],
    limit: TimeLimit,
    context: FetchContext | undefined,
  ): Promise<ReceiveOutcome> {
    const choice = chooseHandler(event, this.#options);
    if (choice.handler === undefined) return choice.outcome;
    const { body, index } = match;
    const id = await this.#identify(event, match, limit);
    const delivery = new Received(limit, {
      id,
      changed: false,
      body,
      headers,
      timestamp,
      secretIndex: index,
      transaction: undefined,
    });
    const work =
      this.#once === undefined
        ? this.#handleAlways({ event, delivery, choice })
        : this.#once.handle({ event, delivery, choice, digest: await digestOf(body) });
    const outcome = await limit.race(work);
    if (outcome !== late) return outcome;
    try {
      if (typeof context?.waitUntil === 'function') context.waitUntil(work);
    } catch (error) {
      this.#reports.error(error, 'hook', event);
    }
    return 'timed-out';
  }

  async #identify(event: WebhookEvent, { body }: Match, limit: TimeLimit): Promise<string> {
    const { identity } = this.#options;
    if (identity === undefined) return identityOf(event, body);
    try {
      const given = identity(event, { body });
      const known = isPromise(given) ? await limit.race(given) : given;
      if (known === late) throw new Error('The function `identity` did not answer in time.');
      return await checkedIdentity(known);
    } catch (error) {
      this.#reports.error(error, 'identity', event);
      throw new Refusal('failed');
    }
  }

  async #handleAlways({ event, delivery, choice }: Omit<Job, 'digest'>): Promise<ReceiveOutcome> {
    try {
      await choice.handler?.(event, delivery);
      return choice.outcome;
    } catch (error) {
      this.#reports.error(error, 'handler', event);
      return 'failed';
    }
  }
}
