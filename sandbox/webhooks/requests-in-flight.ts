import { unref } from '#sandbox-runtime';
import { limits } from '../../src/contract/limits.js';
import { isError } from '../../src/validation/builtins.js';
import { longestTimer } from '../../src/validation/time-limit.js';
import type { Clock } from '../time/clock.js';
import { atMost } from '../time/real-time.js';
import type { ReceiverResponse } from '../timeline/timeline.js';
import type { Attempt } from './delivery.js';
import type { InProcessReceivers } from './in-process-receivers.js';

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

/**
 * The maximum number of bytes that are read of a receiver's response, and the maximum real milliseconds for
 * reading.
 */
const maxRead = 2_048;
const readingTime = 250;

/** Never rejects. */
async function post(
  attempt: Attempt,
  receivers: InProcessReceivers,
  signal: AbortSignal,
): Promise<ReceiverResponse | undefined> {
  const { url, headers, body } = attempt;
  if (attempt.fault === 'drop') {
    failAttempt(attempt, new Error('a fault dropped the request'));
    return undefined;
  }
  const start = performance.now();
  try {
    const response = await receivers.send(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    attempt.status = response.status;
    attempt.state = response.ok ? 'delivered' : 'failed';
    const duration = Math.round(performance.now() - start);
    return { duration, body: await readBeginning(response) };
  } catch (error) {
    failAttempt(attempt, error);
    return undefined;
  }
}

/** Only the status counts, so a late or broken body is truncated. */
async function readBeginning({ body }: Response): Promise<string> {
  // A receiver in this process can return a body that it reads itself, or a body that is not a stream.
  if (body?.getReader === undefined || body.locked) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const read = async () => {
    while (bytes < maxRead) {
      const { done, value } = await reader.read();
      if (done) return;
      const part = value.subarray(0, maxRead - bytes);
      bytes += part.length;
      text += decoder.decode(part, { stream: true });
    }
  };
  await atMost(
    readingTime,
    read().catch(() => undefined),
  );
  // Unread bytes would keep the connection open.
  reader.cancel().catch(() => undefined);
  return text;
}

export const createTimeoutError = () =>
  new Error(`no response within ${limits.webhookTimeoutSeconds} seconds`);

export function failAttempt(attempt: Attempt, error: unknown): void {
  attempt.state = 'failed';
  attempt.error = describeReason(error);
}

/** A receiver in this process can throw anything. */
function describeReason(error: unknown): string {
  try {
    return findMessage(error);
  } catch {
    return 'the receiver threw something that has no message';
  }
}

function findMessage(error: unknown): string {
  if (!isError(error)) return String(error);
  return isError(error.cause) ? `${error.message}: ${error.cause.message}` : error.message;
}
