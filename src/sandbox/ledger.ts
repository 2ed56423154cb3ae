import type { PaymentRecord, Status } from './payment-record.js';
import type { Payments } from './payments.js';

/** A charge: one for every payment that was created. */
export interface Charge {
  readonly paymentId: string;
  /** The key it was created with. */
  readonly idempotencyKey: string | undefined;
  /** Cents. */
  readonly amount: number;
  readonly paymentMethod: 'pix' | 'credit_card' | 'boleto';
  readonly externalReference: string | undefined;
  /** The payment's status now. */
  readonly status: Status;
  /** ISO 8601, UTC. */
  readonly chargedAt: string;
}

/** The judge for "never charged twice". */
export interface SandboxLedger {
  /** In the order they were made. */
  readonly charges: readonly Charge[];
  /** The charges made with an idempotency key: never more than one. */
  chargesFor(idempotencyKey: string): readonly Charge[];
}

export class Ledger implements SandboxLedger {
  readonly #payments: Payments;

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  get charges(): readonly Charge[] {
    return Array.from(this.#payments.records(), chargeOf);
  }

  chargesFor(idempotencyKey: string): readonly Charge[] {
    const records = Array.from(this.#payments.records());
    return records.filter((record) => record.idempotencyKey === idempotencyKey).map(chargeOf);
  }
}

function chargeOf({ id, idempotencyKey, draft, status, createdAt }: PaymentRecord): Charge {
  const { amount, paymentMethod, externalReference } = draft;
  return Object.freeze({
    paymentId: id,
    idempotencyKey,
    amount,
    paymentMethod,
    externalReference,
    status,
    chargedAt: createdAt,
  });
}
