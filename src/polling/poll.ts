import type { ErrorDetails } from '../errors/base.js';
import { AbortedError } from '../errors/network.js';
import { Deadline } from '../transport/deadline.js';

/** How something is asked for again and again. */
export interface PollOptions {
  /** Milliseconds before the second question; each further wait is half as long again. */
  readonly interval: number;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The answer that was waited for. A class, because what has a property can be changed for all objects. */
export class Answered<Answer> {
  constructor(readonly answer: Answer) {}
}

/** What stands in the way, and how long to wait at least, in milliseconds. */
interface Unanswered {
  readonly error: Error;
  readonly wait?: number | undefined;
}

/** What came of one question. */
export type Step<Answer> = Answered<Answer> | Unanswered;

const growth = 1.5;
const longestGrowth = 10;

/**
 * Asks until there is an answer. When the time is over, or the next wait would not fit into it, it throws
 * what stood in the way last. `ask` gets the deadline of all of it, and keeps to it.
 *
 * @throws AbortedError, with `details`, once the signal has aborted.
 */
export async function poll<Answer>(
  subject: string,
  options: PollOptions,
  details: ErrorDetails,
  ask: (deadline: Deadline) => Promise<Step<Answer>>,
): Promise<Answer> {
  const deadline = new Deadline(options.timeout, options.signal);
  try {
    for (let asked = 0; ; asked++) {
      if (deadline.stopReason === 'aborted') {
        throw new AbortedError(`${subject}: the caller aborted it.`, {
          ...details,
          attempts: asked,
          cause: deadline.abortReason,
        });
      }
      const step = await ask(deadline);
      if (step instanceof Answered) return step.answer;
      const interval = options.interval * Math.min(growth ** asked, longestGrowth);
      const wait = Math.max(interval, step.wait ?? 0);
      if (wait >= deadline.remaining && !options.signal?.aborted) throw step.error;
      await deadline.wait(wait);
    }
  } finally {
    deadline.close();
  }
}
