import { type Duration, longestTimer, milliseconds } from './duration.js';

/** The sandbox's time. What expires or is sent again does so on this clock. */
export interface SandboxClock {
  now(): Date;
  /**
   * Moves the time forward and runs everything that falls due on the way, in order: Pix and boleto
   * expiries, decisions on onboardings, resends of webhook deliveries. Resolves when all of it is done;
   * await it.
   *
   * @param duration milliseconds, or `'500ms'`, `'30s'`, `'15m'`, `'1h'`, `'2d'`.
   * @throws TypeError when the duration is unreadable.
   */
  advance(duration: Duration): Promise<void>;
}

/** Work that is due at a time. A promise it returns keeps the clock where it is, and never rejects. */
export type Task = () => void | Promise<void>;

interface Appointment {
  readonly at: number;
  /** Breaks ties: what was scheduled first runs first. */
  readonly order: number;
  readonly task: Task;
}

/** The last millisecond that a Date can tell. */
const endOfTime = 8.64e15;

export class Clock implements SandboxClock {
  /** The standing time of a frozen clock; undefined when the clock follows the system's. */
  #frozenAt: number | undefined;
  /** How far a following clock is ahead of the system's. */
  #ahead = 0;
  /** Sorted by time, then by order. */
  readonly #agenda: Appointment[] = [];
  #scheduled = 0;
  readonly #held = new Set<Promise<void>>();
  #advancing = 0;
  #lastAdvance: Promise<void> = Promise.resolve();
  #alarm: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param frozenAt milliseconds since 1970; without it the clock follows the system's. */
  constructor(frozenAt?: number) {
    this.#frozenAt = frozenAt;
  }

  now(): Date {
    return new Date(this.time());
  }

  /** Milliseconds since 1970. */
  time(): number {
    return this.#frozenAt ?? Date.now() + this.#ahead;
  }

  /** ISO 8601, UTC. */
  timestamp(): string {
    return this.now().toISOString();
  }

  /** Advances follow one another, and where nothing is due, the time has moved when this returns. */
  advance(duration: Duration): Promise<void> {
    const previous = this.#advancing > 0 ? this.#lastAdvance : undefined;
    const advance = this.#advance(duration, previous);
    this.#lastAdvance = advance.catch(() => undefined);
    return advance;
  }

  /** Runs a task at a time, or at the next opportunity when that has passed. Returns how to call it off. */
  schedule(at: number, task: Task): () => void {
    this.#scheduled += 1;
    const appointment = { at, order: this.#scheduled, task };
    this.#agenda.splice(this.#position(appointment), 0, appointment);
    this.#setAlarm();
    return () => {
      const position = this.#position(appointment);
      if (this.#agenda[position] === appointment) this.#agenda.splice(position, 1);
    };
  }

  /** Keeps the clock where it is until some work is done. The work never rejects. */
  hold(work: Promise<void>): void {
    this.#held.add(work);
    void work.then(() => this.#held.delete(work));
  }

  close(): void {
    this.#closed = true;
    this.#agenda.length = 0;
    clearTimeout(this.#alarm);
  }

  async #advance(duration: Duration, previous: Promise<void> | undefined): Promise<void> {
    this.#advancing += 1;
    try {
      const by = milliseconds(duration);
      if (previous !== undefined) await previous;
      const target = this.time() + by;
      if (target > endOfTime) throw new RangeError('The clock cannot go beyond the year 275760.');
      while (true) {
        while (this.#held.size > 0) await Promise.all(this.#held);
        const next = this.#agenda[0];
        if (next === undefined || next.at > target) break;
        this.#agenda.shift();
        this.#moveTo(next.at);
        const work = next.task();
        if (work !== undefined) this.hold(work);
      }
      this.#moveTo(target);
    } finally {
      this.#advancing -= 1;
      this.#setAlarm();
    }
  }

  #moveTo(time: number): void {
    const now = this.time();
    if (time <= now) return;
    if (this.#frozenAt === undefined) this.#ahead += time - now;
    else this.#frozenAt = time;
  }

  /** Where an appointment stands in the agenda, or belongs. */
  #position({ at, order }: Appointment): number {
    let low = 0;
    let high = this.#agenda.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#agenda[middle];
      if (other !== undefined && (other.at < at || (other.at === at && other.order < order)))
        low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A following clock wakes up by itself; a frozen one waits to be moved. */
  #setAlarm(): void {
    if (this.#frozenAt !== undefined || this.#closed) return;
    clearTimeout(this.#alarm);
    const next = this.#agenda[0];
    if (next === undefined) return;
    const wait = Math.min(Math.max(next.at - this.time(), 0), longestTimer);
    this.#alarm = setTimeout(() => void this.advance(0), wait);
    this.#alarm.unref();
  }
}
