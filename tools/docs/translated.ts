// Notes that translations are up to date: `npm run generate -- --translated`, or with the names of pages.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pageNames } from '../../site/contents.js';

const root = new URL('../../', import.meta.url);
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const pages = (names.length > 0 ? names : ['index', 'README', ...pageNames]).map((name) =>
  name === 'README' ? ['README.md', 'README.pt-BR.md'] : [`docs/${name}.md`, `docs/pt/${name}.md`],
);

for (const [english = '', portuguese = ''] of pages) {
  const digest = createHash('sha256')
    .update(readFileSync(new URL(english, root)))
    .digest('hex')
    .slice(0, 12);
  const text = readFileSync(new URL(portuguese, root), 'utf8');
  const mark = /<!-- translates [\w./-]+(?: [0-9a-f]{12})? -->/;
  if (mark.test(text))
    writeFileSync(new URL(portuguese, root), text.replace(mark, `<!-- translates ${english} ${digest} -->`));
}
