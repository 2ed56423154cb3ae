/** Formats a table as the project's formatter does. Every column is as wide as its widest cell. */
export function table([titles = [], ...rows]: readonly string[][]): string {
  const widths = titles.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => row[index]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |\n`;
  return [titles, rule, ...rows].map(line).join('');
}

export const code = (text: string) => `\`${text}\``;

/** Builds a heading's anchor, as the site does for plain headings. */
export const slug = (heading: string) =>
  heading.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('.', '-').replaceAll(' ', '-');

/** Cuts a paragraph after its first full stop or colon. */
export const firstSentence = (text: string) => (text.split(/(?<=[.:])\s/)[0] ?? '').replace(/:$/, '.');

/** The place of the site's filter for the entries of a page. Elsewhere, the comment is invisible. */
export const filter = '<!-- filter -->\n';
