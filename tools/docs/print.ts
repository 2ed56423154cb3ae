import { isRecord } from '../../src/validation/record.js';

/** The project's line width. */
const lineWidth = 110;

/**
 * Prints JSON as the project's formatter does. An object takes several lines, and a list of plain values one
 * line if it fits.
 *
 * @param column the start position of the value
 */
function print(value: unknown, indent: string, column: number): string {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.length > 0) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    // Leaves room for the comma.
    if (!value.some((item) => typeof item === 'object') && column + line.length < lineWidth) return line;
    const items = value.map((item) => inner + print(item, inner, inner.length));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => {
        const start = `${inner}${JSON.stringify(name)}: `;
        return start + print(field, inner, start.length);
      });
    return `{\n${fields.join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value);
}

export const printJson = (value: unknown) => `${print(value, '', 0)}\n`;
