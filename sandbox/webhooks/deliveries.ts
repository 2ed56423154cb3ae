import { unknownId } from '../arguments/control-errors.js';
import type { Behaviour } from '../defaults/all.js';
import {
  chooseSigningSecret,
  corruptBody,
  type DeliveryFault,
  type DeliveryFaults,
} from '../faults/delivery-faults.js';
import type { Random } from '../random/random.js';
import { Sequence } from '../state/sequence.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import type { ReceiverResponse, Timeline } from '../timeline/timeline.js';
import type { Attempt, Notification } from './delivery.js';
import { countFailuresInARow } from './delivery-list.js';
import { type Endpoint, isActive } from './endpoints.js';
import type { InProcessReceivers } from './in-process-receivers.js';
import { createTimeoutError, failAttempt, RequestsInFlight, responseTimeout } from './requests-in-flight.js';
import type { HeaderBuilder } from './signature.js';

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly buildHeaders: HeaderBuilder;
  readonly faults: DeliveryFaults;
  readonly receivers: InProcessReceivers;
  readonly tables: TableFactory;
  readonly timeline: Timeline;
  /** Finds an endpoint of any merchant. */
  readonly endpoint: (id: string) => Endpoint | undefined;
  readonly endpointFailed: (id: string) => void;
  readonly behaviour: Behaviour['webhooks'];
  /** Maximum number of first attempts in flight per endpoint. */
  readonly concurrency: number;
}

/** API docs, Events, Delivery. */
export class Deliveries {
  readonly #notifications: Table<Notification>;
  readonly #orders: Sequence;
  /** An endpoint without attempts in flight has no entry. */
  readonly #queues = new Map<string, { inFlight: number; readonly waiting: Notification[] }>();
  readonly #inFlight: RequestsInFlight;
  /** Requests that the fault `reorder` holds back until the next request has arrived, by endpoint. */
  readonly #heldBack = new Map<string, ((then: () => void) => void)[]>();
  readonly faults: DeliveryFaults;
  readonly #parts: Parts;
  /** True between `stop` and `resume`. */
  #stopped = false;

  constructor(parts: Parts) {
    const { clock, faults, receivers, tables, behaviour } = parts;
    this.#parts = parts;
    this.#notifications = tables.table('notifications');
    this.#orders = new Sequence('last notification', 1, tables);
    this.faults = faults;
    this.#inFlight = new RequestsInFlight(clock, receivers, behaviour.receiverPatience);
  }

  /** In the order they were sent. A notification that waits for an earlier one has no attempt yet. */
  get notifications(): readonly Notification[] {
    return this.#notifications.list();
  }

  notification(deliveryId: string): Notification {
    const notification = this.#notifications.get(deliveryId);
    if (notification === undefined) throw unknownId('delivery', deliveryId);
    return notification;
  }

  /** As soon as the endpoint has room for another first attempt. */
  send(endpointId: string, event: string, body: string, paymentId?: string): void {
    if (this.#stopped) return;
    const id = this.#parts.random.uuid();
    const order = this.#orders.next();
    const notification = { id, order, endpointId, event, paymentId, body, attempts: [], resendAt: undefined };
    this.#notifications.set(id, notification);
    this.#enqueue(notification);
  }

  /** As a new delivery. */
  redeliver(deliveryId: string): void {
    const { endpointId, event, body, paymentId } = this.notification(deliveryId);
    const endpoint = this.#parts.endpoint(endpointId);
    if (endpoint === undefined || !isActive(endpoint))
      throw new Error(
        `Webhook endpoint ${endpointId} is ${endpoint?.shown.status ?? 'unknown'}: it receives nothing.`,
      );
    this.send(endpointId, event, body, paymentId);
  }

  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  /** Sends nothing until `resume`. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queues.clear();
    this.#heldBack.clear();
    await this.#inFlight.abort(new Error('the sandbox was closed'));
  }

  /** Attempts that were in flight count as failed. */
  resume(): void {
    this.#stopped = false;
    this.#queues.clear();
    for (const notification of this.#notifications.values()) {
      const { attempts } = notification;
      const pending = attempts.filter(({ state }) => state === 'pending');
      for (const attempt of pending) failAttempt(attempt, 'the sandbox was closed before a response');
      if (attempts.length === 0) this.#enqueue(notification);
      else if (pending.length > 0) this.#planResend(notification, attempts.length);
      else this.#scheduleResend(notification, attempts.length);
    }
  }

  #enqueue(notification: Notification): void {
    const { endpointId } = notification;
    const queue = this.#queues.get(endpointId) ?? { inFlight: 0, waiting: [] };
    this.#queues.set(endpointId, queue);
    if (queue.inFlight === this.#parts.concurrency) {
      queue.waiting.push(notification);
      return;
    }
    queue.inFlight += 1;
    this.#start(notification, 1);
  }

  #start(notification: Notification, number: number): void {
    const { endpointId, event, id: deliveryId } = notification;
    const endpoint = this.#parts.endpoint(endpointId);
    const startNext = () => {
      if (number === 1) this.#startNext(endpointId);
    };
    if (endpoint === undefined || !isActive(endpoint)) {
      // Otherwise, a saved state would contain a resend that is long due.
      notification.resendAt = undefined;
      this.#changed(notification);
      startNext();
      return;
    }
    const rule = this.faults.take({ event, endpointId, deliveryId, attempt: number });
    const attempt = this.#open(notification, endpoint, number, rule);
    const deadline = this.#parts.clock.time() + responseTimeout;
    const end = (response: ReceiverResponse | undefined, then: () => void) => {
      this.#ended(notification, attempt, response);
      const proceed = () => this.#sendHeldBack(endpointId, then);
      if (rule?.fault === 'duplicate') this.#sendAgain(notification, attempt, deadline, proceed);
      else proceed();
    };
    if (rule?.fault !== 'delay' && rule?.fault !== 'reorder') {
      this.#inFlight.send(attempt, deadline, (response) => end(response, startNext));
      return;
    }
    const cancelTimeout = this.#parts.clock.schedule(deadline, () => {
      failAttempt(attempt, createTimeoutError());
      this.#ended(notification, attempt);
    });
    // Sends the request even if the attempt has already failed, but then ignores the response.
    const send = (then: () => void) => {
      cancelTimeout();
      if (attempt.state === 'failed') {
        this.#inFlight.send({ ...attempt }, this.#parts.clock.time() + responseTimeout, then);
      } else this.#inFlight.send(attempt, deadline, (response) => end(response, then));
    };
    if (rule.fault === 'delay') {
      this.#parts.clock.schedule(this.#parts.clock.time() + rule.delay, () => send(() => undefined));
    } else {
      this.#heldBack.set(endpointId, [...(this.#heldBack.get(endpointId) ?? []), send]);
    }
    startNext();
  }

  /** One after another, after the next request has arrived. */
  #sendHeldBack(endpointId: string, then: () => void): void {
    const send = this.#heldBack.get(endpointId)?.shift();
    if (send === undefined) then();
    else send(() => this.#sendHeldBack(endpointId, then));
  }

  #sendAgain(notification: Notification, attempt: Attempt, deadline: number, then: () => void): void {
    const again: Attempt = {
      ...attempt,
      at: this.#parts.clock.timestamp(),
      state: 'pending',
      status: undefined,
      error: undefined,
    };
    notification.attempts.push(again);
    this.#noteAttempt(notification, again, 0);
    this.#inFlight.send(again, deadline, (response) => {
      this.#noteReceipt(notification, again, response);
      this.#changed(notification);
      then();
    });
  }

  #open(
    notification: Notification,
    endpoint: Endpoint,
    number: number,
    { fault, delay = 0 }: { readonly fault?: DeliveryFault; readonly delay?: number } = {},
  ): Attempt {
    const { id, endpointId, event, body, attempts } = notification;
    const attempt: Attempt = {
      id,
      endpointId,
      url: endpoint.shown.endpoint,
      event,
      attempt: number,
      at: this.#parts.clock.timestamp(),
      status: undefined,
      error: undefined,
      fault,
      body: fault === 'corrupt' ? corruptBody(body) : body,
      headers: this.#parts.buildHeaders(body, chooseSigningSecret(endpoint, fault)),
      state: 'pending',
    };
    attempts.push(attempt);
    this.#noteAttempt(notification, attempt, delay);
    notification.resendAt = undefined;
    this.#changed(notification);
    return attempt;
  }

  #ended(notification: Notification, attempt: Attempt, response?: ReceiverResponse): void {
    this.#noteReceipt(notification, attempt, response);
    if (attempt.state === 'failed') this.#planResend(notification, attempt.attempt);
    this.#changed(notification);
  }

  #noteAttempt({ paymentId, id: deliveryId }: Notification, input: Attempt, delay: number): void {
    const { endpointId, event, attempt, fault } = input;
    this.#parts.timeline.note({
      kind: 'attempt',
      paymentId,
      deliveryId,
      endpointId,
      event,
      attempt,
      fault,
      delay,
    });
  }

  #noteReceipt(
    { paymentId, id: deliveryId }: Notification,
    input: Attempt,
    response?: ReceiverResponse,
  ): void {
    const { event, attempt, state, status, error } = input;
    this.#parts.timeline.note({
      kind: 'receipt',
      paymentId,
      deliveryId,
      event,
      attempt,
      state,
      status,
      error,
      response: response,
    });
  }

  /** @param number the number of the failed attempt */
  #planResend(notification: Notification, number: number): void {
    if (this.#stopped) return;
    const delay = this.#parts.behaviour.resendDelays[number - 1];
    if (delay === undefined) {
      this.#failEndpoint(notification.endpointId);
      return;
    }
    notification.resendAt = this.#parts.clock.time() + delay;
    this.#scheduleResend(notification, number);
    this.#changed(notification);
  }

  #failEndpoint(endpointId: string): void {
    const most = this.#parts.behaviour.endpointFailsAfter;
    if (most === undefined) return;
    const own = this.notifications.filter((one) => one.endpointId === endpointId);
    if (countFailuresInARow(own, this.#parts.behaviour.resendDelays.length) >= most)
      this.#parts.endpointFailed(endpointId);
  }

  #scheduleResend(notification: Notification, number: number): void {
    const { resendAt } = notification;
    if (resendAt !== undefined)
      this.#parts.clock.schedule(resendAt, () => this.#start(notification, number + 1));
  }

  #startNext(endpointId: string): void {
    const queue = this.#queues.get(endpointId);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next !== undefined) this.#start(next, 1);
    else if (queue.inFlight > 1) queue.inFlight -= 1;
    else this.#queues.delete(endpointId);
  }

  #changed(notification: Notification): void {
    this.#notifications.set(notification.id, notification);
  }
}
