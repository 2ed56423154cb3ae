import { latePayment, transitions } from '../choices/values.js';
import { IllegalTransitionError } from '../control-errors.js';
import type { PaymentRecord } from './payment-record.js';
import type { Status, Transition } from './payment-status.js';

/** The statuses from which a control moves a payment. */
function sourcesOf(transition: Transition, { draft }: PaymentRecord): readonly Status[] {
  const { from } = transitions[transition];
  const isLate = transition === 'pay' && draft.paymentMethod === latePayment.paymentMethod;
  return isLate ? [...from, latePayment.from] : from;
}

/** The transitions that are possible now. */
export function legalTransitions(record: PaymentRecord): Transition[] {
  const names = Object.keys(transitions) as Transition[];
  return names.filter((name) => sourcesOf(name, record).includes(record.status));
}

/** The status to which a transition leads. @throws IllegalTransitionError if the transition is impossible now. */
export function statusAfter(record: PaymentRecord, transition: Transition): Status {
  const from = sourcesOf(transition, record);
  if (from.includes(record.status)) return transitions[transition].to;
  throw new IllegalTransitionError(
    `Payment ${record.id} is ${record.status}: "${transition}" takes a payment that is ${from.join(' or ')}.`,
    record.status,
    legalTransitions(record),
  );
}
