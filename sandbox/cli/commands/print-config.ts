import { printLine } from '../output.js';

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const schemaPath = './node_modules/payment-platform/docs/config.schema.json';

/** In characters. */
const lineWidth = 100;

/** An option without a default is commented out. */
export async function printConfig(): Promise<void> {
  const { default: schema } = await import('../../../docs/config.schema.json', { with: { type: 'json' } });
  const { $schema, ...properties } = schema.properties as Readonly<Record<string, Schema>>;
  printLine('{');
  printLine(`  "$schema": ${JSON.stringify(schemaPath)},`);
  for (const [name, option] of Object.entries(properties)) print(name, option, '  ');
  printLine('}');
}

function print(name: string, option: Schema, indent: string): void {
  if (option.description !== undefined) {
    printLine();
    for (const line of wrapped(option.description, lineWidth - indent.length))
      printLine(`${indent}// ${line}`);
  }
  if (option.properties === undefined) {
    const isDefault = option.default !== undefined;
    printLine(
      `${indent}${isDefault ? '' : '// '}"${name}": ${JSON.stringify(option.default ?? buildExample(option))},`,
    );
    return;
  }
  printLine(`${indent}"${name}": {`);
  for (const [field, inner] of Object.entries(option.properties)) print(field, inner, `${indent}  `);
  printLine(`${indent}},`);
}

function buildExample({ type, enum: values }: Schema): unknown {
  if (values !== undefined) return values[0];
  if (type === 'array') return [];
  return type === 'number' ? 1 : '';
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
