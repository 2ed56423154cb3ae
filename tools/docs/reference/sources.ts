import { declarations, readSources } from './declarations.js';

/** The lookup, which all pages share. It is created on first use. */
let read: ReturnType<typeof declarations> | undefined;

/**
 * Finds an export of the package by name.
 *
 * @throws Error for a name that is not exported
 */
export const declared: ReturnType<typeof declarations> = (name) => {
  read ??= declarations(readSources());
  return read(name);
};
