/** PostgreSQL truncates names to 63 characters. The names of a table's indexes are 11 characters longer. */
const tableName = /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.)?[A-Za-z_][A-Za-z0-9_]{0,51}$/;

/** Checks for a table name, optionally with a schema: `table` or `schema.table`. */
export const isTableName = (value: unknown): boolean => typeof value === 'string' && tableName.test(value);

/** Checks for a table name without a schema. */
export const isUnqualifiedName = (value: unknown): boolean =>
  isTableName(value) && !String(value).includes('.');

export const quoted = (table: string) => `"${table.replace('.', '"."')}"`;

/** Builds the name of a table's index. */
export const indexName = (table: string, what: string) => `"${table.split('.').at(-1)}_${what}"`;

/** The default table for handled deliveries, in every database. */
export const deliveriesTable = 'payment_platform_deliveries';
