// Records that translations are up to date: `npm run generate -- --translated`, optionally with names of
// pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { pageNames } from '../../site/contents.js';
import { computeDigest } from './digest.js';
import { pages as generated } from './pages.js';
import { printJson } from './print.js';
import { englishTexts, type Translation } from './words.js';

const root = new URL('../../', import.meta.url);
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const pages = (names.length > 0 ? names : ['index', 'README', ...pageNames]).map((name) =>
  name === 'README' ? ['README.md', 'README.pt-BR.md'] : [`docs/${name}.md`, `docs/pt/${name}.md`],
);

for (const [english = '', portuguese = ''] of pages) {
  const digest = computeDigest(readFileSync(new URL(english, root)));
  const text = readFileSync(new URL(portuguese, root), 'utf8');
  const mark = /<!-- translates [\w./-]+(?: [0-9a-f]{12})? -->/;
  if (mark.test(text))
    writeFileSync(new URL(portuguese, root), text.replace(mark, `<!-- translates ${english} ${digest} -->`));
}

// Generated pages are marked together, because several of them can share a doc comment.
if (names.length === 0) {
  for (const page of Object.values(generated)) await page('pt');
  for (const name of ['tools/docs/portuguese.json', 'tools/docs/reference/portuguese.json']) {
    const file = new URL(name, root);
    const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Translation>)
      .map(([key, { pt }]): [string, Translation] => {
        const english = englishTexts().get(key);
        return [key, { pt, ...(english !== undefined && { translates: computeDigest(english) }) }];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(file, printJson(Object.fromEntries(entries)));
  }
}
