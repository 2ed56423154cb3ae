import { FileProblem } from './file-content.js';

/** @throws FileProblem for a string that is content, not the path of a file. */
export function checkPath(path: string | URL): void {
  if (typeof path === 'string' && /^data:|[\r\n]/.test(path))
    throw new FileProblem('is a string that is not a path. Pass the bytes', true);
}

export const noFileSystem = () =>
  new FileProblem('is a path, and this runtime has no file system. Pass the bytes', true);
