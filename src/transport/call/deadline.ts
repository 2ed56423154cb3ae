export type StopReason = 'timeout' | 'aborted';

/** The clock is monotonic, so a change of the system time neither extends nor shortens a call. */
export class Deadline {
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal | undefined;
  #removeAbortListener: (() => void) | undefined;
  #stopReason: StopReason | undefined;
  /** Interrupts the present step of the call, such as a request or a pause. There is at most one. */
  #interrupt: (() => void) | undefined;

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#endsAt = performance.now() + timeout;
    this.#signal = signal;
    if (signal?.aborted) this.#stopReason = 'aborted';
    else if (signal !== undefined)
      this.#removeAbortListener = listenForAbort(signal, () => this.#end('aborted'));
    this.#timer = setTimeout(() => this.#end('timeout'), timeout);
  }

  get stopReason(): StopReason | undefined {
    // The timer can be late, for example while loading or parsing blocks the process.
    if (this.#stopReason === undefined && performance.now() >= this.#endsAt) this.#end('timeout');
    return this.#stopReason;
  }

  get abortReason(): unknown {
    return this.#signal?.reason;
  }

  get remainingMs(): number {
    return this.stopReason === undefined ? Math.max(0, this.#endsAt - performance.now()) : 0;
  }

  set interrupt(interrupt: (() => void) | undefined) {
    this.#interrupt = interrupt;
    if (this.#stopReason !== undefined) interrupt?.();
  }

  wait(milliseconds: number): Promise<void> {
    if (this.#stopReason !== undefined) return Promise.resolve();
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

  /**
   * Returns the result of `work`, or undefined if the call must stop first. `work` itself continues, because
   * other calls may wait for it.
   */
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
      const stopWaiting = () => resolve(undefined);
      this.interrupt = stopWaiting;
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#interrupt = undefined;
    this.#removeAbortListener?.();
  }

  #end(stopReason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = stopReason;
    const interrupt = this.#interrupt;
    this.close();
    interrupt?.();
  }
}

class AbortListener {
  readonly #callbacks = new Set<() => void>();
  readonly #signal: AbortSignal;
  readonly #notifyAll = () => {
    listeners.delete(this.#signal);
    for (const onAbort of [...this.#callbacks]) onAbort();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#notifyAll, { once: true });
  }

  add(onAbort: () => void): void {
    this.#callbacks.add(onAbort);
  }

  delete(onAbort: () => void): void {
    this.#callbacks.delete(onAbort);
    if (this.#callbacks.size > 0 || listeners.get(this.#signal) !== this) return;
    listeners.delete(this.#signal);
    this.#signal.removeEventListener('abort', this.#notifyAll);
  }
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/** Calls with the same signal share one listener, because Node warns about a leak at eleven listeners. */
function listenForAbort(signal: AbortSignal, onAbort: () => void): () => void {
  let listener = listeners.get(signal);
  if (listener === undefined) {
    listener = new AbortListener(signal);
    listeners.set(signal, listener);
  }
  const current = listener;
  current.add(onAbort);
  return () => current.delete(onAbort);
}
