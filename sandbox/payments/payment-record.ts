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
  /** In chronological order. The last one is the current status. */
  readonly history: StatusChange[];
  /** ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
  readonly planned: PlannedTransition | undefined;
  /** Issued when the payment was paid. */
  issued: string | undefined;
}

/** A card with an unknown outcome was approved if the payment exists. */
export function chooseFirstStatus({ decision, payer }: NewPayment): SandboxPaymentStatus {
  if (decision === undefined)
    return payer?.does === 'refuse' && payer.after === 0 ? 'refused' : 'waiting_payment';
  const { first } = cardOutcomes[decision];
  return first === 'unknown' ? 'paid' : first;
}

const findRejection = ({ decision }: NewPayment): Refusal =>
  (decision && cardOutcomes[decision].declineReason) ?? usualDecline;

/** API docs, Payment. */
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
