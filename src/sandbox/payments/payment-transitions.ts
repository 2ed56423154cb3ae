import { IllegalTransitionError } from '../calls/control-errors.js';
import type { Rules } from '../choices/rules.js';
import {
  latePayment,
  paymentTransitions,
  type Status,
  type Transition,
  transitionNames,
} from '../choices/transitions.js';
import type { PaymentRecord } from './payment-record.js';

/** The statuses from which a control moves a payment. */
function sourcesOf(transition: Transition, { draft }: PaymentRecord, rules: Rules): readonly Status[] {
  const from = rules.transitions[transition];
  const isLate =
    rules.lateBoletos && transition === 'pay' && draft.paymentMethod === latePayment.paymentMethod;
  return isLate ? [...from, latePayment.from] : from;
}

/** The transitions that are possible now. */
export function legalTransitions(record: PaymentRecord, rules: Rules): Transition[] {
  return transitionNames.filter((name) => sourcesOf(name, record, rules).includes(record.status));
}

/** The status to which a transition leads. @throws IllegalTransitionError if the transition is impossible now. */
export function statusAfter(record: PaymentRecord, transition: Transition, rules: Rules): Status {
  const from = sourcesOf(transition, record, rules);
  if (from.includes(record.status)) return paymentTransitions[transition].to;
  throw new IllegalTransitionError(
    `Payment ${record.id} is ${record.status}: "${transition}" takes a payment that is ${from.join(' or ')}.`,
    record.status,
    legalTransitions(record, rules),
  );
}
