import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The page's entries about source files, each with the file and its code before the change. */
const survivors = readFileSync(path('tools/mutation/survivors.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const [file = '', ...lines] = section.split('\n');
    if (!existsSync(path(file))) return [];
    return lines
      .filter((line) => line.startsWith('- '))
      .map((entry) => ({
        file,
        entry,
        // A code span before an arrow, a comma or a colon is not the replacement. `…` stands for any code.
        code: [...entry.replace(/: .*/, '').matchAll(/(?<!→ )`([^`]+)`(?= →|,| and `)/g)].flatMap(
          ([, span = '']) => span.split('…').map(onOneLine),
        ),
      }));
  });

test('the page of survivors has entries about source files', () => {
  expect(survivors.length).toBeGreaterThan(0);
});

test.each(survivors)(
  'tools/mutation/survivors.md quotes code that $file contains: $entry',
  ({ file, code }) => {
    const source = onOneLine(readFileSync(path(file), 'utf8'));
    for (const part of code) expect(source).toContain(part);
  },
);
