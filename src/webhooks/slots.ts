import { late, type TimeLimit, unref } from '../validation/time-limit.js';

/** Limits how many deliveries are handled at once. The others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();
  readonly #heldAfterTimeout: number;

  /** @param heldAfterTimeout for how many milliseconds work keeps its slot when its own time is over. */
  constructor(count: number, heldAfterTimeout: number) {
    this.#free = count;
    this.#heldAfterTimeout = heldAfterTimeout;
  }

  /**
   * Starts the work when a slot is free, and returns its result; `late` if the time is over first, with `started` for
   * work that goes on. That keeps its slot, because it keeps the connection that the limit protects. Work that never
   * ends loses it in the end, so that the receiver goes on.
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

  /** Waits for a slot that another delivery leaves. False if the time is over first. */
  async #wait(limit: TimeLimit): Promise<boolean> {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    this.#waiting.add(enter);
    if ((await limit.race(entered)) !== late) return true;
    // If the slot came in the same moment, the next one gets it.
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
