import { unref } from '#sandbox-runtime';
import { longestTimer } from '../../src/validation/time-limit.js';
import { Cell } from '../state/cell.js';
import { State, type TableFactory } from '../state/state.js';
import { type Duration, milliseconds } from './duration.js';

/** The sandbox's clock. Expiries and retries depend on it. */
export interface SandboxClock {
  /** Returns the clock's time. */
  now(): Date;
  /** Whether only `advance` moves the clock. Otherwise it follows the system's clock. */
  readonly frozen: boolean;
  /**
   * Moves the time forward and runs everything that is due until then, in order. This includes Pix and boleto
   * expiries, approvals of onboardings, and retries of webhook deliveries. Resolves when all of it is done, but waits
   * for a receiver's response only up to `webhooks.receiverPatience`.
   *
   * @param duration milliseconds, or `'500ms'`, `'30s'`, `'15m'`, `'1h'`, `'2d'`.
   * @throws TypeError for anything else, RangeError for a time after the year 275760.
   */
  advance(duration: Duration): Promise<void>;
}

/** If a task returns a promise, the clock waits for it. The promise must not reject. */
export type Task = () => void | Promise<void>;

interface ScheduledTask {
  readonly at: number;
  /** For tasks with the same time: first scheduled, first run. */
  readonly order: number;
  readonly task: Task;
}

/** The time if the clock is frozen, otherwise its lead over the system's clock. */
interface Position {
  readonly frozenAt?: number | undefined;
  readonly ahead: number;
}

/** The last time that a Date can represent. */
const latestTime = 8.64e15;

export class Clock implements SandboxClock {
  /** Undefined for a clock that follows the system's. */
  #frozenAt: number | undefined;
  /** Milliseconds that an unfrozen clock is ahead of the system's. */
  #ahead = 0;
  /** By time, then by order. */
  readonly #tasks: ScheduledTask[] = [];
  #scheduled = 0;
  /** The clock does not move before this work has ended. */
  readonly #held = new Set<Promise<void>>();
  #advancing = 0;
  #lastAdvance: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  readonly #moved: () => void;
  readonly #onAdvance: (by: number) => void;

  /**
   * @param frozenAt milliseconds since 1970; without it the clock follows the system clock
   * @param tables store the time. Default: it is not stored
   * @param onAdvance called with the milliseconds before the time moves
   */
  constructor(
    frozenAt?: number,
    tables: TableFactory = new State(0),
    onAdvance: (by: number) => void = () => undefined,
  ) {
    this.#onAdvance = onAdvance;
    const first: Position = { frozenAt, ahead: 0 };
    const moveTo = (position = first) => {
      this.#frozenAt = position.frozenAt;
      this.#ahead = position.ahead;
      this.#tasks.length = 0;
    };
    moveTo();
    this.#moved = tables.keep(
      'clock',
      new Cell<Position>(() => ({ frozenAt: this.#frozenAt, ahead: this.#ahead }), moveTo),
    );
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  now(): Date {
    return new Date(this.time());
  }

  /** In milliseconds since 1970. */
  time(): number {
    return this.#frozenAt ?? Date.now() + this.#ahead;
  }

  /** ISO 8601, UTC. */
  timestamp(): string {
    return this.now().toISOString();
  }

  /**
   * Concurrent calls run one after another. If nothing is due or running, the time has already moved when the
   * method returns.
   */
  advance(duration: Duration): Promise<void> {
    const previous = this.#advancing > 0 ? this.#lastAdvance : undefined;
    const advance = this.#advance(duration, previous);
    this.#lastAdvance = advance.catch(() => undefined);
    return advance;
  }

  /** As soon as possible if the time has passed. Returns a function that cancels the task. */
  schedule(at: number, task: Task): () => void {
    this.#scheduled += 1;
    const scheduled = { at, order: this.#scheduled, task };
    this.#tasks.splice(this.#position(scheduled), 0, scheduled);
    this.#setTimer();
    return () => {
      const position = this.#position(scheduled);
      if (this.#tasks[position] === scheduled) this.#tasks.splice(position, 1);
    };
  }

  /** The clock stands until the promise settles, which must not reject. */
  hold(work: Promise<void>): void {
    this.#held.add(work);
    void work.then(() => this.#held.delete(work));
  }

  close(): void {
    this.#closed = true;
    this.#tasks.length = 0;
    clearTimeout(this.#timer);
  }

  async #advance(duration: Duration, previous: Promise<void> | undefined): Promise<void> {
    this.#advancing += 1;
    try {
      const by = milliseconds(duration);
      if (previous !== undefined) await previous;
      const target = this.time() + by;
      if (target > latestTime) throw new RangeError('The clock cannot go beyond the year 275760.');
      while (this.#held.size > 0) await Promise.all(this.#held);
      if (by > 0) this.#onAdvance(by);
      while (true) {
        while (this.#held.size > 0) await Promise.all(this.#held);
        const next = this.#tasks[0];
        if (next === undefined || next.at > target) break;
        this.#tasks.shift();
        this.#moveTo(next.at);
        const work = next.task();
        if (work !== undefined) this.hold(work);
      }
      this.#moveTo(target);
    } finally {
      this.#advancing -= 1;
      this.#setTimer();
    }
  }

  #moveTo(time: number): void {
    const now = this.time();
    if (time <= now) return;
    if (this.#frozenAt === undefined) this.#ahead += time - now;
    else this.#frozenAt = time;
    this.#moved();
  }

  /** Finds the index of a task, or the index to insert it at. */
  #position({ at, order }: ScheduledTask): number {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#tasks[middle];
      if (other !== undefined && (other.at < at || (other.at === at && other.order < order)))
        low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A frozen clock uses no timer, but waits for `advance`. */
  #setTimer(): void {
    if (this.#frozenAt !== undefined || this.#closed) return;
    clearTimeout(this.#timer);
    const next = this.#tasks[0];
    if (next === undefined) return;
    const wait = Math.min(Math.max(next.at - this.time(), 0), longestTimer);
    this.#timer = setTimeout(() => void this.advance(0), wait);
    unref(this.#timer);
  }
}
