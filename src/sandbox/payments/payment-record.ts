import type { Payment } from '../../contract/payments/types.js';
import { refusal, type transitions } from '../choices/values.js';
import type { BoletoDetails } from './boleto.js';
import type { Draft } from './draft.js';

/** Every status a payment can have in the sandbox. */
export type Status = 'waiting_payment' | 'in_analysis' | (typeof transitions)[keyof typeof transitions]['to'];

/** A payment entered a status. */
export interface StatusChange {
  /** The status. */
  readonly status: Status;
  /** ISO 8601 UTC, on the sandbox's clock. */
  readonly at: string;
}

/** A payment as the sandbox keeps it. */
export interface PaymentRecord {
  readonly id: string;
  /** The number of its merchant. */
  readonly merchant: number;
  readonly idempotencyKey: string | undefined;
  readonly draft: Draft;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly boleto: BoletoDetails | undefined;
  status: Status;
  /** Every status, in the order of time; the last is the present one. */
  readonly history: StatusChange[];
  /** ISO 8601, UTC: when a payment that waits expires by itself. */
  readonly expiresAt: string | undefined;
  /** The upsell token that was issued when the payment became paid. */
  issued: string | undefined;
}

/** The status of a new payment. A payment with an unknown outcome that is resolved as created is approved. */
export function firstStatus({ decision }: Draft): Status {
  switch (decision) {
    case undefined:
      return 'waiting_payment';
    case 'refused':
      return 'refused';
    case 'inAnalysis':
      return 'in_analysis';
    default:
      return 'paid';
  }
}

/** The payment in the form of the API (API document, Payment). */
export function shown(record: PaymentRecord, showUpsell: boolean): Payment {
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
    ...(status === 'refused' && { refusalReason: refusal }),
    ...(draft.subMerchant !== undefined && { subMerchant: structuredClone(draft.subMerchant) }),
    ...(draft.split !== undefined && { split: structuredClone(draft.split) }),
  };
}
