import { fileURLToPath } from 'node:url';
import { git, lastRelease } from '../release/last-release.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The last release's tag, such as `v1.0.0`; undefined without a release or without git. */
export const lastTag = (): string | undefined => lastRelease(root);

/** A file as it was in a release; undefined if the release did not have it. */
export const fileAt = (tag: string, path: string): string | undefined => git(root, 'show', `${tag}:${path}`);

/** The names of the files that were in a folder. */
export const filesAt = (tag: string, folder: string): string[] =>
  (git(root, 'ls-tree', '--name-only', tag, `${folder}/`) ?? '')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => path.slice(folder.length + 1));
