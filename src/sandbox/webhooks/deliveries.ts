import { inspect } from 'node:util';
import { limits } from '../../contract/limits.js';
import { oneOf, type Readers } from '../../input/options.js';
import { type SignatureEncoding, sign } from '../../webhooks/signature.js';
import { receiverPatience, resendDelaysSeconds } from '../choices/values.js';
import { UnknownIdError } from '../control-errors.js';
import type { Random } from '../random.js';
import type { Clock } from '../time/clock.js';
import type { Endpoint } from './endpoints.js';

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
  timestamp?: 'seconds' | 'milliseconds' | 'iso' | undefined;
}

export const signatureReaders: Readers<SignatureOptions> = {
  encoding: oneOf('hex', 'base64'),
  timestamp: oneOf('seconds', 'milliseconds', 'iso'),
};

/** A notification for one endpoint. */
export interface Notification {
  readonly id: string;
  /** Its number among all notifications. */
  readonly order: number;
  readonly endpoint: Endpoint;
  readonly event: string;
  readonly body: string;
  /** In the order of time. */
  readonly attempts: Attempt[];
}

interface Attempt extends Open<DeliveryAttempt> {
  readonly notification: Notification;
}

type Open<Value> = { -readonly [Field in keyof Value]: Value[Field] };

const answerTimeout = limits.webhookTimeoutSeconds * 1_000;

const timestamps: Record<NonNullable<SignatureOptions['timestamp']>, (now: Date) => string> = {
  seconds: (now) => String(Math.floor(now.getTime() / 1_000)),
  milliseconds: (now) => String(now.getTime()),
  iso: (now) => now.toISOString(),
};

/** Sends notifications over HTTP, and again when that fails (API document, Events, Delivery). */
export class Deliveries {
  readonly #attempts: Attempt[] = [];
  readonly #notifications: Notification[] = [];
  readonly #byId = new Map<string, Notification>();
  /**
   * By endpoint: the notifications that wait for the first attempt before them. No entry if none is in
   * flight.
   */
  readonly #queues = new Map<string, Notification[]>();
  readonly #underWay = new Map<Promise<void>, AbortController>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #encoding: SignatureEncoding;
  /** The timestamp of a signature, as text. */
  readonly #timestamp: (now: Date) => string;
  #count = 0;
  #closed = false;

  readonly #onChange: () => void;

  /** @param onChange called when an attempt begins or ends. */
  constructor(
    clock: Clock,
    random: Random,
    { encoding = 'hex', timestamp = 'seconds' }: SignatureOptions,
    onChange: () => void = () => undefined,
  ) {
    this.#onChange = onChange;
    this.#clock = clock;
    this.#random = random;
    this.#encoding = encoding;
    this.#timestamp = timestamps[timestamp];
  }

  /** By time, then by notification, so that the order does not depend on the receivers. */
  list(): DeliveryAttempt[] {
    return this.#attempts
      .toSorted((one, other) =>
        one.at === other.at ? one.notification.order - other.notification.order : one.at < other.at ? -1 : 1,
      )
      .map(shown);
  }

  /** Sends a notification, after the first attempts of earlier ones to the same endpoint. */
  send(endpoint: Endpoint, event: string, body: string): void {
    if (this.#closed) return;
    this.#count += 1;
    const notification = {
      id: this.#random.uuid(),
      order: this.#count,
      endpoint,
      event,
      body,
      attempts: [],
    };
    this.#notifications.push(notification);
    this.#byId.set(notification.id, notification);
    const queue = this.#queues.get(endpoint.shown.id);
    if (queue !== undefined) {
      queue.push(notification);
      return;
    }
    this.#queues.set(endpoint.shown.id, []);
    this.#start(notification, 1);
  }

  /** In the order they were sent. Those that wait for the ones before them have no attempt yet. */
  get notifications(): readonly Notification[] {
    return this.#notifications;
  }

  /** @throws UnknownIdError if there is no such delivery. */
  attemptsOf(deliveryId: string): DeliveryAttempt[] {
    return this.#notification(deliveryId).attempts.map(shown);
  }

  /** Sends the notification of an earlier delivery again, as a new delivery. */
  redeliver(deliveryId: string): void {
    const notification = this.#notification(deliveryId);
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
    for (const controller of this.#underWay.values()) controller.abort(new Error('the sandbox was closed'));
    await this.idle();
  }

  /** Starts an attempt. `clock.advance` waits for its end, at most for `receiverPatience`. */
  #start(notification: Notification, number: number): void {
    if (!notification.endpoint.isActive) {
      if (number === 1) this.#startNext(notification.endpoint.shown.id);
      return;
    }
    const attempt = this.#open(notification, number);
    const controller = new AbortController();
    const giveUp = () =>
      controller.abort(new Error(`no answer within ${limits.webhookTimeoutSeconds} seconds`));
    const timer = setTimeout(giveUp, answerTimeout);
    timer.unref();
    const work = post(attempt, controller.signal).then(() => {
      clearTimeout(timer);
      cancelTimeout();
      if (attempt.state === 'failed') this.#planResend(notification, number);
      if (number === 1) this.#startNext(notification.endpoint.shown.id);
      this.#underWay.delete(work);
      this.#onChange();
    });
    const cancelTimeout = this.#clock.schedule(this.#clock.time() + answerTimeout, () => {
      giveUp();
      return work;
    });
    this.#underWay.set(work, controller);
    this.#clock.hold(atMost(receiverPatience, work));
  }

  #open(notification: Notification, number: number): Attempt {
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
      body,
      headers: Object.freeze(this.#headers(endpoint, body)),
      state: 'pending',
    };
    this.#attempts.push(attempt);
    notification.attempts.push(attempt);
    this.#onChange();
    return attempt;
  }

  #notification(deliveryId: string): Notification {
    const notification = this.#byId.get(deliveryId);
    if (notification === undefined)
      throw new UnknownIdError(`There is no delivery ${inspect(deliveryId)} in this sandbox.`);
    return notification;
  }

  #headers({ secret }: Endpoint, body: string): Record<string, string> {
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

const shown = ({ notification: _, ...delivery }: Attempt): DeliveryAttempt => Object.freeze(delivery);

/** Sends one request and stores the outcome in the attempt. Never rejects. */
async function post(attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { url, headers, body } = attempt;
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    attempt.status = response.status;
    attempt.state = response.ok ? 'delivered' : 'failed';
    // Only the status counts, and an unread body would keep the connection open.
    response.body?.cancel().catch(() => undefined);
  } catch (error) {
    attempt.state = 'failed';
    attempt.error = reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Resolves when some work is done, at the latest after a real time in milliseconds. */
async function atMost(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
    timer.unref();
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
