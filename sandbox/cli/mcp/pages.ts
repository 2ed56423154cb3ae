import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'en' | 'pt';

/** A part of a page with its heading, and the samples under it. */
export interface Section {
  /** The page and the heading's anchor, such as `pix.md#expiration`. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

const folderOf = (docs: string, language: Language) => (language === 'pt' ? join(docs, 'pt') : docs);

/** Lists the names of the pages. */
export const listPages = (docs: string, language: Language): string[] =>
  readdirSync(folderOf(docs, language)).filter((name) => name.endsWith('.md'));

/**
 * Reads a page.
 *
 * @param name the file's name with or without `.md`. Only `shop` and names in the list are read.
 * @throws Error that names similar pages
 */
export function readPage(docs: string, name: string, language: Language): string {
  const names = listPages(docs, language);
  const wanted = name
    .replace(/#.*$/, '')
    .replace(/^(docs\/)?(pt\/)?/, '')
    .replace(/(\.md)?$/, '.md');
  if (wanted === 'shop.md') return readFileSync(join(docs, '../examples/shop/README.md'), 'utf8');
  if (!names.includes(wanted))
    throw new Error(`No page has this name. The pages are shop.md, ${names.join(', ')}.`);
  return readFileSync(join(folderOf(docs, language), wanted), 'utf8')
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/^\|.*\|$/gm, withoutPadding);
}

/** Removes the spaces that align a table's columns. */
const withoutPadding = (row: string) => row.replace(/ {2,}(?=\|)/g, ' ').replace(/-{4,}/g, '---');

/** Splits a page at its headings. */
export function splitPage(page: string, text: string): Section[] {
  const sections: { title: string; lines: string[] }[] = [];
  let isCode = false;
  let name = page;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, level, title = ''] = (!isCode && /^(#{1,3}) (.*)/.exec(line)) || [];
    if (level === '#') name = title;
    if (level === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ title: level === '#' ? title : `${name}: ${title}`, lines: [] });
  }
  return sections.map(({ title, lines }) => {
    const heading = title.slice(title.indexOf(': ') + 1).trim();
    return { id: `${page}#${toAnchor(heading)}`, page, title, text: lines.join('\n').trim() };
  });
}

/** Writes a heading as an anchor, as the site does. */
const toAnchor = (heading: string) =>
  heading
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
