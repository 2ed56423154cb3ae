import type { PaymentRow, RowState } from './payment-row.js';
import { indexName, quoted } from './table-names.js';

export const paymentsTable = 'payment_platform_payments';

/** A `given_up` payment keeps its payload, because it can be retried. */
export const erasableStates = `('settled', 'failed')`;

/** A claim does not put such a row in doubt. */
export const notExecutedStates = `('recorded', 'blocked')`;

export const indexes: readonly (readonly [name: string, columns: string])[] = [
  ['due_at', '(due_at) WHERE due_at IS NOT NULL'],
  ['reference', '(reference)'],
  ['payment_id', '(payment_id) WHERE payment_id IS NOT NULL'],
  ['open', `(state, created_at) WHERE state <> 'settled'`],
  ['erasable', '(created_at) WHERE due_at IS NULL AND payload IS NOT NULL'],
];

export const indexesSql = (table: string): string =>
  indexes
    .map(([what, on]) => `CREATE INDEX IF NOT EXISTS ${indexName(table, what)} ON ${quoted(table)} ${on};\n`)
    .join('');

/** The merchant of a row that a version before 1.0.0 recorded. Such a row belongs to every merchant. */
export const anyMerchant = '';

/** A row from a database, with its times in milliseconds. */
export type ColumnValues = Readonly<Record<string, unknown>>;

const timeColumns = ['created_at', 'due_at', 'deadline', 'refresh_until'];

export const columnNames: readonly string[] = [
  ...['merchant', 'key', 'version', 'state', 'revision', 'reference', 'digest', 'payload', 'payment'],
  ...['payment_id', 'error', 'attempts', 'in_doubt', ...timeColumns],
];

/** The aliases have no underscores, because drivers can be set to rename columns with underscores. */
export const listColumns = (timeOf: (column: string) => string): string =>
  columnNames
    .map((name) => `${timeColumns.includes(name) ? timeOf(name) : name} AS ${name.replace('_', '')}`)
    .join(', ');

/** Drivers return numbers and booleans in different forms. */
export function toRow(values: ColumnValues): PaymentRow {
  const read = (name: string): unknown => {
    if (!Object.hasOwn(values, name))
      throw new TypeError(
        `The database returned a row without ${name}. Turn off the driver's renaming of columns.`,
      );
    return values[name] ?? null;
  };
  const text = (name: string) => (read(name) === null ? null : String(read(name)));
  const number = (name: string) => {
    const value = Number(read(name));
    if (read(name) !== null && Number.isFinite(value)) return value;
    throw new TypeError(`The database returned a row whose ${name} is not a number.`);
  };
  return {
    merchant: String(read('merchant')),
    key: String(read('key')),
    version: number('version'),
    state: String(read('state')) as RowState,
    revision: number('revision'),
    reference: String(read('reference')),
    digest: String(read('digest')),
    payload: text('payload'),
    payment: text('payment'),
    paymentId: text('paymentid'),
    error: text('error'),
    attempts: number('attempts'),
    inDoubt: Boolean(read('indoubt')),
    createdAt: number('createdat'),
    dueAt: read('dueat') === null ? null : number('dueat'),
    deadline: number('deadline'),
    refreshUntil: read('refreshuntil') === null ? null : number('refreshuntil'),
    now: number('now'),
  };
}
