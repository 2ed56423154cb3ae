export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Prints rows under a title. The first column is a name, the others are figures.
 *
 * @param {string} title
 * @param {string[][]} rows the first row contains the column headings
 */
export function print(title, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    console.log(`  ${cells.join('   ')}`.trimEnd());
  }
}
