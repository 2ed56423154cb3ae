import type { DurableState, NewRow, PaymentRow, RowChange, RowState } from './payment-row.js';

/** Identifies a version of a row. */
export type RowId = Pick<PaymentRow, 'merchant' | 'key' | 'revision'>;

/** A value, or a promise of it. */
type Soon<Value> = Value | Promise<Value>;

/** The parameters of a claim. */
export interface Claim {
  /** Claims only this merchant's rows. */
  readonly merchant: string;
  /** Milliseconds during which other processes cannot claim the rows. */
  readonly lease: number;
  /** The maximum number of rows. The rows that have been due longest come first. */
  readonly limit: number;
  /** The latest row format that this version supports. Rows in a later format are skipped. */
  readonly version: number;
  /**
   * Claims only the row with this key, even before its pause is over, but not while another process holds it.
   */
  readonly key?: string | undefined;
}

/** The filter of `list`. */
export interface RowFilter {
  /** Returns only this merchant's rows. */
  readonly merchant: string;
  /** Returns only rows in this state. */
  readonly state?: RowState | undefined;
  /** Returns only rows that are at least this old, in milliseconds. */
  readonly olderThan?: number | undefined;
  /** Returns only rows after this key, such as the last key of the previous list. */
  readonly after?: string | undefined;
  /** The maximum number of rows. */
  readonly limit: number;
}

/** The number of rows in a state. */
export interface StateCount<State extends RowState = DurableState> {
  /**
   * The state. `foreign` counts the due rows of other merchants in the same table: of another base address or
   * client id. A process of those merchants has to send them.
   */
  readonly state: State | 'foreign';
  /** The number of rows. */
  readonly count: number;
  /** The oldest row's age in milliseconds. */
  readonly oldest: number;
}

/**
 * Stores the rows of payments. A row belongs to a merchant, and its key is unique among that merchant's rows.
 * Each method is atomic, even between processes. Its change is committed when its result arrives, or with the
 * caller's transaction. A store itself sets only the state `sending`, in `claim`. It updates or erases a row
 * only if the caller has the current revision. All times use the store's clock. A store must pass
 * `paymentStoreChecks` of `payment-platform/testing`.
 */
export interface PaymentStore<Transaction = never> {
  /**
   * Inserts a row with revision 1. Returns undefined, without effect, if a row of the merchant has the key. Uses the
   * caller's transaction if there is one. Rejects anything that is not an open transaction. Otherwise the
   * payment would be sent even if the caller rolls back.
   */
  insert(row: NewRow, transaction?: Transaction): Soon<PaymentRow | undefined>;
  /** Finds the row with this key, including one that the caller's transaction has inserted. */
  find(merchant: string, key: string, transaction?: Transaction): Soon<PaymentRow | undefined>;
  /**
   * Finds a payment's rows: first those with its id, then at most ten others with its `reference`: those without
   * a payment id come first, and among them the latest.
   */
  findByPayment(
    merchant: string,
    paymentId: string,
    reference: string | undefined,
    transaction?: Transaction,
  ): Soon<readonly PaymentRow[]>;
  /**
   * Claims due rows. Each row becomes `sending`, and is due again when the lease ends. Its attempts and
   * revision are incremented. Unless the row was `recorded` or `blocked`, it is in doubt from then on. No two concurrent
   * claims return the same row.
   */
  claim(claim: Claim): Soon<readonly PaymentRow[]>;
  /**
   * Changes a row and increments its revision. Returns false, without effect, if the revision is not current.
   */
  update(row: RowId, change: RowChange, transaction?: Transaction): Soon<boolean>;
  /**
   * Erases the payload of a settled or failed row, and replaces its payment with `reduced`. Returns false,
   * without effect, for a row in another state, or if the revision is not current.
   */
  erase(row: RowId, reduced: string | null): Soon<boolean>;
  /** Lists rows in the order of their keys. `payload` can be null, because no caller reads it. */
  list(filter: RowFilter): Soon<readonly PaymentRow[]>;
  /**
   * Lists at most `limit` settled or failed rows that are older than `age` milliseconds and have a payload, which
   * can be missing from the listed rows. The oldest rows come first. If `after` is the last key of the previous list,
   * continues after its row, even if that row was erased.
   */
  listErasable(
    merchant: string,
    age: number,
    limit: number,
    after?: string | undefined,
  ): Soon<readonly PaymentRow[]>;
  /**
   * Counts the merchant's rows in each state except `settled`, because counting those would read every row, and
   * the due rows of the same kind of other merchants as `foreign`. A kind is what follows the first 32 characters
   * of a merchant.
   */
  counts(merchant: string): Soon<readonly StateCount<RowState>[]>;
  /**
   * Gives the rows of a former merchant to the merchant, and returns their number. Leaves out the rows that a
   * process is sending, and those whose key the merchant also has. A settled row becomes in doubt, because the
   * platform might not know its key under the new merchant.
   */
  adopt(merchant: string, former: string): Soon<number>;
}
