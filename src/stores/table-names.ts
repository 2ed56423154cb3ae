/** PostgreSQL truncates names to 63 characters. The names of a table's indexes are 11 characters longer. */
const tableName = /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.)?[A-Za-z_][A-Za-z0-9_]{0,51}$/;

/** Names that the stores' SQL gives to other things. With such a table, the SQL would read these things. */
const usedInSql = /^(?:excluded|due|written|time|counted|full|times|json_each)$/i;

export const isTableName = (value: unknown): boolean =>
  typeof value === 'string' && tableName.test(value) && !usedInSql.test(value);

export const isUnqualifiedName = (value: unknown): boolean =>
  isTableName(value) && !String(value).includes('.');

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

export const deliveriesTable = 'payment_platform_deliveries';

/**
 * The schema of the default tables in PostgreSQL. Tools that compare a schema with their models, and drop every
 * table that they do not know, leave other schemas alone.
 */
const defaultSchema = 'payment_platform';

export const schemaDeliveriesTable = `${defaultSchema}.deliveries`;

export const schemaPaymentsTable = `${defaultSchema}.payments`;

export interface StoreTable {
  readonly name: string;
  readonly sql: string;
}

export const describeTable = (name: string, defaultName: string, createdBy: string): StoreTable => ({
  name,
  sql: `${createdBy}(${name === defaultName ? '' : `'${name}'`})`,
});
