// Tests the tarball in the runtimes, bundlers, test runners and compilers that merchants use. It runs the
// same session in each, and prints the results as a table. Run it after the build:
//   node tools/environments/main.mjs              everything
//   node tools/environments/main.mjs --quick      only rows cheap enough for every change
//   node tools/environments/main.mjs bun jest     only these families, or rows with such a name
// It needs the npm registry. Everything is installed in a temporary folder, which is removed.
import { parseArgs } from 'node:util';
import { table } from '../table.mjs';
import { families } from './rows.mjs';
import { Workspace } from './workspace.mjs';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const workspace = new Workspace();
const all = Object.entries(families).flatMap(([family, listRows]) =>
  listRows(workspace).map((row) => ({ family, ...row })),
);

const formatName = ({ environment, version, use }) => `${environment} ${version}, ${use}`;
/** Checks whether a word is a row's family, or a part of the row's name. */
function isCalled(row, word) {
  if (Object.hasOwn(families, word)) return row.family === word;
  return `${row.family} ${row.version}, ${formatName(row)}`.toLowerCase().includes(word.toLowerCase());
}

const selected = all.filter((row) => {
  const isNamed = positionals.length === 0 || positionals.some((word) => isCalled(row, word));
  return isNamed && (!values.quick || row.quick === true);
});

const seconds = (since) => ((Date.now() - since) / 1000).toFixed(1);

/** Runs a row. A success returns the text for the table, and a failure the whole reason. */
async function runRow(row) {
  if (row.unavailable !== undefined) return { result: `not run: ${row.unavailable}` };
  try {
    const engine = await row.run();
    return { result: engine === undefined ? 'works' : `works (${engine})` };
  } catch (error) {
    const cause = error.cause === undefined ? '' : `\n${error.cause}`;
    const failure = workspace.withoutFolder(error.message + cause);
    return { result: 'fails', failure };
  }
}

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
const summary = (rows) => joined(joined(rows, 'use', '; '), 'version', ', ');

/** Returns the start and the end of a long message. Test runners print the reasons of failures last. */
function shortened(message, first = 10, last = 40) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const left = lines.length - first - last;
  const shown = left > 0 ? [...lines.slice(0, first), `... (${left} lines)`, ...lines.slice(-last)] : lines;
  return shown.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}

async function main() {
  if (selected.length === 0) throw new Error(`No row is called ${positionals.join(' or ')}.`);
  const begun = Date.now();
  const version = await workspace.pack();
  const ended = [];
  const durations = {};
  for (const row of selected) {
    const start = Date.now();
    const outcome = await runRow(row);
    durations[row.family] = (durations[row.family] ?? 0) + Date.now() - start;
    ended.push({ ...row, ...outcome });
    console.log(`${seconds(start).padStart(6)} s  ${formatName(row)}: ${outcome.result}`);
  }
  const failed = ended.filter(({ failure }) => failure !== undefined);
  for (const row of failed) {
    console.log(`\n${formatName(row)}\n${shortened(row.failure)}`);
  }
  const cells = ({ environment, version, use, result }) =>
    [environment, version, use, result].map((text) => text.replaceAll('|', '\\|'));
  const columns = ['environment', 'version', 'how it is used', 'result'];
  console.log(`\n${table([columns, ...summary(ended).map(cells)])}`);
  const spent = Object.entries(durations).map(([family, time]) => `${family} ${(time / 1000).toFixed(0)} s`);
  console.log(`payment-platform ${version}, in ${seconds(begun)} s: ${spent.join(', ')}`);
  const skipped = ended.filter(({ unavailable }) => unavailable !== undefined);
  const worked = ended.length - failed.length - skipped.length;
  console.log(`${worked} rows work, ${failed.length} fail, ${skipped.length} cannot be run here`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

try {
  await main();
} finally {
  workspace.remove();
}
