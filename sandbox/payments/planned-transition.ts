import type { SandboxPaymentStatus, Transition } from '../defaults/transitions.js';
import { cardOutcomes } from '../scenarios/card-outcomes.js';
import type { NewPayment } from './new-payment.js';

/** A transition that a payment makes on its own. */
export interface PlannedTransition {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** In any other status, the transition is skipped. */
  readonly from: SandboxPaymentStatus;
  readonly transition: Transition;
}

/**
 * @param now milliseconds since 1970
 * @param expiresAt milliseconds since 1970
 */
export function planTransition(
  { decision, payer }: NewPayment,
  now: number,
  expiresAt: number | undefined,
): PlannedTransition | undefined {
  const planAt = (time: number, from: SandboxPaymentStatus, transition: Transition): PlannedTransition => ({
    at: new Date(time).toISOString(),
    from,
    transition,
  });
  const end = decision && cardOutcomes[decision].end;
  if (end?.by === 'pay' || end?.by === 'refuse') return planAt(now + end.after, 'in_analysis', end.by);
  switch (payer?.does) {
    case 'pay':
      return planAt(now + payer.after, 'waiting_payment', 'pay');
    case 'refuse':
      return payer.after === 0 ? undefined : planAt(now + payer.after, 'waiting_payment', 'refuse');
    case 'pay-late':
      return expiresAt === undefined ? undefined : planAt(expiresAt + payer.after, 'expired', 'pay');
    default:
      return undefined;
  }
}
