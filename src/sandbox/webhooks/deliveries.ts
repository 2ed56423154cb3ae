import { inspect } from 'node:util';
import { limits } from '../../contract/limits.js';
import { oneOf, type Readers } from '../../input/options.js';
import { type SignatureEncoding, sign } from '../../webhooks/signature.js';
import { receiverPatience, resendDelaysSeconds } from '../choices/values.js';
import type { Random } from '../random.js';
import type { Clock } from '../time/clock.js';
import type { Endpoint } from './endpoints.js';

/** One attempt to deliver a notification to an endpoint. */
export interface DeliveryAttempt {
  /** UUID, the same for all attempts. */
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly event: string;
  /** 1, and 2 to 4 for the resends. */
  readonly attempt: number;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
  /** Of the receiver's answer. */
  readonly status: number | undefined;
  /** Why there was no answer. */
  readonly error: string | undefined;
  /** Exactly as sent. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'delivered' | 'failed';
}

/** How notifications are signed, which the API document leaves open. */
export interface SignatureOptions {
  /** Default `hex`. */
  encoding?: SignatureEncoding | undefined;
  /** Default `seconds`. */
  timestamp?: 'seconds' | 'milliseconds' | 'iso' | undefined;
}

export const signatureReaders: Readers<SignatureOptions> = {
  encoding: oneOf('hex', 'base64'),
  timestamp: oneOf('seconds', 'milliseconds', 'iso'),
};

/** A notification on its way to one endpoint. */
interface Notice {
  readonly id: string;
  /** Its place among all notifications. */
  readonly order: number;
  readonly endpoint: Endpoint;
  readonly event: string;
  readonly body: string;
}

type Attempt = { -readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] } & {
  readonly notice: Notice;
};

const answerTimeout = limits.webhookTimeoutSeconds * 1_000;

const timestamps: Record<NonNullable<SignatureOptions['timestamp']>, (now: Date) => string> = {
  seconds: (now) => String(Math.floor(now.getTime() / 1_000)),
  milliseconds: (now) => String(now.getTime()),
  iso: (now) => now.toISOString(),
};

/** Sends notifications over HTTP, and again when that fails (API document, Events, Delivery). */
export class Deliveries {
  readonly #attempts: Attempt[] = [];
  /** First attempts that wait for the one before them, by endpoint; an entry exists while one is under way. */
  readonly #lanes = new Map<string, Notice[]>();
  readonly #underWay = new Map<Promise<void>, AbortController>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #encoding: SignatureEncoding;
  /** The timestamp of a signature, as text. */
  readonly #timestamp: (now: Date) => string;
  #notices = 0;
  #closed = false;

  constructor(clock: Clock, random: Random, { encoding = 'hex', timestamp = 'seconds' }: SignatureOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#encoding = encoding;
    this.#timestamp = timestamps[timestamp];
  }

  /** By time, and by notification where the time is the same: the order does not depend on the receivers. */
  list(): DeliveryAttempt[] {
    return this.#attempts
      .toSorted((one, other) =>
        one.at === other.at ? one.notice.order - other.notice.order : one.at < other.at ? -1 : 1,
      )
      .map(({ notice: _, ...delivery }) => Object.freeze(delivery));
  }

  /** Sends a notification: at once, or when the first attempts before it to the same endpoint are over. */
  send(endpoint: Endpoint, event: string, body: string): void {
    if (this.#closed) return;
    this.#notices += 1;
    const notice = { id: this.#random.uuid(), order: this.#notices, endpoint, event, body };
    const lane = this.#lanes.get(endpoint.shown.id);
    if (lane !== undefined) {
      lane.push(notice);
      return;
    }
    this.#lanes.set(endpoint.shown.id, []);
    this.#start(notice, 1);
  }

  /** Sends the notification of an earlier delivery once more, as a delivery of its own. */
  redeliver(deliveryId: string): void {
    const notice = this.#attempts.find(({ id }) => id === deliveryId)?.notice;
    if (notice === undefined) throw new Error(`There is no delivery ${inspect(deliveryId)} in this sandbox.`);
    const { id, status } = notice.endpoint.shown;
    if (!notice.endpoint.isActive)
      throw new Error(`Webhook endpoint ${id} is ${status}: it receives nothing.`);
    this.send(notice.endpoint, notice.event, notice.body);
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#lanes.clear();
    for (const controller of this.#underWay.values()) controller.abort(new Error('the sandbox was closed'));
    await this.idle();
  }

  /** Starts an attempt. The clock stands still until it is over, or until patience with the receiver is. */
  #start(notice: Notice, number: number): void {
    if (!notice.endpoint.isActive) {
      if (number === 1) this.#startNext(notice.endpoint.shown.id);
      return;
    }
    const attempt = this.#open(notice, number);
    const controller = new AbortController();
    const giveUp = () =>
      controller.abort(new Error(`no answer within ${limits.webhookTimeoutSeconds} seconds`));
    const timer = setTimeout(giveUp, answerTimeout);
    timer.unref();
    const work = post(attempt, controller.signal).then(() => {
      clearTimeout(timer);
      callOff();
      if (attempt.state === 'failed') this.#planResend(notice, number);
      if (number === 1) this.#startNext(notice.endpoint.shown.id);
      this.#underWay.delete(work);
    });
    const callOff = this.#clock.schedule(this.#clock.time() + answerTimeout, () => {
      giveUp();
      return work;
    });
    this.#underWay.set(work, controller);
    this.#clock.hold(atMost(receiverPatience, work));
  }

  #open(notice: Notice, number: number): Attempt {
    const { endpoint, event, body } = notice;
    const attempt: Attempt = {
      notice,
      id: notice.id,
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
    return attempt;
  }

  #headers({ secret }: Endpoint, body: string): Record<string, string> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return headers;
    const timestamp = this.#timestamp(this.#clock.now());
    return { ...headers, ...sign({ body, secret, encoding: this.#encoding, timestamp }) };
  }

  #planResend(notice: Notice, number: number): void {
    const delay = resendDelaysSeconds[number - 1];
    if (delay === undefined || this.#closed) return;
    this.#clock.schedule(this.#clock.time() + delay * 1_000, () => this.#start(notice, number + 1));
  }

  #startNext(endpointId: string): void {
    const next = this.#lanes.get(endpointId)?.shift();
    if (next === undefined) this.#lanes.delete(endpointId);
    else this.#start(next, 1);
  }
}

/** One request. What came of it stands in the attempt; it never rejects. */
async function post(attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { url, headers, body } = attempt;
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    attempt.status = response.status;
    attempt.state = response.ok ? 'delivered' : 'failed';
    // The status is all that counts, and an unread body would keep the connection.
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

/** Resolves with some work, or when a real time is over. */
async function atMost(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
    timer.unref();
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
