import type { DurableState, PaymentRow } from '../payment-row.js';

export const defaultTable = 'payment_platform_payments';

const tableName = /^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$/;

export const isTableName = (given: unknown): boolean => typeof given === 'string' && tableName.test(given);

/** Whether it is the name of a table without a schema. */
export const isPlainName = (given: unknown): boolean => isTableName(given) && !String(given).includes('.');

export const quoted = (table: string) => `"${table.replace('.', '"."')}"`;

/** The names of the indexes of a table. A name has at most 63 characters: the table's alone would be taken. */
export const indexName = (table: string, what: string) =>
  `"${table.split('.').at(-1)?.slice(0, 50)}_${what}"`;

/** A row as a database gives it, with its times as milliseconds. */
export type ColumnValues = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** The row that a database gave. Drivers differ in what they make of numbers and booleans. */
export function rowOf(values: ColumnValues): PaymentRow {
  return {
    key: String(values.key),
    version: Number(values.version),
    state: String(values.state) as DurableState,
    revision: Number(values.revision),
    reference: String(values.reference),
    digest: String(values.digest),
    payload: text(values.payload),
    payment: text(values.payment),
    paymentId: text(values.payment_id),
    error: text(values.error),
    attempts: Number(values.attempts),
    inDoubt: Boolean(values.in_doubt),
    createdAt: Number(values.created_at),
    dueAt: values.due_at === null ? null : Number(values.due_at),
    deadline: Number(values.deadline),
    now: Number(values.now),
  };
}
