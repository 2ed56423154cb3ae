// Prints the runner's rows.

/** The columns of the table: a row's identity, and its result. */
const columns = ['environment', 'version', 'how it is used', 'result'];

const cell = (text) => String(text).replaceAll('|', '\\|');

/** Joins rows that differ in one field only, in the order of each first row. */
function joined(rows, field, separator) {
  const fields = ['environment', 'version', 'use', 'result'].filter((name) => name !== field);
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(fields.map((name) => row[name]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return Array.from(groups.values(), (group) => ({
    ...group[0],
    [field]: group.map((row) => row[field]).join(separator),
  }));
}

/** Groups rows for the table: uses of a version with the same result, then versions with the same uses. */
export const summary = (rows) => joined(joined(rows, 'use', '; '), 'version', ', ');

/** Formats a Markdown table with columns of equal width, like the README's formatter. */
export function table(rows) {
  const lines = [
    columns,
    ...rows.map((row) => [row.environment, row.version, row.use, row.result].map(cell)),
  ];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const line = (cells) => `| ${cells.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...rest] = lines;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

/** Matches lines around the reason: the stack, the source line that threw, and a tool's own output. */
const noise = /^(at |> |\d*\s*\||throw |npm |warn|\(node:|FAIL |PASS |Node\.js v|file:|\/|\^)/i;

/** The kinds of lines that explain the reason, best first. */
const telling = [
  /\berror TS\d+/,
  /(^|uncaught )\w*error\b.*: |not found: /i,
  /^cannot |^could not | is not /i,
  /error|failed/i,
  /./,
];

/** Finds the line of a long message that explains the reason best. */
export function findReason(message) {
  const lines = message.split('\n').map((line) => line.trim().replace(/^[✘●×⎯\s]+/, ''));
  const candidates = lines.filter((line) => !noise.test(line));
  const found = telling.map((pattern) => candidates.find((line) => pattern.test(line)));
  return found.find((line) => line !== undefined) ?? message.trim();
}

/** Returns the start of a long message. */
export function beginning(message, most = 25) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const rest = lines.length > most ? [`... (${lines.length - most} more lines)`] : [];
  return [...lines.slice(0, most), ...rest].map((line) => `    ${line.slice(0, 300)}`).join('\n');
}
