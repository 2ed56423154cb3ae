/**
 * Formats a Markdown table as the project's formatter does. Every column is as wide as its widest cell.
 *
 * @param {readonly (readonly string[])[]} lines the titles, and the rows
 */
export function table([titles = [], ...rows]) {
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |\n`;
  return [titles, rule, ...rows].map(line).join('');
}
