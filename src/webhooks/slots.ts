import { late, type TimeLimit, unref } from '../validation/time-limit.js';

/** Limits how many deliveries are handled at once. Further deliveries wait in their order of arrival. */
export class DeliverySlots {
  #free: number;
  readonly #waiting = new Set<() => void>();
  readonly #heldAfterTimeout: number;

  /** @param heldAfterTimeout milliseconds that work keeps its slot after its time limit */
  constructor(count: number, heldAfterTimeout: number) {
    this.#free = count;
    this.#heldAfterTimeout = heldAfterTimeout;
  }

  /**
   * Starts the work when a slot is free, and returns its result. If the time is over first, the result is
   * `late`, and `started` is the work if it is still running. The work then keeps its slot, because it may
   * hold a connection that the limit protects. Work that never ends loses its slot after a while, when its
   * transaction is rolled back, so that the receiver can continue.
   */
  async run<Result>(
    limit: TimeLimit,
    start: () => Promise<Result>,
  ): Promise<{ readonly result: Result | typeof late; readonly started: Promise<Result> | undefined }> {
    if (this.#free > 0) this.#free--;
    else if (!(await this.#wait(limit))) return { result: late, started: undefined };
    const started = start();
    let isHeld = true;
    const leave = () => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
    started.then(leave, leave);
    const result = await limit.race(started);
    if (result === late) unref(setTimeout(leave, this.#heldAfterTimeout));
    return { result, started };
  }

  /** Waits until another delivery frees its slot. Returns false if the time is over first. */
  async #wait(limit: TimeLimit): Promise<boolean> {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    this.#waiting.add(enter);
    if ((await limit.race(entered)) !== late) return true;
    // If a slot was assigned at the same moment, it goes to the next delivery.
    if (!this.#waiting.delete(enter)) this.#leave();
    return false;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
