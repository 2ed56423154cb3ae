import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMarkdownRenderer, type MarkdownEnv } from 'vitepress';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { showResults } from '../.vitepress/theme/excerpt.js';
import { openIndex } from '../.vitepress/theme/search-index.js';
import { search } from '../build/search.js';
import questions from './questions.json' with { type: 'json' };
import { folder } from './served.js';

/** Loads a language's index, as the page does. */
async function loadIndex(language: 'en' | 'pt') {
  const assets = join(folder, 'assets/chunks');
  const prefix = `@localSearchIndex${language === 'en' ? 'root' : 'pt'}.`;
  const file = readdirSync(assets).find((name) => name.startsWith(prefix));
  if (file === undefined)
    throw new Error(`The site has no index of ${language}: build it with npm run docs.`);
  const { default: json } = await import(pathToFileURL(join(assets, file)).href);
  return openIndex(json);
}

/** The times of all searches, in milliseconds. */
const times: number[] = [];
afterAll(() => {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  process.stdout.write(`${times.length} searches, median ${median?.toFixed(1)} ms\n`);
});

/** Lists the first pages of the results, each once. */
const listPages = (results: readonly { id: string }[]) =>
  [
    ...new Set(
      results.map(({ id }) =>
        id
          .replace(/#.*/, '')
          .replace(/^\/(?:pt\/)?/, '')
          .replace(/\.html$/, ''),
      ),
    ),
  ].slice(0, 3);

test('the search contains no programs', async () => {
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const md = await createMarkdownRenderer(docs);
  const page = "# Pix\n\nCreate it.\n\n```ts\nimport { PaymentPlatform } from 'payment-platform';\n```\n";
  const env: MarkdownEnv = { path: `${docs}/pix.md`, relativePath: 'pix.md', cleanUrls: true };
  expect(md.render(page, env)).toContain('PaymentPlatform');
  if (search?.provider !== 'local') throw new Error('The site has no local search.');
  const indexed = await search.options?._render?.(page, env, md);
  expect(indexed).toContain('Create it.');
  expect(indexed).not.toMatch(/PaymentPlatform|>ts</);
});

test('words are synonyms only if an entry of the glossary says so', async () => {
  vi.resetModules();
  vi.doMock('../../docs/glossary.json', () => ({
    default: [{ en: 'lantern', pt: 'candeia', search: ['lampião'] }, { search: ['mug', 'caneca'] }],
  }));
  const { processTerm } = await import('../build/synonyms.js');
  vi.doUnmock('../../docs/glossary.json');
  vi.resetModules();
  expect(['lantern', 'Candeias', 'lampião'].map(processTerm)).toEqual(Array(3).fill('candei'));
  expect(['mug', 'canecas'].map(processTerm)).toEqual(['mug', 'mug']);
  expect(processTerm('reembolso')).not.toBe(processTerm('estorno'));
  const real = await import('../build/synonyms.js');
  expect(real.processTerm('reembolso')).toBe(real.processTerm('estorno'));
});

test('the forms of a verb are one word, in both languages', async () => {
  const { processTerm } = await import('../build/synonyms.js');
  const one = (...words: string[]) => new Set(words.map(processTerm)).size;
  expect(one('configurar', 'configurando', 'configurado', 'configuração')).toBe(1);
  expect(one('expire', 'expires', 'expired', 'expiring', 'expiration', 'expirou', 'expirado')).toBe(1);
  expect(one('parcela', 'parcelar', 'parcelado', 'parcelamento')).toBe(1);
  expect(one('card', 'care', 'cart')).toBe(3);
});

test.each([
  ['pt', 'sacar dinheiro do vendedor', 'marketplace', /^(saques?|vendedor(es)?|subcontas?|dinheiro)$/i],
  ['pt', 'reembolso', 'refunds', /^(estornos?|estorn\w+)$/i],
  ['en', 'payout', 'marketplace', /^withdrawals?|withdraw$/i],
  ['en', 'was billed by a timed out request', 'reliability', /^(timeout|deadline|requests?)$/i],
] as const)('%s: an excerpt for "%s" from %s marks the synonyms', async (language, query, page, words) => {
  const found = (await loadIndex(language))(query).filter(({ id }) => id.includes(`/${page}`));
  const marks = showResults(found, 16).flatMap(({ excerpt }) => excerpt.filter(({ isMark }) => isMark));
  expect(marks.map(({ text }) => text)).toContainEqual(expect.stringMatching(words));
});

test('a page about the subject ranks before a section that only mentions every word', async () => {
  const found = (await loadIndex('en'))('save card for next purchase');
  const countWords = (one?: { readonly queryTerms: readonly string[] }) => new Set(one?.queryTerms).size;
  expect(listPages(found)[0]).toBe('cards');
  expect(Math.max(...found.map(countWords))).toBeGreaterThan(countWords(found[0]));
});

describe.each(['en', 'pt'] as const)('the search in %s', (language) => {
  test("does not contain maintainers' pages", async () => {
    const found = (await loadIndex(language))('bundled dependencies ky zod');
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id).filter((id) => /maintainers|architecture/.test(id))).toEqual([]);
  });

  test('shows whole words and no programs, with a mark in the first result of 95 % of the questions', async () => {
    const search = await loadIndex(language);
    const unmarked: string[] = [];
    for (const [question = ''] of questions[language]) {
      const found = search(question);
      const [first] = showResults(found, 1);
      const shown = first?.excerpt.map(({ text }) => text).join('') ?? '';
      expect(shown).not.toMatch(/\bimport \{|[⟦⟧]|&(lt|gt|quot|amp);/);
      const part = shown.replace(/^…|…$/g, '');
      const { excerpt: whole = '' } = found.find(({ excerpt }) => excerpt.includes(part)) ?? {};
      const start = whole.indexOf(part);
      const end = start + part.length;
      for (const cut of [whole.slice(start - 1, start + 1), whole.slice(end - 1, end + 1)])
        expect(cut, shown).not.toMatch(/^[\p{L}\d]{2}$/u);
      const pieces = [...(first?.titles.flat() ?? []), ...(first?.excerpt ?? [])];
      if (!pieces.some(({ isMark }) => isMark)) unmarked.push(question);
    }
    expect(unmarked.length, unmarked.join('\n')).toBeLessThan(questions[language].length / 20);
  });

  test('is tested with at least a hundred questions', () => {
    expect(questions[language].length).toBeGreaterThanOrEqual(100);
  });

  test.each(questions[language] as [string, string][])(
    '%s: %s is among the first three pages',
    async (question, page) => {
      const search = await loadIndex(language);
      const start = performance.now();
      const results = search(question);
      times.push(performance.now() - start);
      expect(listPages(results)).toContain(page);
    },
  );
});
