import { isPromise } from './record.js';

/** Returned instead of a value that did not arrive in time. */
export const late = Symbol('late');

/** Returned instead of the result of work that threw or rejected. */
export const failed = Symbol('failed');

/** The maximum delay of setTimeout, in milliseconds. A longer timer fires at once. */
export const longestTimer = 2 ** 31 - 1;

/** Milliseconds that a step of a store or a secret manager can take. */
const stepTimeoutMs = 5000;

/** The time starts with the first call of `race`. */
export class TimeLimit {
  readonly #duration: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller: AbortController | undefined;
  #isOver = false;
  #stopWaiting = () => {};

  constructor(duration: number) {
    this.#duration = duration;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The signal is created when it is first read. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
  }

  /** Call this for one promise at a time. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value | typeof late> {
    // The last millisecond has a separate timer. After a busy phase, the process then reads results that have
    // already arrived before the time counts as over.
    this.#timer ??= setTimeout(() => {
      this.#timer = setTimeout(() => this.#expire(), 1);
    }, this.#duration - 1);
    return new Promise((resolve, reject) => {
      // The function is assigned to a const first, because V8 treats a function literal that is assigned to a
      // property as long-lived.
      const stopWaiting = () => resolve(late);
      this.#stopWaiting = stopWaiting;
      promise.then(resolve, reject);
      if (this.#isOver) resolve(late);
    });
  }

  stopWaiting(): void {
    this.#stopWaiting();
  }

  /** Stops the timer when the work is done, so that it no longer aborts the signal. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.#stopWaiting();
  }
}

/** `onLate` receives a response that arrives after the five seconds of a step. */
export function runWithTimeLimit<Result>(
  who: string | (() => Error),
  step: () => Result | PromiseLike<Result>,
  onLate?: (result: Result) => void,
): Result | Promise<Result> {
  const result = step();
  return isPromise(result) ? withTimeLimit(who, result, onLate) : result;
}

async function withTimeLimit<Result>(
  who: string | (() => Error),
  promise: PromiseLike<Result>,
  onLate?: (result: Result) => void,
): Promise<Result> {
  const first = await raceOnce(stepTimeoutMs, promise, onLate);
  if (first !== late) return first;
  throw typeof who === 'function' ? who() : new Error(`${who} did not respond within ${stepTimeoutMs} ms.`);
}

async function raceOnce<Result>(
  timeout: number,
  promise: PromiseLike<Result>,
  onLate?: (result: Result) => void,
): Promise<Result | typeof late> {
  const limit = new TimeLimit(timeout);
  const result = promise.then((value) => {
    if (limit.isOver) onLate?.(value);
    return value;
  });
  try {
    return await limit.race(result);
  } finally {
    limit.end();
  }
}

/** Lets the process end before a timer fires. On runtimes other than Node, a timer can be a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}

/** Never rejects: returns `failed` or `late` if the function throws, hangs or is late. */
export const withTimeout = <Result>(
  work: () => Promise<Result>,
  timeout: number,
  onLate?: (result: Result) => void,
): Promise<Result | typeof late | typeof failed> =>
  raceOnce(timeout, (async () => work())(), onLate).catch(() => failed);

export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
