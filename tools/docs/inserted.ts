import { table } from './markdown.js';
import { tables } from './tables/index.js';
import { values } from './values.js';
import { type Language, numberFormats } from './words.js';

/** A table of a page that is written by hand: its comment, its rows, and the comment at its end. */
const tablePattern = /(<!-- table: ([\w.-]+) -->\n).*?(?=<!-- end of table -->)/gs;

/** A number of a page that is written by hand, with the name of its source: `300<!-- webhooks.tolerance -->`. */
const valuePattern = /[\d.,]*\d(<!-- ([a-z]+(?:\.[\w-]+)+) -->)/g;

function find<Value>(found: Value | undefined, name: string): Value {
  if (found === undefined)
    throw new Error(`No source is called ${name}. See tools/docs/tables and tools/docs/values.ts.`);
  return found;
}

/** Writes the tables and the numbers of a page from their sources. Everything else stays as it is. */
export function insertSources(page: string, language: Language): string {
  return page
    .replace(tablePattern, (_, start, name) => `${start}${table(find(tables[name], name)(language))}`)
    .replace(
      valuePattern,
      (_, end, name) => `${numberFormats[language].format(find(values[name], name))}${end}`,
    );
}

/** Removes the tables and numbers of the sources, so that a change of a source needs no translation. */
export const withoutSources = (page: string): string =>
  page.replace(tablePattern, '$1').replace(valuePattern, '$1');
