import { table } from './markdown.js';
import { tables } from './tables/index.js';
import { values } from './values.js';
import { type Language, numberFormats } from './words.js';

/** A generated table or part of a page: its comment, its content, and the comment at its end. */
const tablePattern = /(<!-- (?:table|part): ([\w.-]+) -->\n).*?(?=<!-- end of (?:table|part) -->)/gs;

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
    .replace(tablePattern, (_, start, name) => {
      const content = find(tables[name], name)(language);
      return start + (typeof content === 'string' ? `\n${content}\n` : table(content));
    })
    .replace(
      valuePattern,
      (_, end, name) => `${numberFormats[language].format(find(values[name], name))}${end}`,
    );
}

/** Removes the tables and numbers of the sources, so that a change of a source needs no translation. */
export const withoutSources = (page: string): string =>
  page.replace(tablePattern, '$1').replace(valuePattern, '$1');
