import { inspect } from 'node:util';
import { limits } from '../../contract/limits.js';
import { oneOf, type Readers } from '../../input/options.js';
import { type SignatureEncoding, sign } from '../../webhooks/signature.js';
import { receiverPatience, resendDelaysSeconds } from '../choices/values.js';
import { UnknownIdError } from '../control-errors.js';
import type { Random } from '../random.js';
import { Sequence } from '../state/sequence.js';
import type { Tables } from '../state/state.js';
import type { Table } from '../state/table.js';
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

type Attempt = { -readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] };

/** A notification for one endpoint, as the sandbox keeps it. */
interface Notification {
  readonly id: string;
  /** Its number among all notifications. */
  readonly order: number;
  readonly endpointId: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: Attempt[];
  /** Milliseconds since 1970: when it is sent again; undefined if it is not. */
  resendAt: number | undefined;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly signature: SignatureOptions;
  readonly tables: Tables;
  /** Of any merchant. */
  readonly endpoint: (id: string) => Endpoint | undefined;
}

const answerTimeout = limits.webhookTimeoutSeconds * 1_000;

const timestamps: Record<NonNullable<SignatureOptions['timestamp']>, (now: Date) => string> = {
  seconds: (now) => String(Math.floor(now.getTime() / 1_000)),
  milliseconds: (now) => String(now.getTime()),
  iso: (now) => now.toISOString(),
};

/** Sends notifications over HTTP, and again when that fails (API document, Events, Delivery). */
export class Deliveries {
  readonly #notifications: Table<Notification>;
  readonly #orders: Sequence;
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
  readonly #endpoint: (id: string) => Endpoint | undefined;
  /** Set while nothing is sent. */
  #stopped = false;

  constructor({ clock, random, signature, tables, endpoint }: Parts) {
    const { encoding = 'hex', timestamp = 'seconds' } = signature;
    this.#notifications = tables.table('notifications');
    this.#orders = new Sequence('last notification', 1, tables);
    this.#clock = clock;
    this.#random = random;
    this.#encoding = encoding;
    this.#timestamp = timestamps[timestamp];
    this.#endpoint = endpoint;
  }

  /** By time, then by notification, so that the order does not depend on the receivers. */
  list(): DeliveryAttempt[] {
    return Array.from(this.#notifications.values())
      .flatMap(({ order, attempts }) => attempts.map((attempt) => ({ order, attempt })))
      .toSorted((one, other) =>
        one.attempt.at === other.attempt.at
          ? one.order - other.order
          : one.attempt.at < other.attempt.at
            ? -1
            : 1,
      )
      .map(({ attempt }) => Object.freeze({ ...attempt }));
  }

  /** Number of attempts. */
  get count(): number {
    return Array.from(this.#notifications.values()).reduce((sum, { attempts }) => sum + attempts.length, 0);
  }

  /** Sends a notification, after the first attempts of earlier ones to the same endpoint. */
  send(endpointId: string, event: string, body: string): void {
    if (this.#stopped) return;
    const id = this.#random.uuid();
    const order = this.#orders.next();
    const notification = { id, order, endpointId, event, body, attempts: [], resendAt: undefined };
    this.#notifications.set(id, notification);
    this.#enqueue(notification);
  }

  /** Sends the notification of an earlier delivery again, as a new delivery. */
  redeliver(deliveryId: string): void {
    const notification = this.#notifications.get(deliveryId);
    if (notification === undefined)
      throw new UnknownIdError(`There is no delivery ${inspect(deliveryId)} in this sandbox.`);
    const { endpointId, event, body } = notification;
    const endpoint = this.#endpoint(endpointId);
    if (!endpoint?.isActive)
      throw new Error(
        `Webhook endpoint ${endpointId} is ${endpoint?.shown.status ?? 'unknown'}: it receives nothing.`,
      );
    this.send(endpointId, event, body);
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Ends what is in flight, and sends nothing until `resume`. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queues.clear();
    for (const controller of this.#underWay.values()) controller.abort(new Error('the sandbox was closed'));
    await this.idle();
  }

  /** Goes on with what the state has: what was in flight has failed. */
  resume(): void {
    this.#stopped = false;
    this.#queues.clear();
    for (const notification of this.#notifications.values()) {
      const last = notification.attempts.at(-1);
      if (last === undefined) this.#enqueue(notification);
      if (last?.state === 'pending') {
        Object.assign(last, { state: 'failed', error: 'the sandbox ended before an answer' });
        this.#planResend(notification);
        this.#changed(notification);
      } else if (notification.resendAt !== undefined) this.#scheduleResend(notification);
    }
  }

  #enqueue(notification: Notification): void {
    const queue = this.#queues.get(notification.endpointId);
    if (queue !== undefined) {
      queue.push(notification);
      return;
    }
    this.#queues.set(notification.endpointId, []);
    this.#start(notification);
  }

  /** Starts an attempt. `clock.advance` waits for its end, at most for `receiverPatience`. */
  #start(notification: Notification): void {
    const { endpointId, attempts } = notification;
    const endpoint = this.#endpoint(endpointId);
    const isFirst = attempts.length === 0;
    if (!endpoint?.isActive) {
      if (isFirst) this.#startNext(endpointId);
      return;
    }
    const attempt = this.#open(notification, endpoint);
    const controller = new AbortController();
    const giveUp = () =>
      controller.abort(new Error(`no answer within ${limits.webhookTimeoutSeconds} seconds`));
    const timer = setTimeout(giveUp, answerTimeout);
    timer.unref();
    const work = post(attempt, controller.signal).then(() => {
      clearTimeout(timer);
      cancelTimeout();
      if (attempt.state === 'failed') this.#planResend(notification);
      this.#changed(notification);
      if (isFirst) this.#startNext(endpointId);
      this.#underWay.delete(work);
    });
    const cancelTimeout = this.#clock.schedule(this.#clock.time() + answerTimeout, () => {
      giveUp();
      return work;
    });
    this.#underWay.set(work, controller);
    this.#clock.hold(atMost(receiverPatience, work));
  }

  #open(notification: Notification, endpoint: Endpoint): Attempt {
    const { id, endpointId, event, body, attempts } = notification;
    const attempt: Attempt = {
      id,
      endpointId,
      url: endpoint.shown.endpoint,
      event,
      attempt: attempts.length + 1,
      at: this.#clock.timestamp(),
      status: undefined,
      error: undefined,
      body,
      headers: Object.freeze(this.#headers(endpoint, body)),
      state: 'pending',
    };
    attempts.push(attempt);
    notification.resendAt = undefined;
    this.#changed(notification);
    return attempt;
  }

  #headers({ secret }: Endpoint, body: string): Record<string, string> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return headers;
    const timestamp = this.#timestamp(this.#clock.now());
    return { ...headers, ...sign({ body, secret, encoding: this.#encoding, timestamp }) };
  }

  #planResend(notification: Notification): void {
    const delay = resendDelaysSeconds[notification.attempts.length - 1];
    if (delay === undefined || this.#stopped) return;
    notification.resendAt = this.#clock.time() + delay * 1_000;
    this.#scheduleResend(notification);
  }

  #scheduleResend(notification: Notification): void {
    const { resendAt } = notification;
    if (resendAt !== undefined) this.#clock.schedule(resendAt, () => this.#start(notification));
  }

  #startNext(endpointId: string): void {
    const next = this.#queues.get(endpointId)?.shift();
    if (next === undefined) this.#queues.delete(endpointId);
    else this.#start(next);
  }

  #changed(notification: Notification): void {
    this.#notifications.set(notification.id, notification);
  }
}

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
