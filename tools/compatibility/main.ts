// Checks that code for the last release compiles with this build: npm run verify -- --only compatibility,
// after npm run build. --against <commit> names another version.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastRelease } from '../release/last-release.mjs';
import { root } from '../sources.js';
import { problemsIn, samplesIn } from './samples.js';

const printLine = (text: string) => process.stdout.write(`${text}\n`);

/** Runs a version's compile-time tests on the current types, at the same paths in another folder. */
function checkTypes(folder: string): string[] {
  const test = join(folder, 'test/types/mistakes.test.ts');
  if (!existsSync(test)) return [];
  const place = mkdtempSync(join(root, 'test/released-'));
  try {
    cpSync(test, join(place, 'mistakes.test.ts'));
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    execFileSync(process.execPath, [vitest, 'run', place], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    return [`Its test/types fails: ${(error as { stdout?: string }).stdout ?? error}`];
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Compiles a version's samples and tests with this build, and prints the problems. */
function compare(version: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'released-'));
  try {
    const archive = execFileSync('git', ['archive', version], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const samples = samplesIn(folder);
    const problems = [...problemsIn(samples, 'dist'), ...checkTypes(folder)];
    for (const problem of problems) printLine(`${version}: ${problem}`);
    printLine(`${Object.keys(samples).length} samples of ${version}, ${problems.length} problems.`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const at = process.argv.indexOf('--against');
const against = at === -1 ? lastRelease(root) : process.argv[at + 1];
if (against !== undefined) compare(against);
else printLine('skipped: compatibility (no release has a tag yet, and --against is missing)');
