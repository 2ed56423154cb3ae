import type { Life } from './fleet.js';

/**
 * Injects one fault at a time, 20 to 80 responses after the previous one. The end of the run has no faults.
 */
export class FaultInjector {
  readonly #nextFault: (injected: number, progress: number) => (life: Life) => unknown;
  readonly #random: () => number;
  #responses = 0;
  #next = 40;
  #isFaulty = false;
  #failure: unknown;
  injected = 0;

  constructor(
    random: () => number,
    nextFault: (injected: number, progress: number) => (life: Life) => unknown,
  ) {
    this.#random = random;
    this.#nextFault = nextFault;
  }

  /** Called by the sender at each response. Throws if the previous fault failed. */
  readonly onResponse = (life: Life, progress: number): void => {
    if (this.#failure !== undefined) throw this.#failure;
    if (++this.#responses < this.#next || this.#isFaulty || progress > 0.97) return;
    this.#next = this.#responses + 20 + this.#random() * 60;
    this.#isFaulty = true;
    Promise.resolve(this.#nextFault(this.injected++, progress)(life))
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#isFaulty = false;
      });
  };
}
