import { readFileSync } from 'node:fs';
import { operationRecords } from '../../test/operations/index.js';
import { type Entry, under } from './entry.js';

const page = readFileSync(new URL('api-docs.md', import.meta.url), 'utf8');
const reasonPrefix = 'Not tried: ';

/** Reads the statements of api-docs.md. */
const pageEntries: readonly Entry[] = page.split(/^## /m).flatMap((part) => {
  const section = part.slice(0, part.indexOf('\n'));
  return Array.from(
    part.matchAll(/^\| ([a-z-]+-\d+) \| (.+?) \| (.+) \|$/gm),
    ([, id = '', text = '', by = '']) => ({
      id,
      section,
      text,
      ...(by.startsWith(reasonPrefix)
        ? { untried: by.slice(reasonPrefix.length) }
        : { triedBy: by.split(' <br> ') }),
    }),
  );
});

/** Every statement of the API docs. The records of the operations have those about endpoints. */
export const table: readonly Entry[] = [
  ...pageEntries,
  ...Object.values(operationRecords).flatMap(({ section, statements }) =>
    statements === undefined ? [] : under(section, statements.prefix, statements.lines),
  ),
];
