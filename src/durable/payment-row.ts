/**
 * The state of a payment.
 *
 * - `recorded`: nothing of it was executed. It is sent when it is due.
 * - `sending`: a process sends it, or died while it did.
 * - `unknown`: the platform may have charged. The same key and payload are sent until it is known.
 * - `settled`: there is a payment. Its `status` says the rest: `refused` is a payment as well.
 * - `failed`: certainly not executed, and not sent again.
 * - `given_up`: not known in time. A person must look; nothing is sent again.
 */
export type DurableState = 'recorded' | 'sending' | 'unknown' | 'settled' | 'failed' | 'given_up';

/** The format of a row. A process leaves rows of a later format to those that know it. */
export const rowVersion = 1;

/** The states without further work. */
export const isFinal = (state: DurableState): state is 'settled' | 'failed' | 'given_up' =>
  state === 'settled' || state === 'failed' || state === 'given_up';

/** The states whose payload may be erased. After `given_up` a payment can be retried. */
export const isErasable = (state: DurableState): boolean => state === 'settled' || state === 'failed';

/** The last error of a row, without secret or personal parts. */
export interface RowError {
  /** The class of the error, such as `BadRequestError`. */
  readonly name: string;
  /** Its stable code. */
  readonly code: string;
  /** Its message. */
  readonly message: string;
  /** The HTTP status of the response, if there was one. */
  readonly status?: number | undefined;
}

/** A payment as a store keeps it. Texts are kept as they are, byte for byte. */
export interface PaymentRow {
  /** The idempotency key, and the key of the row. ASCII, at most 255 characters. */
  readonly key: string;
  /** The format of the row. */
  readonly version: number;
  /** The state of the payment. */
  readonly state: DurableState;
  /** Counts the changes of the row. A change must name the present revision. */
  readonly revision: number;
  /** The payment's `externalId`. */
  readonly reference: string;
  /** SHA-256 of the payload, in hex. */
  readonly digest: string;
  /** The payload, as JSON or encrypted; null once it was erased. */
  readonly payload: string | null;
  /** The payment as far as it is known, as JSON or encrypted. */
  readonly payment: string | null;
  /** The `id` of the payment, once it is known. */
  readonly paymentId: string | null;
  /** The last error, as JSON. */
  readonly error: string | null;
  /** How many times a process claimed it to send it. */
  readonly attempts: number;
  /** Whether an earlier attempt may have been executed: then the refusal of a later one proves nothing. */
  readonly inDoubt: boolean;
  /** Milliseconds since 1970, by the clock of the store, as all times. */
  readonly createdAt: number;
  /** When it is due: after a pause, or after the sender's lease. Null in a final state. */
  readonly dueAt: number | null;
  /** When the SDK gives it up. */
  readonly deadline: number;
  /** The time of the response. */
  readonly now: number;
}

/** A new row. Durations are in milliseconds from now. */
export interface NewRow
  extends Pick<PaymentRow, 'key' | 'version' | 'state' | 'reference' | 'digest' | 'attempts'> {
  /** The payload, as JSON or encrypted. */
  readonly payload: string;
  /** Until it is due. */
  readonly dueIn: number;
  /** Until the SDK gives it up. */
  readonly deadlineIn: number;
}

/** A change of a row. */
export interface RowChange extends Pick<PaymentRow, 'state' | 'payment' | 'paymentId' | 'error' | 'inDoubt'> {
  /** Milliseconds until it is due; null in a final state. */
  readonly dueIn: number | null;
  /** Milliseconds until the SDK gives it up, if the deadline changes. */
  readonly deadlineIn?: number | undefined;
}
