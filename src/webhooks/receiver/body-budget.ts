import { Refusal } from './refusal.js';

/** Bodies of the largest size that may be on their way at the same time. */
const largestBodies = 64;

/**
 * The memory that bodies on their way may take together. Whoever knows the URL can send some of a body over many
 * connections, and only the whole of it can be checked.
 */
export class BodyBudget {
  #left: number;

  constructor(maxBody: number) {
    this.#left = largestBodies * maxBody;
  }

  /** @throws Refusal when there is no more: the platform sends again. */
  take(bytes: number): void {
    if (bytes > this.#left) throw new Refusal('unavailable');
    this.#left -= bytes;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}
