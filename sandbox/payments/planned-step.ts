import type { Status, Transition } from '../defaults/transitions.js';
import { cardOutcomes } from '../scenarios/card-outcomes.js';
import type { NewPayment } from './new-payment.js';

/** A transition that a test card or a test name selects. */
export interface PlannedStep {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The required status. In any other status the step is skipped. */
  readonly from: Status;
  readonly transition: Transition;
}

/**
 * Plans the transition that a new payment makes on its own.
 *
 * @param now milliseconds since 1970
 * @param expiresAt milliseconds since 1970
 */
export function planStep(
  { decision, payer }: NewPayment,
  now: number,
  expiresAt: number | undefined,
): PlannedStep | undefined {
  const step = (time: number, from: Status, transition: Transition): PlannedStep => ({
    at: new Date(time).toISOString(),
    from,
    transition,
  });
  const end = decision && cardOutcomes[decision].end;
  if (end?.by === 'pay' || end?.by === 'refuse') return step(now + end.after, 'in_analysis', end.by);
  switch (payer?.does) {
    case 'pay':
      return step(now + payer.after, 'waiting_payment', 'pay');
    case 'refuse':
      return payer.after === 0 ? undefined : step(now + payer.after, 'waiting_payment', 'refuse');
    case 'pay-late':
      return expiresAt === undefined ? undefined : step(expiresAt + payer.after, 'expired', 'pay');
    default:
      return undefined;
  }
}
