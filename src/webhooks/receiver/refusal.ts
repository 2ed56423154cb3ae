import type { ReceiveOutcome } from './outcome.js';

/** Stops the work on a delivery: the answer is known. */
export class Refusal extends Error {
  constructor(readonly outcome: ReceiveOutcome) {
    super(outcome);
  }
}
