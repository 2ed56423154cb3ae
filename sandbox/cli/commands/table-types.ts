interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'boolean' | 'timestamptz';
  readonly isNullable: boolean;
}

interface Table {
  readonly name: string;
  readonly sql: string;
}

function readColumns(sql: string): Column[] {
  const [, rest = ''] = sql.split(/CREATE TABLE IF NOT EXISTS [^(]+\(/);
  const [columns = ''] = rest.split(/,\s+PRIMARY KEY|\);\n/);
  return columns.split(/,\s+(?=["a-z])/).flatMap((column) => {
    const [, name, type] = /^\s*"?([a-z_]+)"? (\w+)/.exec(column) ?? [];
    return name === undefined
      ? []
      : [
          {
            name,
            type: type?.toLowerCase() as Column['type'],
            isNullable: !/NOT NULL|PRIMARY KEY/.test(column),
          },
        ];
  });
}

const tsTypes = { text: 'string', integer: 'number', boolean: 'boolean', timestamptz: 'Date' };

const forQueries =
  'For queries only: the SQL of `payment-platform durable tables` creates these tables, and upgrades them.';

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `payments` or `deliveries`, in the default tables. */
const nameInCode = (name: string) => toCamelCase(name.replace(/^.*\.|^payment_platform_/, ''));

export function kyselyTables(tables: readonly Table[]): string {
  const members = tables.map(({ name, sql }) => {
    const columns = readColumns(sql).map(
      ({ name: column, type, isNullable }) =>
        `    ${column}: ${tsTypes[type]}${isNullable ? ' | null' : ''};\n`,
    );
    return `  ${name.includes('.') ? `'${name}'` : name}: {\n${columns.join('')}  };\n`;
  });
  return `/** ${forQueries} */\nexport interface PaymentPlatformTables {\n${members.join('')}}`;
}

export function drizzleTables(tables: readonly Table[]): string {
  const library = tables.some(({ sql }) => sql.includes('timestamptz')) ? 'pg' : 'sqlite';
  const functions = new Set<string>();
  const definitions = tables.map(({ name, sql }) => {
    const [table = '', schema] = name.split('.').reverse();
    const columns = readColumns(sql).map(({ name: column, type, isNullable }) => {
      const kind = type === 'timestamptz' ? 'timestamp' : type;
      functions.add(kind);
      const options = type === 'timestamptz' ? ', { withTimezone: true }' : '';
      return `  ${toCamelCase(column)}: ${kind}('${column}'${options})${isNullable ? '' : '.notNull()'},\n`;
    });
    const create = schema === undefined ? `${library}Table` : `pgSchema('${schema}').table`;
    functions.add(schema === undefined ? create : 'pgSchema');
    return `\nexport const ${nameInCode(name)} = ${create}('${table}', {\n${columns.join('')}});\n`;
  });
  const imports = [...functions].toSorted().join(', ');
  return `import { ${imports} } from 'drizzle-orm/${library}-core';\n\n// ${forQueries}\n// Keep this file out of the schema of drizzle-kit.\n${definitions.join('')}`;
}
