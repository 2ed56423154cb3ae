/**
 * Records that translations are up to date: `npm run generate -- --translated NAME...`. A name is a page, such as
 * `webhooks`, or the key of a string in portuguese.json, such as `Payments.create`. A `*` at the end of a key stands
 * for any rest. A page or string that states other facts than the English is refused.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pageNames } from '../../site/contents.js';
import { listDifferences } from './facts.js';
import { withoutSources } from './inserted.js';
import { printJson } from './print.js';
import { computeDigest, englishTexts, outdated, type Translation } from './words.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const catalogue = 'tools/docs/portuguese.json';
const stamp = /<!-- translates ([\w./-]+)(?: ([0-9a-f]{12}))? -->/;

const pathsOf = (page: string): readonly [string, string] =>
  page === 'README' ? ['README.md', 'README.pt-BR.md'] : [`docs/${page}.md`, `docs/pt/${page}.md`];

/** Tables and numbers that come from the sources are written in both languages, and need no translation. */
const digestOf = (page: string) => computeDigest(withoutSources(read(page)));

/** Lists the pages written by hand whose English has changed. Generated pages have no stamp. */
const outdatedPages = ['index', 'README', ...pageNames].filter((page) => {
  const [english, portuguese] = pathsOf(page);
  const [mark, , digest] = stamp.exec(read(portuguese)) ?? [];
  return mark !== undefined && digest !== digestOf(english);
});

function requireSameFacts(name: string, differences: readonly string[]): void {
  if (differences.length > 0)
    throw new Error(`${name} is not stamped, because the languages differ:\n  ${differences.join('\n  ')}`);
}

function stampPage(page: string): void {
  const [english, portuguese] = pathsOf(page);
  const translation = read(portuguese);
  requireSameFacts(portuguese, listDifferences(read(english), translation));
  const mark = `<!-- translates ${english} ${digestOf(english)} -->`;
  writeFileSync(new URL(portuguese, root), translation.replace(stamp, mark));
  process.stdout.write(`stamped ${portuguese}\n`);
}

function stampTexts(keys: ReadonlySet<string>): void {
  const texts: Record<string, Translation> = JSON.parse(read(catalogue));
  for (const key of Object.keys(texts).filter((key) => keys.has(key))) {
    const english = englishTexts().get(key) as string;
    const pt = (texts[key] as Translation).pt;
    requireSameFacts(key, listDifferences(english, pt, ['numbers', 'links']));
    texts[key] = { pt, translates: computeDigest(english) };
    process.stdout.write(`stamped ${key}\n`);
  }
  const sorted = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(new URL(catalogue, root), printJson(Object.fromEntries(sorted)));
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const matches = (key: string) =>
  names.some((name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name));
const pages = outdatedPages.filter((page) => names.includes(page));
const keys = outdated().filter(matches);
if (pages.length + keys.length === 0) {
  const waiting = [...outdatedPages, ...outdated()];
  throw new Error(
    waiting.length === 0
      ? 'Every translation is up to date.'
      : `Name the pages and strings whose translation you have read. To stamp:\n${waiting.join('\n')}`,
  );
}
for (const page of pages) stampPage(page);
stampTexts(new Set(keys));
