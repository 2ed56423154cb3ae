/**
 * The state of a payment.
 *
 * - `recorded`: nothing was executed. The payment is sent when it is due.
 * - `blocked`: nothing was executed, because the platform rejects the credentials, the products, the address or the method.
 *   The payment is sent again when it is due. A person must repair the configuration.
 * - `sending`: a process is sending it, or did not record the outcome.
 * - `unknown`: the platform may have charged. The same key and payload are sent until the outcome is known, or
 *   `giveUpAfter` has passed.
 * - `settled`: the payment exists, with any `status`, even `refused`.
 * - `failed`: certainly not executed, or cancelled by a person. Nothing is sent again, unless a person
 *   calls `retry`.
 * - `given_up`: the outcome was not known in time, or the payload was changed. A person must check; nothing is sent
 *   again, unless the person calls `retry`.
 */
export type DurableState = 'recorded' | 'blocked' | 'sending' | 'unknown' | 'settled' | 'failed' | 'given_up';

/**
 * The state of a row: of a payment, or of a request that must not be repeated. `in_doubt` is only such a request, which
 * waits for a person. The field `inDoubt` says for every row whether an attempt may have been executed.
 */
export type RowState = DurableState | 'in_doubt';

/** The format of new rows. */
export const rowVersion = 1;

/** A process neither sends nor changes rows in a later format, which only newer versions of the SDK can read. */
export const isKnownFormat = ({ version }: Pick<PaymentRow, 'version'>): boolean => version <= rowVersion;

export const isFinal = (state: RowState): state is 'settled' | 'failed' | 'given_up' | 'in_doubt' =>
  state === 'settled' || state === 'failed' || state === 'given_up' || state === 'in_doubt';

/** A payment in `given_up` can still be retried. */
export const isErasable = (state: RowState): boolean => state === 'settled' || state === 'failed';

/** A row of another kind than payments has its kind after these characters. */
export const merchantLength = 32;

/** The last error of a row, without secret or personal parts. */
export interface RowError {
  /** The class of the error, such as `BadRequestError`. */
  readonly name: string;
  /** The error's stable code. */
  readonly code: string;
  /** The error's message. */
  readonly message: string;
  /** The HTTP status of the response, if there was one. */
  readonly status?: number | undefined;
}

/** A payment as a store keeps it. Strings are stored byte for byte. */
export interface PaymentRow {
  /**
   * The digest of the base address and the client id: 32 hex digits, followed by the kind if the row is no
   * payment. Together with the key, it identifies the row.
   */
  readonly merchant: string;
  /** The idempotency key. ASCII, at most 255 characters. */
  readonly key: string;
  /** The row's format. */
  readonly version: number;
  /** The payment's state. */
  readonly state: RowState;
  /** Counts the changes of the row. A change must name the current revision. */
  readonly revision: number;
  /** The payment's `externalId`. */
  readonly reference: string;
  /** SHA-256 of the payload, in hex. */
  readonly digest: string;
  /** The payload, as JSON or encrypted; null after it was erased. */
  readonly payload: string | null;
  /** The payment as far as it is known, as JSON or encrypted. */
  readonly payment: string | null;
  /** The payment's `id`, if known. */
  readonly paymentId: string | null;
  /** The last error, as JSON. */
  readonly error: string | null;
  /** How many times a process claimed the row for sending. */
  readonly attempts: number;
  /**
   * Whether an earlier attempt may have been executed. If so, the rejection of a later attempt does not prove
   * that nothing was charged. In a settled row: whether only a notification has settled it, so that the platform may
   * not know the key.
   */
  readonly inDoubt: boolean;
  /** When the row was inserted, in milliseconds since 1970. All times in a row use the store's clock. */
  readonly createdAt: number;
  /** When the row is due: at the end of a pause, or of the sending process's lease. Null in a final state. */
  readonly dueAt: number | null;
  /** When the SDK gives up on the payment. */
  readonly deadline: number;
  /** Until when `refresh` can send the key; null for the deadline. */
  readonly refreshUntil: number | null;
  /** The store's time when it read the row. */
  readonly now: number;
}

/** A new row. Durations are in milliseconds from now. */
export interface NewRow
  extends Pick<PaymentRow, 'merchant' | 'key' | 'version' | 'state' | 'reference' | 'digest' | 'attempts'> {
  /** The payload, as JSON or encrypted. */
  readonly payload: string;
  /** Milliseconds until the row is due. */
  readonly dueIn: number;
  /** Milliseconds until the SDK gives up on the payment. */
  readonly deadlineIn: number;
  /** Milliseconds until `refresh` no longer sends the key. */
  readonly refreshIn: number;
}

/** A change of a row. Fields that are not listed here stay unchanged. */
export interface RowChange extends Pick<PaymentRow, 'state' | 'payment' | 'paymentId' | 'error' | 'inDoubt'> {
  /** Milliseconds until the row is due; null in a final state. */
  readonly dueIn: number | null;
  /** Milliseconds until the SDK gives up on the payment; absent if the deadline stays. */
  readonly deadlineIn?: number | undefined;
}
