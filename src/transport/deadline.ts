import { follow } from './abort-signals.js';

/** Why a call must stop. */
export type Stop = 'timeout' | 'aborted';

/**
 * One deadline for a whole call: every attempt, every wait and the body of the answer. It holds one
 * timer and at most one listener on the caller's signal, and `close` lets go of both. The clock is
 * monotonic: setting the system time neither stretches nor cuts a call.
 */
export class Deadline {
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal | undefined;
  #unfollow: (() => void) | undefined;
  #stop: Stop | undefined;
  /** What to interrupt: a call does one thing at a time. */
  #interrupt: (() => void) | undefined;

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#endsAt = performance.now() + timeout;
    this.#signal = signal;
    try {
      if (signal?.aborted) this.#stop = 'aborted';
      else if (signal !== undefined) this.#unfollow = follow(signal, () => this.#end('aborted'));
    } catch {
      // A signal that cannot be listened to would never end the call: it does not begin.
      this.#stop = 'aborted';
    }
    this.#timer = setTimeout(() => this.#end('timeout'), timeout);
  }

  /** Set once the call must stop. */
  get stop(): Stop | undefined {
    // The timer may be late: loading or parsing kept the process busy.
    if (this.#stop === undefined && performance.now() >= this.#endsAt) this.#end('timeout');
    return this.#stop;
  }

  /** The reason the caller gave to the signal. */
  get reason(): unknown {
    try {
      return this.#signal?.reason;
    } catch {
      return undefined;
    }
  }

  /** Milliseconds left. */
  get remaining(): number {
    return this.stop === undefined ? Math.max(0, this.#endsAt - performance.now()) : 0;
  }

  /** Names what to interrupt when the call must stop, at once if it must already; `undefined` when there is nothing any more. */
  set interrupt(interrupt: (() => void) | undefined) {
    this.#interrupt = interrupt;
    if (this.#stop !== undefined) interrupt?.();
  }

  /** Waits, or less when the call must stop. */
  wait(milliseconds: number): Promise<void> {
    if (this.#stop !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#interrupt = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#interrupt = done;
    });
  }

  /** What some work brings, or undefined when the call must stop before. The work goes on for whoever else waits for it. */
  race<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        this.#interrupt = undefined;
        done();
      };
      work.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      );
      this.interrupt = () => resolve(undefined);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#interrupt = undefined;
    try {
      this.#unfollow?.();
    } catch {
      // The signal is the caller's: what it throws changes no call.
    }
  }

  #end(stop: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    const interrupt = this.#interrupt;
    this.close();
    interrupt?.();
  }
}
