import { indexName, quoted } from '../table-names.js';

interface TableDefinition {
  readonly table: string;
  /** The version of the columns and keys, which is stored as the table's comment. */
  readonly version: number;
  readonly columns: string;
  readonly indexes: readonly string[];
  /** Running them again has no effect. */
  readonly upgrade: string;
  readonly formerTable: string | undefined;
}

/** If there is nothing to do, the SQL takes no lock on the table. */
export function createTableSql(definition: TableDefinition): string {
  const { table, version, columns, upgrade } = definition;
  const [schema] = table.split('.');
  const name = quoted(table);
  const comment = `payment-platform: version ${version}`;
  return `SELECT pg_advisory_xact_lock(hashtext('payment-platform')); -- two at once would disturb each other
DO $do$ BEGIN
${table.includes('.') ? createSchema(String(schema)) : ''}${moveFormer(definition)}  CREATE TABLE IF NOT EXISTS ${name} (
${columns}
  );
  IF obj_description('${name}'::regclass) IS DISTINCT FROM '${comment}' THEN
${upgrade}    COMMENT ON TABLE ${name} IS '${comment}';
  END IF;
END $do$;
`;
}

const createSchema = (schema: string) => `  IF to_regnamespace('"${schema}"') IS NULL THEN
    CREATE SCHEMA "${schema}";
  END IF;
`;

/**
 * The former table may contain open payments. If the search_path hides it, the SQL raises an error, because a
 * new table would orphan its rows.
 */
function moveFormer({ table, formerTable, indexes }: TableDefinition): string {
  if (formerTable === undefined) return '';
  const [schema, name] = table.split('.');
  const renames = indexes.map(
    (index) =>
      `    ALTER INDEX IF EXISTS "${schema}".${indexName(formerTable, index)} RENAME TO ${indexName(table, index)};\n`,
  );
  const schemas = `SELECT string_agg(relnamespace::regnamespace::text, ', ') FROM pg_class
      WHERE relname = '${formerTable}' AND relkind IN ('r', 'p') AND relpersistence <> 't'`;
  return `  IF to_regclass('${quoted(table)}') IS NULL AND to_regclass('${quoted(formerTable)}') IS NULL AND (
      ${schemas}
    ) IS NOT NULL THEN
    RAISE EXCEPTION 'The table ${formerTable} of an older version is in schema %, which is not in the search_path. Nothing was changed. Run SET search_path TO that schema, and then this SQL on the same connection. If the table belongs to another program, use the option table.', (
      ${schemas}
    );
  END IF;
  IF to_regclass('${quoted(table)}') IS NULL AND to_regclass('${quoted(formerTable)}') IS NOT NULL THEN
    ALTER TABLE ${quoted(formerTable)} SET SCHEMA "${schema}";
    ALTER TABLE "${schema}".${quoted(formerTable)} RENAME TO "${name}";
${renames.join('')}  END IF;
`;
}
