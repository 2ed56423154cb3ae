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

/** A row as a database gives it, with its times as milliseconds. Its names have no underscores, which drivers can be set to turn. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** The columns of a row, and what they are called in an answer. */
export const columnsOf = (timeOf: (column: string) => string): string =>
  [
    ...['key', 'version', 'state', 'revision', 'reference', 'digest', 'payload', 'payment'],
    ...['payment_id AS paymentid', 'error', 'attempts', 'in_doubt AS indoubt'],
    ...['created_at', 'due_at', 'deadline'].map((name) => `${timeOf(name)} AS ${name.replace('_', '')}`),
  ].join(', ');

/** The row that a database gave. Drivers differ in what they make of numbers and booleans. @throws TypeError for another shape */
export function rowOf(values: ColumnValues): PaymentRow {
  const read = (name: string): unknown => {
    if (!Object.hasOwn(values, name))
      throw new TypeError(
        `The database gave a row without ${name}: the driver is set to change rows, which a store of payments cannot work with.`,
      );
    return values[name] ?? null;
  };
  const text = (name: string) => (read(name) === null ? null : String(read(name)));
  const number = (name: string) => {
    const value = Number(read(name));
    if (read(name) !== null && Number.isFinite(value)) return value;
    throw new TypeError(`The database gave a row whose ${name} is no number.`);
  };
  return {
    key: String(read('key')),
    version: number('version'),
    state: String(read('state')) as DurableState,
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
    now: number('now'),
  };
}
