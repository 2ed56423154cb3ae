import { Refusal } from './refusal.js';

/** Bodies of the largest size that may be on their way at the same time. */
const largestBodies = 64;

/**
 * The memory that bodies on their way may take together. Whoever knows the URL can send some of a body over many
 * connections, and only the whole of it can be checked.
 */
export class BodyBudget {
  #left: number;
  #nextReport = Number.NEGATIVE_INFINITY;

  constructor(maxBody: number) {
    this.#left = largestBodies * maxBody;
  }

  /** @throws Refusal when there is no more: the platform sends again. */
  take(bytes: number): void {
    if (bytes > this.#left) throw new Refusal('unavailable', this.#report());
    this.#left -= bytes;
  }

  /** What the merchant is told, once a minute: an attack should not fill a log as well. */
  #report(): Error | undefined {
    if (performance.now() < this.#nextReport) return undefined;
    this.#nextReport = performance.now() + 60_000;
    return new Error(
      `The bodies that are on their way take more than ${largestBodies} times maxBody: deliveries are answered 503 until some have arrived.`,
    );
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}
