/** Takes the place of `file-system.ts` in the build for runtimes without files. */
export const fileSystem = (): Promise<never> => Promise.reject(new Error('no file system'));
