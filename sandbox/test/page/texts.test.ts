import { expect, test } from 'vitest';
import { testCards } from '../../index.js';
import { en } from '../../page/app/texts/en.js';
import { pt } from '../../page/app/texts/pt.js';

/** Lists every string of a catalogue by path. A function is called with a value for each parameter. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value('2', '3'))]];
  return Object.entries(value as object).flatMap(([name, one]) =>
    textsIn(one, path === '' ? name : `${path}.${name}`),
  );
}

/** Lists words that a Brazilian engineer leaves untranslated: names of products and of API parts. */
const sameWords = new Set([
  '90s, 2h, 3d',
  'Boleto',
  'Client secret',
  'Endpoints',
  'Headers',
  'Pix',
  'Sandbox',
  'Secret',
  'Split',
  'Status',
  'URL',
  'Upsell',
  'Webhooks',
  'bytes',
]);

test('each string that is equal in English and Portuguese is on the list of shared words', () => {
  const english = new Map(textsIn(en));
  const same = textsIn(pt).filter(([path, text]) => english.get(path) === text && !sameWords.has(text));
  expect(same).toEqual([]);
});

test('every English string is translated, and only errors and defaults exist in Portuguese alone', () => {
  const paths = (catalogue: object) => textsIn(catalogue).map(([path]) => path);
  const onlyPortuguese = paths(pt).filter((path) => !paths(en).includes(path));
  expect(paths(en).filter((path) => !paths(pt).includes(path))).toEqual([]);
  expect(onlyPortuguese.every((path) => /^(errors|defaults\.translations)\./.test(path))).toBe(true);
});

test.each([
  ['English', en],
  ['Portuguese', pt],
])('the page describes every test card in %s', (_, { start }) => {
  const texts = Object.keys(testCards).map((name) => start.card[name]);
  expect(new Set(texts).size).toBe(Object.keys(testCards).length);
  for (const text of texts) expect(text).toMatch(/ |^.{4,}/);
});
