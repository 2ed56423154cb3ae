import type { DurableState, NewRow, PaymentRow, RowChange } from './payment-row.js';

/** A value, or a promise of it. */
type Soon<Value> = Value | Promise<Value>;

/** What `claim` takes up. */
export interface Claim {
  /** How long others leave the rows alone, in milliseconds. */
  readonly lease: number;
  /** How many rows at most, those first that are due for the longest time. */
  readonly limit: number;
  /** The latest row format that this version knows. Rows in a later one are left alone. */
  readonly version: number;
  /** Only this row, and also before its pause is over; not while another holds it. */
  readonly key?: string | undefined;
}

/** Which rows `list` gives. */
export interface RowFilter {
  /** Only those in this state. */
  readonly state?: DurableState | undefined;
  /** Only those that are at least so old, in milliseconds. */
  readonly olderThan?: number | undefined;
  /** Only those after this key: the last one of the list before. */
  readonly after?: string | undefined;
  /** How many at most. */
  readonly limit: number;
}

/** How many rows are in a state. */
export interface StateCount {
  /** The state. */
  readonly state: DurableState;
  /** The number of rows. */
  readonly count: number;
  /** The age of the oldest, in milliseconds. */
  readonly oldest: number;
}

/**
 * Stores payments. Each step is atomic, also between processes, and is committed once its result arrives. A store
 * does not understand states: it keeps rows, and changes a row only if the caller has its current revision. All
 * times are by the store's clock. A store must pass `paymentStoreChecks`.
 */
export interface PaymentStore<Transaction = never> {
  /**
   * Keeps a new row, with revision 1. Returns undefined, without effect, if a row has its key. Uses the caller's
   * transaction if there is one, and rejects anything that is not an open transaction: its row would be sent although
   * the caller rolls back.
   */
  insert(row: NewRow, transaction?: Transaction): Soon<PaymentRow | undefined>;
  /** The row with this key, also one that the caller's transaction has inserted. */
  find(key: string, transaction?: Transaction): Soon<PaymentRow | undefined>;
  /** The payment's rows: first those with its id, then the one whose key is its reference. At most ten. */
  findByPayment(
    paymentId: string,
    reference: string | undefined,
    transaction?: Transaction,
  ): Soon<readonly PaymentRow[]>;
  /**
   * Takes up rows that are due: each becomes `sending`, is due again when the lease is over, and counts one more
   * attempt and revision. It is in doubt from then on unless it was `recorded`. No two claims get the same row.
   */
  claim(claim: Claim): Soon<readonly PaymentRow[]>;
  /** Changes a row, and counts its revision. False, without effect, if it has another revision by now. */
  update(key: string, revision: number, change: RowChange, transaction?: Transaction): Soon<boolean>;
  /**
   * Erases the payload of a settled or failed row, and reduces its payment. Returns false if the revision is no
   * longer current.
   */
  erase(key: string, revision: number, reduced: string | null): Soon<boolean>;
  /** Rows in the order of their keys. */
  list(filter: RowFilter): Soon<readonly PaymentRow[]>;
  /** Lists at most `limit` settled or failed rows that are older than `age` milliseconds and have a payload. */
  listErasable(age: number, limit: number): Soon<readonly PaymentRow[]>;
  /** The number of rows in each state but `settled`, which would be counted one by one. */
  counts(): Soon<readonly StateCount[]>;
}
