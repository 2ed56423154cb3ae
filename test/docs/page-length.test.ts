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

/** Reference pages: one entry for each fault, and one row for each environment. */
const isReference = (name: string) => name === 'fault-model.md' || name === 'environments.md';

describe('the length limit of pages', () => {
  test.each(pages.filter(({ name }) => tutorials.includes(name)))(
    'is observed by docs/$path, at 500 words',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(500),
  );

  test.each(pages.filter(({ name }) => !tutorials.includes(name) && !isReference(name)))(
    'is observed by docs/$path, at 900 words',
    ({ text }) => expect(countWords(text)).toBeLessThanOrEqual(900),
  );

  test.each(['', 'pt/'])('is observed by docs/%s as a whole, at 40,000 words', (folder) => {
    const total = pages.filter((page) => page.folder === folder).map(({ text }) => countWords(text));
    expect(total.length).toBeGreaterThan(40);
    expect(total.reduce((sum, words) => sum + words)).toBeLessThanOrEqual(40_000);
  });

  test.each(['questions.md', 'pt/questions.md'])(
    'is observed by the answers of docs/%s, at 60 words each',
    (path) => {
      const answers = read(path)
        .split(/^#{2,} /m)
        .slice(1)
        .map((answer) => ({
          question: answer.split('\n', 1)[0],
          words: countWords(answer.replace(/^.*\n/, '')),
        }));
      expect(answers.length).toBeGreaterThan(10);
      expect(answers.filter(({ words }) => words > 60)).toEqual([]);
    },
  );
});
