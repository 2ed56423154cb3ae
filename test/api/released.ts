import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** The newest tag of a release, such as `v1.0.0`; undefined where there is none, or no git. */
export function newestTag(): string | undefined {
  // 1.0.0-rc.1 comes before 1.0.0.
  const tags = git('-c', 'versionsort.suffix=-', 'tag', '--list', 'v[0-9]*', '--sort=-version:refname');
  return tags?.split('\n').find((tag) => tag !== '');
}

/** A file as it was in a release; undefined if the release did not have it. */
export const fileAt = (tag: string, path: string): string | undefined => git('show', `${tag}:${path}`);

/** The names of the files that were in a folder. */
export const filesAt = (tag: string, folder: string): string[] =>
  (git('ls-tree', '--name-only', tag, `${folder}/`) ?? '')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => path.slice(folder.length + 1));
