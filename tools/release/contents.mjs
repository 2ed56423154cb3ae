// The files that can be published, and their size limits: tools/release/contents.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiles a pattern. `*` matches any part of a name. */
const compilePattern = (entry) =>
  new RegExp(`^${entry.replace(/[.+?^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '[^/]*')}$`);

/** Reports files that are not on the list, and list entries without a file. */
export function unexpectedFiles(files, entries) {
  const patterns = entries.map((entry) => ({ entry, pattern: compilePattern(entry) }));
  const isListed = (file) => patterns.some(({ pattern }) => pattern.test(file));
  const isUsed = ({ pattern }) => files.some((file) => pattern.test(file));
  return [
    ...files
      .filter((file) => !isListed(file))
      .map((file) => `${file} is not in tools/release/contents.json.`),
    ...patterns
      .filter((each) => !isUsed(each))
      .map(({ entry }) => `${entry} is in tools/release/contents.json, and no file has that name.`),
  ];
}

/** Reports sizes (in bytes) above their limits (in kilobytes). */
export const tooLarge = (bytes, ceilings) =>
  Object.entries(ceilings)
    .filter(([name, ceiling]) => bytes[name] > ceiling * 1000)
    .map(
      ([name, ceiling]) =>
        `The tarball has ${Math.ceil(bytes[name] / 1000)} kB ${name}, more than ${ceiling} kB.`,
    );

/** Finds the files below a folder that contain one of the words. */
export const filesWith = (folder, words) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      return words.some((word) => text.includes(word));
    });
