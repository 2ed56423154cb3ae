import type { Payment } from '../../src/contract/payments/types.js';
import type { Behaviour } from '../defaults/all.js';
import { usualDecline } from '../defaults/payments.js';
import type { SandboxPaymentStatus } from '../defaults/transitions.js';
import { cardOutcomes, type Refusal } from '../scenarios/card-outcomes.js';
import type { BoletoDetails } from './boleto.js';
import type { NewPayment } from './new-payment.js';
import type { PlannedTransition } from './planned-transition.js';

/** One status in a payment's history. */
export interface StatusChange {
  /** The status that the payment had from `at` on. */
  readonly status: SandboxPaymentStatus;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
}

/** A payment in the sandbox's storage. */
export interface PaymentRecord {
  readonly id: string;
  /** The number of its merchant. */
  readonly merchant: number;
  readonly idempotencyKey: string | undefined;
  readonly draft: NewPayment;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly boleto: BoletoDetails | undefined;
  status: SandboxPaymentStatus;
  /** Every status in chronological order. The last one is the current status. */
  readonly history: StatusChange[];
  /** The time when a pending payment expires on its own: ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
  /** The transition that the payment makes on its own, because a test card or a test name selected it. */
  readonly planned: PlannedTransition | undefined;
  /** The upsell token that was issued when the payment was paid. */
  issued: string | undefined;
}

/**
 * Returns the first status of a new payment. If an unknown outcome is resolved as created, the payment was
 * approved.
 */
export function chooseFirstStatus({ decision, payer }: NewPayment): SandboxPaymentStatus {
  if (decision === undefined)
    return payer?.does === 'refuse' && payer.after === 0 ? 'refused' : 'waiting_payment';
  const { first } = cardOutcomes[decision];
  return first === 'unknown' ? 'paid' : first;
}

const findRejection = ({ decision }: NewPayment): Refusal =>
  (decision && cardOutcomes[decision].declineReason) ?? usualDecline;

/** Returns a payment in the API's format (API docs, Payment). */
export function toPayment(
  record: PaymentRecord,
  showUpsell: boolean,
  { refusalReason }: Behaviour['payments'],
): Payment {
  const { draft, status, issued } = record;
  return {
    id: record.id,
    status,
    amount: draft.amount,
    paymentMethod: draft.paymentMethod,
    createdAt: record.createdAt,
    ...(draft.externalReference !== undefined && { externalReference: draft.externalReference }),
    ...(draft.card !== undefined && { card: draft.card }),
    ...(draft.customer !== undefined && { customer: draft.customer }),
    items: draft.items.map((item) => ({ ...item })),
    ...(showUpsell && issued !== undefined && status === 'paid' && { upsell: { token: issued } }),
    ...(status === 'refused' && {
      refusalReason: refusalReason(findRejection(draft)) as Record<string, unknown>,
    }),
    ...(draft.subMerchant !== undefined && { subMerchant: structuredClone(draft.subMerchant) }),
    ...(draft.split !== undefined && { split: structuredClone(draft.split) }),
  };
}
