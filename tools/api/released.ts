import { fileURLToPath } from 'node:url';
import { git, lastRelease } from '../release/last-release.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Finds the last release's tag, such as `v1.0.0`. Undefined without a release or without git. */
export const lastTag = (): string | undefined => lastRelease(root);

/** Reads a file from a release. Undefined if the release does not contain it. */
export const fileAt = (tag: string, path: string): string | undefined => git(root, 'show', `${tag}:${path}`);

/** Lists the files in a folder of a release. */
export const filesAt = (tag: string, folder: string): string[] =>
  (git(root, 'ls-tree', '--name-only', tag, `${folder}/`) ?? '')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => path.slice(folder.length + 1));
