import type { PaymentRow, RowError, RowState } from '../stores/payment-row.js';
import { parseObject } from './payment-record.js';

/** The recorded state of a withdrawal or registration, without its payload. */
export interface DurableRecord<Result extends object = object> {
  /** The key that you chose. */
  readonly key: string;
  /**
   * The state, as of a payment. A withdrawal can also be `in_doubt`: it may have been executed, nothing is sent,
   * and a person decides with `confirm` or `dismiss`.
   */
  readonly state: RowState;
  /** The platform's response, if known. */
  readonly result: Result | undefined;
  /** The last error. */
  readonly error: RowError | undefined;
  /** How many times the request was claimed for sending. */
  readonly attempts: number;
  /** Whether the platform may have executed an attempt whose outcome is unknown. */
  readonly inDoubt: boolean;
  /** When the request was recorded. */
  readonly createdAt: Date;
  /** When the next attempt is due; undefined if nothing more is sent. */
  readonly dueAt: Date | undefined;
  /** When the SDK gives up on the request. */
  readonly deadline: Date;
}

export const toDurableRecord = <Result extends object>(
  row: PaymentRow,
  result: Result | undefined,
): DurableRecord<Result> => ({
  key: row.key,
  state: row.state,
  result,
  error: parseObject(row.error) as RowError | undefined,
  attempts: row.attempts,
  inDoubt: row.inDoubt,
  createdAt: new Date(row.createdAt),
  dueAt: row.dueAt === null ? undefined : new Date(row.dueAt),
  deadline: new Date(row.deadline),
});
