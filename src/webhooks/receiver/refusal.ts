import type { ReceiveOutcome } from './outcome.js';

/** Stops the work on a delivery: the answer is known. Its cause, if it has one, is still to be reported. */
export class Refusal extends Error {
  constructor(
    readonly outcome: ReceiveOutcome,
    cause?: Error,
  ) {
    super(outcome, { cause });
  }
}
