import type { ErrorDetails, PaymentPlatformError } from '../errors/base.js';
import { AbortedError } from '../errors/network.js';
import { Deadline } from '../transport/call/deadline.js';

/** How long to poll, and how many milliseconds apart. */
export interface PollOptions {
  /** Milliseconds before the second request. Each further wait is 1.5 times as long, up to 10 times `interval`. */
  readonly interval: number;
  /** Milliseconds for the whole polling. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The final result of polling. A class, because a check of a property could be fooled by a changed Object.prototype. */
export class PollResult<Result> {
  constructor(readonly result: Result) {}
}

/** The reason why there is still no result, and the minimum wait before the next request, in milliseconds. */
interface PollFailure {
  readonly error: Error;
  readonly wait?: number | undefined;
}

/** The outcome of one request. */
export type PollStep<Answer> = PollResult<Answer> | PollFailure;

const growth = 1.5;
const maxGrowth = 10;

/**
 * Calls `ask` until it gives a result. When the time is over, or too short for the next wait, it throws the
 * last error. `ask` gets the deadline of the whole polling, and must keep to it.
 *
 * @throws AbortedError, with `details`, once the signal has aborted.
 */
export async function poll<Answer>(
  subject: string,
  options: PollOptions,
  details: ErrorDetails,
  ask: (deadline: Deadline) => Promise<PollStep<Answer>>,
): Promise<Answer> {
  const deadline = new Deadline(options.timeout, options.signal);
  try {
    for (let attempts = 0; ; attempts++) {
      if (deadline.stopReason === 'aborted') {
        throw new AbortedError(`${subject}: aborted by the caller.`, {
          ...details,
          attempts: attempts,
          cause: deadline.abortReason,
        });
      }
      const pollStep = await ask(deadline);
      if (pollStep instanceof PollResult) return pollStep.result;
      const interval = options.interval * Math.min(growth ** attempts, maxGrowth);
      const wait = Math.max(interval, pollStep.wait ?? 0);
      if (wait >= deadline.remaining && !options.signal?.aborted) throw pollStep.error;
      await deadline.wait(wait);
    }
  } finally {
    deadline.close();
  }
}

/** Whether an error may go away, so that polling continues. A refusal does not. */
export function isTemporary({ name, status }: PaymentPlatformError): boolean {
  return temporaryErrors.has(name) || status === 408 || status === 425;
}

const temporaryErrors = new Set([
  'PaymentOutcomeUnknownError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
  'RateLimitError',
  'ServerError',
]);
