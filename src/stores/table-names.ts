/** PostgreSQL truncates names to 63 characters. The names of a table's indexes are 11 characters longer. */
const tableName = /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.)?[A-Za-z_][A-Za-z0-9_]{0,51}$/;

/** Names that the stores' SQL gives to other things. With such a table, the SQL would read these things. */
const usedInSql = /^(?:excluded|due|written|time|counted|full|times|json_each)$/i;

/** Checks for a table name, optionally with a schema: `table` or `schema.table`. */
export const isTableName = (value: unknown): boolean =>
  typeof value === 'string' && tableName.test(value) && !usedInSql.test(value);

/** Checks for a table name without a schema. */
export const isUnqualifiedName = (value: unknown): boolean =>
  isTableName(value) && !String(value).includes('.');

/**
 * Checks the argument of a function that returns the SQL of a table.
 *
 * @throws TypeError for anything but a name that `isValid` accepts.
 */
export function checkTableName(caller: string, table: unknown, isValid: (value: unknown) => boolean): void {
  const example = isValid('schema.table') ? 'schema.table' : 'table';
  if (typeof table !== 'string')
    throw new TypeError(`${caller} takes the table's name as a string: ${caller}('${example}').`);
  if (!isValid(table))
    throw new TypeError(
      `${caller} takes a plain table name of at most 52 characters: ${caller}('${example}').`,
    );
}

export const quoted = (table: string) => `"${table.replace('.', '"."')}"`;

export const indexName = (table: string, what: string) => `"${table.split('.').at(-1)}_${what}"`;

/** The default table for handled deliveries in SQLite. */
export const deliveriesTable = 'payment_platform_deliveries';

/**
 * The schema of the default tables in PostgreSQL. Tools that compare a schema with their models, and drop every
 * table that they do not know, leave other schemas alone.
 */
const defaultSchema = 'payment_platform';

/** The default table for handled deliveries in PostgreSQL. */
export const schemaDeliveriesTable = `${defaultSchema}.deliveries`;

/** The default table for durable payments in PostgreSQL. */
export const schemaPaymentsTable = `${defaultSchema}.payments`;

export interface StoreTable {
  /** The name, as the merchant passed it. */
  readonly name: string;
  /** The call that returns the SQL of the table, such as `postgresPaymentsSql()`. */
  readonly sql: string;
}

export const describeTable = (name: string, defaultName: string, createdBy: string): StoreTable => ({
  name,
  sql: `${createdBy}(${name === defaultName ? '' : `'${name}'`})`,
});
