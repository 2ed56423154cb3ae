import { IllegalTransitionError } from '../arguments/control-errors.js';
import type { Behaviour } from '../defaults/all.js';
import {
  latePayment,
  paymentTransitionNames,
  paymentTransitions,
  type SandboxPaymentStatus,
  type Transition,
} from '../defaults/transitions.js';
import type { PaymentRecord } from './payment-record.js';

type PaymentBehaviour = Behaviour['payments'];

function listSources(
  transition: Transition,
  { draft }: PaymentRecord,
  behaviour: PaymentBehaviour,
): readonly SandboxPaymentStatus[] {
  const from = behaviour.transitions[transition];
  const isLate =
    behaviour.lateBoletos && transition === 'pay' && draft.paymentMethod === latePayment.paymentMethod;
  return isLate ? [...from, latePayment.from] : from;
}

export function listLegalTransitions(record: PaymentRecord, behaviour: PaymentBehaviour): Transition[] {
  return paymentTransitionNames.filter((name) =>
    listSources(name, record, behaviour).includes(record.status),
  );
}

/** @throws IllegalTransitionError if the transition is not possible now */
export function getStatusAfter(
  record: PaymentRecord,
  transition: Transition,
  behaviour: PaymentBehaviour,
): SandboxPaymentStatus {
  const from = listSources(transition, record, behaviour);
  if (from.includes(record.status)) return paymentTransitions[transition].to;
  throw new IllegalTransitionError(
    `Payment ${record.id} is ${record.status}: "${transition}" takes a payment that is ${from.join(' or ')}.`,
    record.status,
    listLegalTransitions(record, behaviour),
  );
}
