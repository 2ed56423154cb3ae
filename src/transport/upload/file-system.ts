/** The file system, imported where a path is read, so that what never uploads never loads it. */
export const fileSystem = () => import('node:fs/promises');
