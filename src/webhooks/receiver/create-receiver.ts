import type { WebhookEvent } from '../../contract/events.js';
import { WebhookVerificationError } from '../../errors/webhook.js';
import { digestOf, matchingSecret } from '../crypto.js';
import { readSignedDelivery, signatureMismatch } from '../delivery.js';
import { readEvent } from '../read-event.js';
import type { RawBody } from '../signature.js';
import type { Match } from '../web-crypto.js';
import { chooseHandler } from './choose-handler.js';
import { HandleOnce, type Job } from './handle-once.js';
import { checkedIdentity, identityOf } from './identity.js';
import { answer, type ReceiveOutcome, type ReceiveResult } from './outcome.js';
import { readBody } from './read-body.js';
import { Received } from './received.js';
import { type ResolvedReceiverOptions, resolveReceiverOptions } from './receiver-options.js';
import { Reports } from './reports.js';
import { isPromise } from './store-step.js';
import { late, TimeLimit } from './time-limit.js';
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

/** Stops the work on a delivery: the answer is known. */
class Refusal extends Error {
  constructor(readonly outcome: ReceiveOutcome) {
    super(outcome);
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

  constructor(options: ResolvedReceiverOptions) {
    this.#options = options;
    this.#reports = new Reports(options);
    this.#once = options.store && new HandleOnce(options, options.store, this.#reports);
  }

  async fetch(request: Request, context?: FetchContext | object): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const isRead = request.bodyUsed || request.body?.locked;
    const body = isRead ? (undefined as never) : (request.body ?? '');
    const { status } = await this.receive({ body, headers: request.headers }, context);
    return new Response(null, { status });
  }

  async receive(delivery: IncomingDelivery, context?: FetchContext): Promise<ReceiveResult> {
    const limit = new TimeLimit(this.#options.handlerTimeout);
    let headers: IncomingDelivery['headers'] = {};
    let event: WebhookEvent | undefined;
    try {
      headers = delivery.headers;
      const body = await readBody({ body: delivery.body, headers }, this.#options.maxBody, limit);
      const authentic = await this.#authenticate(body, headers, limit);
      event = authentic.event;
      return answer(await this.#handle(authentic, headers, limit, context), { event });
    } catch (error) {
      if (error instanceof Refusal) return answer(error.outcome, event && { event });
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
  async #authenticate(
    body: RawBody,
    headers: IncomingDelivery['headers'],
    limit: TimeLimit,
  ): Promise<Authentic> {
    const { checks, now, secrets } = this.#options;
    const signed = readSignedDelivery({ body, headers }, checks, now());
    const current = secrets.current();
    const known = isPromise(current) ? await this.#ask(current, limit, secrets.known) : current;
    let match = await matchingSecret(signed, known);
    const renewed = match === undefined ? secrets.renewed() : undefined;
    if (renewed !== undefined) match = await matchingSecret(signed, await this.#ask(renewed, limit));
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
      this.#reports.error(error, 'secret');
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
    const id = await this.#identify(event, match);
    const delivery = new Received(limit, id, body, headers, timestamp, index);
    const work =
      this.#once === undefined
        ? this.#handleAlways({ event, delivery, choice })
        : this.#once.handle({ event, delivery, choice, digest: await digestOf(body) });
    const outcome = await limit.race(work);
    if (outcome !== late) return outcome;
    if (typeof context?.waitUntil === 'function') context.waitUntil(work);
    return 'timed-out';
  }

  async #identify(event: WebhookEvent, { body }: Match): Promise<string> {
    const { identity } = this.#options;
    if (identity === undefined) return identityOf(event, body);
    try {
      return await checkedIdentity(await identity(event, { body }));
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
