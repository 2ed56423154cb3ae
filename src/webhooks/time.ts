import { inTime, isPromise, late } from '../input/outside.js';

/** How long a step of the merchant's store or secret manager may take, in milliseconds. */
const stepTimeout = 5000;

/**
 * Runs a step of the merchant's store or secret manager. Rejects if it throws, rejects, or takes five seconds.
 *
 * @param who for the message.
 * @param onLate gets an answer that came too late.
 */
export async function step<Answer>(
  who: string,
  work: () => Answer | PromiseLike<Answer>,
  onLate?: (answer: Answer) => void,
): Promise<Answer> {
  const asked = work();
  const answer = isPromise(asked) ? await inTime(asked, stepTimeout, onLate) : asked;
  if (answer === late) throw new Error(`${who} did not answer within ${stepTimeout} ms.`);
  return answer;
}

/** The time that a delivery may take, from its arrival to its answer. It begins when something is first waited for. */
export class TimeLimit {
  readonly #duration: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller: AbortController | undefined;
  #isOver = false;
  #stopWaiting = () => {};

  constructor(duration: number) {
    this.#duration = duration;
  }

  /** Aborts when the time is over. Made when somebody asks for it. */
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

  /** What a promise gives, or `late` when the time is over first. One promise at a time. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value | typeof late> {
    this.#timer ??= setTimeout(() => this.#expire(), this.#duration);
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(late);
      promise.then(resolve, reject);
      if (this.#isOver) resolve(late);
    });
  }

  /** The delivery was answered. The signal is not aborted any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.#stopWaiting();
  }
}

/** Lets the process end before a timer does. Elsewhere than in Node a timer may be a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}
