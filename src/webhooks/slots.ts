import { late, type TimeLimit, unref } from '../validation/time-limit.js';

/** Further deliveries wait in their order of arrival. */
export class DeliverySlots {
  #free: number;
  readonly #waiting = new Set<() => void>();
  readonly #heldAfterTimeout: number;

  constructor(count: number, heldAfterTimeout: number) {
    this.#free = count;
    this.#heldAfterTimeout = heldAfterTimeout;
  }

  /**
   * After its time limit, the work keeps its slot, because it may hold a connection that the limit protects.
   * Work that never ends loses its slot after a while, when its transaction is rolled back, so that the
   * receiver can continue.
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
