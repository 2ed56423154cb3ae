import pc from 'picocolors';
import { escapeHarmful, oneLine } from './printable.js';
import { write } from './write.js';

export function printLine(text = ''): void {
  write(`${text}\n`);
}

export function printJson(value: unknown): void {
  // JSON leaves C1 control characters and direction marks unchanged, and terminals interpret them.
  printLine(escapeHarmful(JSON.stringify(value)));
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

export function printTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = rows.map((row) => row.map(shown));
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  printLine(pc.dim(line(titles)));
  for (const row of cells) printLine(line(row));
}

export function printFacts(values: Readonly<Record<string, unknown>>): void {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined)
      printLine(`${pc.dim(oneLine(name).padEnd(width))}  ${escapeHarmful(shown(value))}`);
  }
}

/** The marks of a check's result, of one width. */
export const resultMarks = {
  ok: `${pc.green('✓')} ok     `,
  warning: `${pc.yellow('!')} warning`,
  failed: `${pc.red('✗')} failed `,
  skipped: `${pc.dim('–')} skipped`,
} as const;

export const money = (cents: unknown): string =>
  typeof cents === 'number'
    ? new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100)
    : '';
