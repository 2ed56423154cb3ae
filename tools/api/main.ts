// Writes the reports of the public API (npm run generate). With --check (npm run verify), verifies that the
// reports are up to date, and that the changelog mentions every change since the last release.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { entryPoints } from '../package/entry-points.mjs';
import { git, lastRelease } from '../release/last-release.mjs';
import { changesBetween, listUnmentioned } from './changes.js';
import { describeEntryPoints } from './face.js';
import { formatReport, inWorkers } from './report.js';

const root = new URL('../../', import.meta.url);
const toUrl = (name: string) => new URL(`api-reports/${name}`, root);
/** Reads a file from a release. Undefined if the release does not contain it. */
const fileAt = (tag: string, path: string) => git(fileURLToPath(root), 'show', `${tag}:${path}`);

/** Lists the reports of a release. */
const reportsAt = (tag: string): string[] =>
  (git(fileURLToPath(root), 'ls-tree', '--name-only', tag, 'api-reports/') ?? '')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => path.slice('api-reports/'.length));

const kept = (name: string) => (existsSync(toUrl(name)) ? readFileSync(toUrl(name), 'utf8') : undefined);
const printLine = (text: string) => process.stdout.write(`${text}\n`);

const entryPointApis = describeEntryPoints(entryPoints.exports);
const reports = new Map(
  entryPoints.exports.map(({ name, files }, index): [string, string] => {
    const publicApi = entryPointApis[index];
    if (publicApi === undefined) throw new Error(`${name} exports nothing.`);
    const hasVariant = files.some((file) => file.endsWith('.worker.js'));
    return [`${name}.api.md`, formatReport(publicApi, inWorkers(hasVariant))];
  }),
);
const others = (names: readonly string[]) =>
  names.filter((name) => name.endsWith('.api.md') && !reports.has(name));
const keptNames = existsSync(toUrl('')) ? readdirSync(toUrl('')) : [];

function write(): void {
  mkdirSync(toUrl(''), { recursive: true });
  for (const [name, report] of reports) writeFileSync(toUrl(name), report);
  for (const name of others(keptNames)) rmSync(toUrl(name));
  printLine(`api-reports/ has ${reports.size} reports.`);
}

/** Lists the outdated reports, as messages. */
function stale(): string[] {
  const differing = [...reports].flatMap(([name, report]) => {
    const before = kept(name);
    if (before === report) return [];
    if (before === undefined) return [`api-reports/${name} does not exist.`];
    const changes = changesBetween(before, report).map((change) => `${change.name} (${change.kind})`);
    const what = changes.length > 0 ? changes.join(', ') : 'its other text';
    return [`api-reports/${name} differs from the exports of the sources: ${what}.`];
  });
  return [...differing, ...others(keptNames).map((name) => `api-reports/${name} is of nothing that exists.`)];
}

/** Lists the changes since a release that the changelog does not mention. */
function listUnmentionedSince(tag: string): string[] {
  const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8');
  const names = [...reports.keys(), ...others(reportsAt(tag))];
  return names.flatMap((name) => {
    const changes = changesBetween(fileAt(tag, `api-reports/${name}`) ?? '', reports.get(name) ?? '');
    return listUnmentioned(changes, changelog, tag.slice(1));
  });
}

function check(): string[] {
  const problems = stale();
  if (problems.length > 0) {
    const remedy =
      'Run `npm run generate`, see with `git diff api-reports` whether you meant it, and commit it.';
    return [...problems, remedy];
  }
  const tag = lastRelease(fileURLToPath(root));
  if (tag === undefined)
    printLine(
      'The public API is as api-reports/ says. No release has a tag yet: nothing to compare it with.',
    );
  else if (reportsAt(tag).length === 0)
    printLine(
      `The public API is as api-reports/ says. ${tag} has no api-reports/: nothing to compare it with.`,
    );
  else {
    const missing = listUnmentionedSince(tag);
    if (missing.length > 0) return missing;
    printLine(`The public API is as api-reports/ says, and CHANGELOG.md lists the changes since ${tag}.`);
  }
  return [];
}

if (process.argv.includes('--check')) {
  const problems = check();
  for (const problem of problems) printLine(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else write();
