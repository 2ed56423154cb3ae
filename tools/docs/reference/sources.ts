import { declarations, readSources } from './declarations.js';

/** Reads the sources once, however many pages ask. */
let read: ReturnType<typeof declarations> | undefined;

/** What the package exports under a name. @throws Error for a name that it does not export */
export const declared: ReturnType<typeof declarations> = (name) => {
  read ??= declarations(readSources());
  return read(name);
};
