import { inspect } from 'node:util';
import { limits } from '../../contract/limits.js';
import { oneOf, type Readers } from '../../input/options.js';
import { type SignatureEncoding, sign } from '../../webhooks/signature.js';
import { receiverPatience, resendDelaysSeconds } from '../choices/values.js';
import type { Random } from '../random.js';
import type { Clock } from '../time/clock.js';
import { atMost } from '../time/real-time.js';
import { corrupted, type DeliveryFault, type DeliveryFaults, signingSecret } from './delivery-faults.js';
import type { Endpoint } from './endpoints.js';
import type { InProcessReceivers } from './in-process-receivers.js';
import { signedTimestamp, type TimestampForm, timestampForms } from './signed-timestamp.js';

/** One attempt to deliver a notification to an endpoint. */
export interface DeliveryAttempt {
  /** UUID of the delivery, the same for all its attempts. */
  readonly id: string;
  /** UUID of the webhook endpoint. */
  readonly endpointId: string;
  /** The URL of the endpoint at the time of the attempt. */
  readonly url: string;
  /** The `event` of the body, such as `transaction.paid`. */
  readonly event: string;
  /** 1 for the first, 2 to 4 for the resends. */
  readonly attempt: number;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** The HTTP status of the receiver's answer; undefined without an answer. */
  readonly status: number | undefined;
  /** Why there is no answer. */
  readonly error: string | undefined;
  /** The fault of `webhooks.faults` that hit it; undefined for one that went as it should. */
  readonly fault: DeliveryFault | undefined;
  /** Exactly as sent. */
  readonly body: string;
  /** As sent, names in lower case; with the signature if the endpoint has a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** `pending` until the attempt ends, then `delivered` (2xx) or `failed`. */
  readonly state: 'pending' | 'delivered' | 'failed';
}

/** How notifications are signed, which is undocumented. */
export interface SignatureOptions {
  /** Encoding of the signature. Default `hex`. */
  encoding?: SignatureEncoding | undefined;
  /** Form of the signed timestamp. Default `seconds`. */
  timestamp?: TimestampForm | undefined;
}

export const signatureReaders: Readers<SignatureOptions> = {
  encoding: oneOf('hex', 'base64'),
  timestamp: oneOf(...timestampForms),
};

/** A notification for one endpoint. */
interface Notification {
  readonly id: string;
  /** Its number among all notifications. */
  readonly order: number;
  readonly endpoint: Endpoint;
  readonly event: string;
  readonly body: string;
}

type Attempt = { -readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] } & {
  readonly notification: Notification;
};

const answerTimeout = limits.webhookTimeoutSeconds * 1_000;

/** Sends notifications to their endpoints, and again when that fails (API document, Events, Delivery). */
export class Deliveries {
  readonly #attempts: Attempt[] = [];
  /**
   * By endpoint: the notifications that wait for the first attempt before them. No entry if none is in
   * flight.
   */
  readonly #queues = new Map<string, Notification[]>();
  readonly #underWay = new Map<Promise<void>, AbortController>();
  /** By endpoint: the requests that a fault keeps until the next one has arrived. */
  readonly #heldBack = new Map<string, ((then: () => void) => void)[]>();
  readonly faults: DeliveryFaults;
  readonly #receivers: InProcessReceivers;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #encoding: SignatureEncoding;
  /** The timestamp of a signature, as text. */
  readonly #timestamp: (now: Date) => string;
  #count = 0;
  #closed = false;

  constructor(
    clock: Clock,
    random: Random,
    { faults, receivers }: { faults: DeliveryFaults; receivers: InProcessReceivers },
    { encoding = 'hex', timestamp = 'seconds' }: SignatureOptions,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.faults = faults;
    this.#receivers = receivers;
    this.#encoding = encoding;
    this.#timestamp = signedTimestamp[timestamp];
  }

  /** By time, then by notification, so that the order does not depend on the receivers. */
  list(): DeliveryAttempt[] {
    return this.#attempts
      .toSorted((one, other) =>
        one.at === other.at ? one.notification.order - other.notification.order : one.at < other.at ? -1 : 1,
      )
      .map(({ notification: _, ...delivery }) => Object.freeze(delivery));
  }

  /** Sends a notification, after the first attempts of earlier ones to the same endpoint. */
  send(endpoint: Endpoint, event: string, body: string): void {
    if (this.#closed) return;
    this.#count += 1;
    const notification = { id: this.#random.uuid(), order: this.#count, endpoint, event, body };
    const queue = this.#queues.get(endpoint.shown.id);
    if (queue !== undefined) {
      queue.push(notification);
      return;
    }
    this.#queues.set(endpoint.shown.id, []);
    this.#start(notification, 1);
  }

  /** Sends the notification of an earlier delivery again, as a new delivery. */
  redeliver(deliveryId: string): void {
    const notification = this.#attempts.find(({ id }) => id === deliveryId)?.notification;
    if (notification === undefined)
      throw new Error(`There is no delivery ${inspect(deliveryId)} in this sandbox.`);
    const { id, status } = notification.endpoint.shown;
    if (!notification.endpoint.isActive)
      throw new Error(`Webhook endpoint ${id} is ${status}: it receives nothing.`);
    this.send(notification.endpoint, notification.event, notification.body);
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queues.clear();
    this.#heldBack.clear();
    for (const controller of this.#underWay.values()) controller.abort(new Error('the sandbox was closed'));
    await this.idle();
  }

  /** Starts an attempt, with the fault that hits it. */
  #start(notification: Notification, number: number): void {
    const { endpoint, event, id: deliveryId } = notification;
    const endpointId = endpoint.shown.id;
    if (!endpoint.isActive) {
      if (number === 1) this.#startNext(endpointId);
      return;
    }
    const rule = this.faults.take({ event, endpointId, deliveryId, attempt: number });
    const attempt = this.#open(notification, number, rule?.fault);
    const deadline = this.#clock.time() + answerTimeout;
    const startNext = () => {
      if (number === 1) this.#startNext(endpointId);
    };
    const end = (then: () => void) => {
      if (attempt.state === 'failed') this.#planResend(notification, number);
      const proceed = () => this.#sendHeldBack(endpointId, then);
      if (rule?.fault === 'duplicate') this.#send(this.#again(attempt), deadline, proceed);
      else proceed();
    };
    if (rule?.fault !== 'delay' && rule?.fault !== 'reorder') {
      this.#send(attempt, deadline, () => end(startNext));
      return;
    }
    const cancelTimeout = this.#clock.schedule(deadline, () => {
      fail(attempt, noAnswer());
      this.#planResend(notification, number);
    });
    /** A request whose attempt has failed arrives, too; its answer comes too late. */
    const send = (then: () => void) => {
      cancelTimeout();
      if (attempt.state === 'failed') {
        this.#send({ ...attempt }, this.#clock.time() + answerTimeout, then);
      } else this.#send(attempt, deadline, () => end(then));
    };
    if (rule.fault === 'delay') {
      this.#clock.schedule(this.#clock.time() + rule.delay, () => send(() => undefined));
    } else {
      this.#heldBack.set(endpointId, [...(this.#heldBack.get(endpointId) ?? []), send]);
    }
    startNext();
  }

  /**
   * Sends the request of an attempt, which fails at the deadline. `clock.advance` waits for its end, at most
   * for `receiverPatience`.
   */
  #send(attempt: Attempt, deadline: number, then: () => void): void {
    const controller = new AbortController();
    const giveUp = () => controller.abort(noAnswer());
    const timer = setTimeout(giveUp, answerTimeout);
    timer.unref();
    const work = post(attempt, this.#receivers, controller.signal).then(() => {
      clearTimeout(timer);
      cancelTimeout();
      then();
      this.#underWay.delete(work);
    });
    const cancelTimeout = this.#clock.schedule(deadline, () => {
      giveUp();
      return work;
    });
    this.#underWay.set(work, controller);
    this.#clock.hold(atMost(receiverPatience, work));
  }

  /** Sends what was held back until a request had arrived, one after the other. */
  #sendHeldBack(endpointId: string, then: () => void): void {
    const send = this.#heldBack.get(endpointId)?.shift();
    if (send === undefined) then();
    else send(() => this.#sendHeldBack(endpointId, then));
  }

  /** A second request of an attempt. */
  #again(attempt: Attempt): Attempt {
    const again = { ...attempt, at: this.#clock.timestamp(), state: 'pending' as const };
    again.status = undefined;
    again.error = undefined;
    this.#attempts.push(again);
    return again;
  }

  #open(notification: Notification, number: number, fault: DeliveryFault | undefined): Attempt {
    const { endpoint, event, body } = notification;
    const attempt: Attempt = {
      notification,
      id: notification.id,
      endpointId: endpoint.shown.id,
      url: endpoint.shown.endpoint,
      event,
      attempt: number,
      at: this.#clock.timestamp(),
      status: undefined,
      error: undefined,
      fault,
      body: fault === 'corrupt' ? corrupted(body) : body,
      headers: Object.freeze(this.#headers(signingSecret(endpoint, fault), body)),
      state: 'pending',
    };
    this.#attempts.push(attempt);
    return attempt;
  }

  #headers(secret: string | undefined, body: string): Record<string, string> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return headers;
    const timestamp = this.#timestamp(this.#clock.now());
    return { ...headers, ...sign({ body, secret, encoding: this.#encoding, timestamp }) };
  }

  #planResend(notification: Notification, number: number): void {
    const delay = resendDelaysSeconds[number - 1];
    if (delay === undefined || this.#closed) return;
    this.#clock.schedule(this.#clock.time() + delay * 1_000, () => this.#start(notification, number + 1));
  }

  #startNext(endpointId: string): void {
    const next = this.#queues.get(endpointId)?.shift();
    if (next === undefined) this.#queues.delete(endpointId);
    else this.#start(next, 1);
  }
}

/** Sends one request and stores the outcome in the attempt. Never rejects. */
async function post(attempt: Attempt, receivers: InProcessReceivers, signal: AbortSignal): Promise<void> {
  const { url, headers, body } = attempt;
  if (attempt.fault === 'drop') return fail(attempt, new Error('a fault dropped the request'));
  try {
    const response = await receivers.send(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    attempt.status = response.status;
    attempt.state = response.ok ? 'delivered' : 'failed';
    // Only the status counts, and an unread body would keep the connection open.
    response.body?.cancel().catch(() => undefined);
  } catch (error) {
    fail(attempt, error);
  }
}

const noAnswer = () => new Error(`no answer within ${limits.webhookTimeoutSeconds} seconds`);

function fail(attempt: Attempt, error: unknown): void {
  attempt.state = 'failed';
  attempt.error = reasonOf(error);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
