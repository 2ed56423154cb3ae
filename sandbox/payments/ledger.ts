import type { KnownPaymentMethod } from '../../src/contract/payments/methods.js';
import { readCheckedOptions } from '../arguments/checked-options.js';
import { type ListPart, listPartReaders, takeNewest } from '../arguments/list-part.js';
import type { SandboxPaymentStatus } from '../defaults/transitions.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { PaymentRecord } from './payment-record.js';

/** A charge. Every created payment of every merchant has exactly one charge. */
export interface Charge {
  /** The payment's UUID. */
  readonly paymentId: string;
  /** The payment's idempotency key. */
  readonly idempotencyKey: string | undefined;
  /** Cents. */
  readonly amount: number;
  /** `pix`, `credit_card` (also for a wallet) or `boleto`. */
  readonly paymentMethod: KnownPaymentMethod;
  /** The request's `externalId`; undefined if the request has none. */
  readonly externalReference: string | undefined;
  /** The payment's current status. */
  readonly status: SandboxPaymentStatus;
  /** ISO 8601, UTC. */
  readonly chargedAt: string;
}

/** Lists every charge, so that a test can check that nothing was charged twice. */
export interface SandboxLedger {
  /** The charges of all merchants, in the order they were made. */
  readonly charges: readonly Charge[];
  /** Lists the charges whose payment was created with an idempotency key: at most one per merchant. */
  chargesFor(idempotencyKey: string): readonly Charge[];
  /**
   * Lists the newest charges, in the order they were made, without copying the others. `before` is a
   * payment's id.
   *
   * @throws TypeError that names every problem of `part`, UnknownIdError for an unknown `before`.
   */
  list(part?: ListPart): readonly Charge[];
}

/** Each payment is one charge. */
export class Ledger implements SandboxLedger {
  readonly #records: Table<PaymentRecord>;
  readonly #onStatus: (record: PaymentRecord) => void;

  /** @param onStatus called for every new status, including the first */
  constructor(tables: TableFactory, onStatus: (record: PaymentRecord) => void) {
    this.#records = tables.table('payments');
    this.#onStatus = onStatus;
  }

  /** In the order of creation. */
  get records(): readonly PaymentRecord[] {
    return this.#records.list();
  }

  get size(): number {
    return this.#records.size;
  }

  get charges(): readonly Charge[] {
    return this.records.map(toCharge);
  }

  chargesFor(idempotencyKey: string): readonly Charge[] {
    return this.records.filter((record) => record.idempotencyKey === idempotencyKey).map(toCharge);
  }

  list(part: ListPart = {}): readonly Charge[] {
    const accepted = readCheckedOptions('ledger.list', part, listPartReaders);
    return takeNewest(this.records, accepted, { noun: 'payment', getId: ({ id }) => id }).map(toCharge);
  }

  find(id: string): PaymentRecord | undefined {
    return this.#records.get(id);
  }

  save(record: PaymentRecord): void {
    this.#records.set(record.id, record);
    this.#onStatus(record);
  }
}

function toCharge({ id, idempotencyKey, draft, status, createdAt }: PaymentRecord): Charge {
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
