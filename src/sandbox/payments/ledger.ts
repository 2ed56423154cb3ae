import type { PaymentRecord, Status } from './payment-record.js';

/** A charge: one for every payment that was created, whichever merchant's. */
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
  /** The charges made with an idempotency key: never more than one of a merchant. */
  chargesFor(idempotencyKey: string): readonly Charge[];
}

export class Ledger implements SandboxLedger {
  readonly #records: PaymentRecord[] = [];

  /** Of all merchants, in the order they were created. */
  get records(): readonly PaymentRecord[] {
    return this.#records;
  }

  get charges(): readonly Charge[] {
    return this.#records.map(chargeOf);
  }

  chargesFor(idempotencyKey: string): readonly Charge[] {
    return this.#records.filter((record) => record.idempotencyKey === idempotencyKey).map(chargeOf);
  }

  enter(record: PaymentRecord): void {
    this.#records.push(record);
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
