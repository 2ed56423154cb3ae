import { unref } from '#sandbox-runtime';
import { limits } from '../../src/contract/limits.js';
import { longestTimer } from '../../src/validation/time-limit.js';
import type { Clock } from '../time/clock.js';
import { atMost } from '../time/real-time.js';
import type { ReceiverResponse } from '../timeline/timeline.js';
import type { Attempt } from './delivery.js';
import type { InProcessReceivers } from './in-process-receivers.js';
import { createTimeoutError, post } from './send-attempt.js';

/** In milliseconds. */
export const responseTimeout = limits.webhookTimeoutSeconds * 1_000;

export class RequestsInFlight {
  readonly #requests = new Map<Promise<void>, AbortController>();
  readonly #clock: Clock;
  readonly #receivers: InProcessReceivers;
  readonly #patience: number;

  /** @param patience real milliseconds that `clock.advance` waits for a receiver. */
  constructor(clock: Clock, receivers: InProcessReceivers, patience: number) {
    this.#clock = clock;
    this.#receivers = receivers;
    this.#patience = Math.min(patience, longestTimer);
  }

  /** Fails at the deadline on the sandbox's clock. Calls `then` when the request has ended. */
  send(attempt: Attempt, deadline: number, then: (response: ReceiverResponse | undefined) => void): void {
    const controller = new AbortController();
    const giveUp = () => controller.abort(createTimeoutError());
    const timer = setTimeout(giveUp, responseTimeout);
    unref(timer);
    const work = post(attempt, this.#receivers, controller.signal).then((response) => {
      clearTimeout(timer);
      cancelTimeout();
      then(response);
      this.#requests.delete(work);
    });
    const cancelTimeout = this.#clock.schedule(deadline, () => {
      giveUp();
      return work;
    });
    this.#requests.set(work, controller);
    this.#clock.hold(atMost(this.#patience, work));
  }

  async idle(): Promise<void> {
    while (this.#requests.size > 0) await Promise.all(this.#requests.keys());
  }

  async abort(reason: Error): Promise<void> {
    for (const controller of this.#requests.values()) controller.abort(reason);
    await this.idle();
  }
}
