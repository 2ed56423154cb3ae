// Runs all steps before a publication. The workflow .github/workflows/release.yml publishes the result.
//   npm run release -- --cut 1.2.0     writes the version and cuts the changelog, to be committed and tagged
//   npm run release -- --dry-run       runs all steps, cuts only in its clones, and leaves nothing behind
//   npm run release                    runs all steps strictly, and leaves the tarball and its digest in reports/release
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { steps, take } from './steps.mjs';
import { cut } from './version.mjs';

const { values } = parseArgs({
  options: {
    cut: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
  },
});

// git writes files with this process's modes, and npm packs the modes. The digest must not depend on the
// machine.
process.umask(0o022);
const root = resolve('.');
const today = new Date().toISOString().slice(0, 10);

function release() {
  const dryRun = values['dry-run'];
  const skipTests = values['skip-tests'];
  if (skipTests && !dryRun) {
    console.error('--skip-tests is for a dry run only: what was not tested is not released.');
    return 2;
  }
  const work = mkdtempSync(join(tmpdir(), 'payment-platform-release-'));
  try {
    return take(steps, { root, work, dryRun, skipTests, today }, console.log) ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (values.cut === undefined) process.exitCode = release();
else {
  cut(root, values.cut, today);
  console.log(`${values.cut} of ${today} is written. Commit it, and push the tag v${values.cut}.`);
}
