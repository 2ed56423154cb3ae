import type { PaymentRow, RowError, RowState } from '../stores/payment-row.js';
import { isRecord } from '../validation/record.js';

/** Returns undefined if there is none, for example because somebody changed the row by hand. */
export function parseObject(text: string | null | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of every recorded request. */
export interface RecordedRequest {
  /** The key of the record. A payment and a registration send it with every attempt, as the idempotency key. */
  readonly key: string;
  /** The state. */
  readonly state: RowState;
  /** The last error. */
  readonly error: RowError | undefined;
  /** How many times the request was claimed for sending. */
  readonly attempts: number;
  /**
   * Whether the platform may have executed an attempt whose outcome is unknown. For a settled payment,
   * whether the platform may not know the key.
   */
  readonly inDoubt: boolean;
  /** When the request was recorded. */
  readonly createdAt: Date;
  /** When the next attempt is due; undefined if nothing more is sent. */
  readonly dueAt: Date | undefined;
  /** When the SDK gives up on the request. */
  readonly deadline: Date;
}

export const toRecordedRequest = (row: PaymentRow): RecordedRequest => ({
  key: row.key,
  state: row.state,
  error: parseObject(row.error) as RowError | undefined,
  attempts: row.attempts,
  inDoubt: row.inDoubt,
  createdAt: new Date(row.createdAt),
  dueAt: row.dueAt === null ? undefined : new Date(row.dueAt),
  deadline: new Date(row.deadline),
});

/**
 * The recorded state of a withdrawal or registration, without its payload. A withdrawal can be `in_doubt`: it may
 * have been executed, nothing is sent, and a person decides with `confirm` or `dismiss`.
 */
export interface DurableRecord<Result extends object = object> extends RecordedRequest {
  /** The platform's response, if known. */
  readonly result: Result | undefined;
}
