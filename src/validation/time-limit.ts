import { isPromise } from './record.js';

/** Stands for a value that did not come in time. */
export const late = Symbol('late');

/** Stands for the result of work that threw or rejected. */
export const failed = Symbol('failed');

/** How long a step of a store or of a secret manager may take, in milliseconds. */
const stepTimeoutMs = 5000;

/** Limits the time of one piece of work. The time begins when `race` is first called. */
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

  /** Aborts when the time is over. It is made when it is first read. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Aborts the signal before the time is over. */
  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
  }

  /** Waits for one promise at a time: gives its value, or `late` when the time is over first. Rejects as the promise does. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value | typeof late> {
    // The last millisecond is a separate timer: a process that was busy first reads the results that arrived
    // meanwhile.
    this.#timer ??= setTimeout(() => {
      this.#timer = setTimeout(() => this.#expire(), 1);
    }, this.#duration - 1);
    return new Promise((resolve, reject) => {
      // A const first: V8 takes a function literal that is assigned to a property for long-lived.
      const stopWaiting = () => resolve(late);
      this.#stopWaiting = stopWaiting;
      promise.then(resolve, reject);
      if (this.#isOver) resolve(late);
    });
  }

  /** Stops the timer: the work is done, and the signal is no longer aborted by it. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.#stopWaiting();
  }
}

/**
 * Returns the answer of a step of a store or of a secret manager: a value, or a promise that rejects after five seconds.
 *
 * @param who begins the message, or makes the error.
 * @param onLate gets a response that comes after the five seconds.
 */
export function answerInTime<Answer>(
  who: string | (() => Error),
  step: () => Answer | PromiseLike<Answer>,
  onLate?: (answer: Answer) => void,
): Answer | Promise<Answer> {
  const answer = step();
  return isPromise(answer) ? withTimeLimit(who, answer, onLate) : answer;
}

async function withTimeLimit<Answer>(
  who: string | (() => Error),
  promise: PromiseLike<Answer>,
  onLate?: (answer: Answer) => void,
): Promise<Answer> {
  const limit = new TimeLimit(stepTimeoutMs);
  const answer = promise.then((value) => {
    if (limit.isOver) onLate?.(value);
    return value;
  });
  try {
    const first = await limit.race(answer);
    if (first !== late) return first;
  } finally {
    limit.end();
  }
  throw typeof who === 'function' ? who() : new Error(`${who} did not respond within ${stepTimeoutMs} ms.`);
}

/** Lets the process end before a timer does. On other runtimes than Node a timer may be a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}

/**
 * Runs a merchant's function, such as a store's. The function may throw, hang or be late. Never rejects.
 *
 * @param timeout milliseconds
 * @param onLate receives the result if it comes too late
 */
export function withTimeout<Result>(
  work: () => Promise<Result>,
  timeout: number,
  onLate?: (result: Result) => void,
): Promise<Result | typeof late | typeof failed> {
  return new Promise((resolve) => {
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      resolve(late);
    };
    // The last millisecond is a separate timer: a process that was busy first reads a result that is already there.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, 1);
    }, timeout - 1);
    const done = async () => {
      const result = await work();
      if (isLate) onLate?.(result);
      return result;
    };
    done()
      .then(resolve, () => resolve(failed))
      .finally(() => clearTimeout(timer));
  });
}

/** Waits for some milliseconds, or until the signal aborts. */
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
