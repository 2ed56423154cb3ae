import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMarkdownRenderer, type MarkdownEnv } from 'vitepress';
import { afterAll, describe, expect, test } from 'vitest';
import MiniSearch from '../build/all-words-first.js';
import { hovers } from '../build/hovers.js';
import { search } from '../build/search.js';
import { synonyms } from '../build/synonyms.js';
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
  return MiniSearch.loadJSON<{ id: string }>(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: {
      fuzzy: 0.2,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      ...synonyms.searchOptions,
    },
    ...synonyms.options,
  });
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

test('the search leaves out the types that samples show on hover', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const md = await createMarkdownRenderer(`${root}docs`, { codeTransformers: [hovers(root)] });
  const sample = "```ts\nimport { PaymentPlatform } from 'payment-platform';\n```\n";
  const env: MarkdownEnv = { path: `${root}docs/pix.md`, relativePath: 'pix.md', cleanUrls: true };
  expect(md.render(sample, env)).toContain('twoslash-popup');
  if (search?.provider !== 'local') throw new Error('The site has no local search.');
  expect(await search.options?._render?.(sample, env, md)).not.toContain('twoslash-popup');
});

describe.each(['en', 'pt'] as const)('the search in %s', (language) => {
  test("does not contain maintainers' pages", async () => {
    const found = (await loadIndex(language)).search('bundled dependencies ky zod');
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id).filter((id) => /maintainers|architecture/.test(id))).toEqual([]);
  });

  test('lists results that contain every search term before all other results', async () => {
    const index = await loadIndex(language);
    const orders = questions[language].map(([question = '']) => {
      const results = index.search(question).map(({ queryTerms }) => new Set(queryTerms));
      const words = new Set(results.flatMap((found) => [...found])).size;
      return results.map((found) => found.size === words);
    });
    expect(orders.filter((order) => order[0] && order.includes(false)).length).toBeGreaterThan(50);
    expect(
      orders.filter((order) => order.includes(false) && order.lastIndexOf(true) > order.indexOf(false)),
    ).toEqual([]);
  });

  test('is tested with at least a hundred questions', () => {
    expect(questions[language].length).toBeGreaterThanOrEqual(100);
  });

  test.each(questions[language] as [string, string][])(
    '%s: %s is among the first three pages',
    async (question, page) => {
      const index = await loadIndex(language);
      const start = performance.now();
      const results = index.search(question);
      times.push(performance.now() - start);
      expect(listPages(results)).toContain(page);
    },
  );
});
