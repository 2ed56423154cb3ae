// Creates fresh clones of the commit, and packs tarballs in them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from '../package/pack.mjs';

const run = (command, args, options) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options });

/** Lists a folder's uncommitted changes. */
export const uncommitted = (folder) => run('git', ['status', '--porcelain'], { cwd: folder }).trim();

export function clone(root, folder) {
  mkdirSync(dirname(folder), { recursive: true });
  const commit = run('git', ['rev-parse', 'HEAD'], { cwd: root }).trim();
  run('git', ['clone', '--quiet', '--no-checkout', root, folder]);
  run('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder });
}

/**
 * Installs the locked packages, builds and packs.
 *
 * @returns the tarball, its sha256, and npm's description of it
 */
export function packIn(folder, env = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], options);
  run('npm', ['run', '--silent', 'build'], { ...options, stdio: 'pipe' });
  const target = join(folder, 'reports/release');
  mkdirSync(target, { recursive: true });
  const packed = pack(folder, target, options.env);
  const tarball = join(target, packed.filename);
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  return { ...packed, tarball, sha256 };
}
