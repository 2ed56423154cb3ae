// Finds the release to compare with.
import { execFileSync } from 'node:child_process';

/** Runs git in a folder. Returns its output, or undefined if it fails or is not installed. */
export function git(folder, ...args) {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const tag = (folder, ...args) => git(folder, 'describe', '--tags', '--match', 'v[0-9]*', ...args)?.trim();

/**
 * Finds the tag of the release before the files in a folder, such as `v1.0.0`; undefined without a release or
 * history. A tagged commit is compared with the previous release, because it never differs from itself.
 */
export function lastRelease(folder) {
  const isRelease = tag(folder, '--exact-match', '--dirty')?.endsWith('-dirty') === false;
  return tag(folder, '--abbrev=0', isRelease ? 'HEAD^' : 'HEAD');
}
