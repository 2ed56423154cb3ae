/**
 * Compares the work tree with another commit: `npm run bench -- --against REF`. The other commit is built
 * from git with the packages installed here. Both are measured alternately, each time in a new process.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();

/** Builds another commit in a separate folder. Returns the folder, and a function that removes it. */
export function buildCommit(ref) {
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), 'against-'));
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  execFileSync(join(root, 'node_modules/.bin/tsup'), ['--no-dts'], { cwd: folder, stdio: 'ignore' });
  const dist = join(folder, 'dist');
  if (!existsSync(join(dist, 'index.js'))) throw new Error(`${ref} cannot be built: it has no dist/index.js`);
  return { commit, dist, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
