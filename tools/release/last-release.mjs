// The release that the files at hand are compared with.
import { execFileSync } from 'node:child_process';

/** What git prints in a folder; undefined where it fails, or is not there. */
export function git(folder, ...args) {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const tag = (folder, ...args) => git(folder, 'describe', '--tags', '--match', 'v[0-9]*', ...args)?.trim();

/**
 * The tag of the last release that the files of a folder come after, such as `v1.0.0`; undefined where there is none, or
 * no history. A commit with a tag comes after the release before it: beside itself, nothing ever differs.
 */
export function lastRelease(folder) {
  const isRelease = tag(folder, '--exact-match', '--dirty')?.endsWith('-dirty') === false;
  return tag(folder, '--abbrev=0', isRelease ? 'HEAD^' : 'HEAD');
}
