import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, docs), 'utf8');
const isGenerated = (text: string) => /^(?:<!-- translates.*-->\n+)?<!-- (?:Generated|Gerado)/.test(text);

/** Words outside code, comments and the targets of links. */
function countWords(text: string): number {
  const prose = text.replace(/```[\s\S]*?```|<!--[\s\S]*?-->|\]\([^)]*\)/g, ' ');
  return prose.match(/\p{L}[\p{L}\p{N}'’.:/-]*/gu)?.length ?? 0;
}

const pages = ['', 'pt/'].flatMap((folder) =>
  readdirSync(new URL(folder, docs))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ folder, name, path: folder + name, text: read(folder + name) }))
    .filter(({ text }) => !isGenerated(text)),
);

const tutorials = ['first-pix.md', 'first-payment.md', 'introduction.md', 'index.md'];

/** Checks for a reference page, which has one entry for each fault or one row for each environment. */
const isReference = (name: string) => name === 'fault-model.md' || name === 'environments.md';

describe('the length limit', () => {
  test.each(pages.filter(({ name }) => tutorials.includes(name)))(
    'of 500 words is met by the page $path',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(500),
  );

  test.each(pages.filter(({ name }) => !tutorials.includes(name) && !isReference(name)))(
    'of 900 words is met by the page $path',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(900),
  );

  test.each(['', 'pt/'])('of 40,000 words is met by all pages in docs/%s', (folder) => {
    const total = pages.filter((page) => page.folder === folder).map(({ text }) => countWords(text));
    expect(total.length).toBeGreaterThan(40);
    expect(total.reduce((sum, words) => sum + words)).toBeLessThanOrEqual(40_000);
  });

  test.each(['questions.md', 'pt/questions.md'])('of 60 words is met by each entry in docs/%s', (path) => {
    const entries = read(path)
      .split(/^#{2,} /m)
      .slice(1)
      .map((entry) => ({
        question: entry.split('\n', 1)[0],
        words: countWords(entry.replace(/^.*\n/, '')),
      }));
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.filter(({ words }) => words > 60)).toEqual([]);
  });
});
