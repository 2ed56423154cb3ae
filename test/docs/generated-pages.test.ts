import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { listDifferences } from '../../tools/docs/facts.js';
import { pages, toPagePath } from '../../tools/docs/pages.js';
import catalogue from '../../tools/docs/portuguese.json' with { type: 'json' };
import { tables } from '../../tools/docs/tables/index.js';
import { englishTexts, languages, outdated, untranslated, unused } from '../../tools/docs/words.js';

const committed = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** Reads the levels of the headings outside code, in order. */
const readLevels = (page: string) => page.replace(/^```.*?^```/gms, '').match(/^#+(?= )/gm);

describe.each(Object.entries(pages))('%s', (name, page) => {
  test.each(languages)('is up to date in the language %s: npm run generate changes nothing', (language) => {
    expect(committed(toPagePath(name, language))).toBe(page(language));
  });

  test('has the same headings and rows in both languages', () => {
    const [english, portuguese] = languages.map((language) => committed(toPagePath(name, language)));
    expect(readLevels(portuguese ?? '')).toEqual(readLevels(english ?? ''));
    expect(portuguese?.match(/^\|/gm)).toEqual(english?.match(/^\|/gm));
  });

  test('has no dead links in Portuguese', () => {
    const folder = new URL('../../docs/pt/', import.meta.url);
    const links = [...committed(toPagePath(name, 'pt')).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)];
    for (const [, target = ''] of links) expect(() => readFileSync(new URL(target, folder))).not.toThrow();
  });
});

test('.gitattributes marks exactly the generated pages as generated', () => {
  const root = new URL('../../', import.meta.url);
  const generated = Object.keys(pages).flatMap((name) =>
    languages.map((language) => toPagePath(name, language)),
  );
  const paths = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const patterns = [
    ...readFileSync(new URL('.gitattributes', root), 'utf8').matchAll(/^(\S+\.md) linguist-generated$/gm),
  ];
  const marks = patterns.map(([, pattern = '']) => {
    const anyDepth = pattern.replaceAll('.', '\\.').replace('**/', '(.+/)?');
    return new RegExp(`^${anyDepth.replace(/(?<!\()\*/g, '[^/]*')}$`);
  });
  const marked = paths.filter((path) => marks.some((mark) => mark.test(path)));
  expect(marked.sort()).toEqual([...generated, 'README.md'].map((path) => `docs/${path}`).sort());
});

describe('tools/docs/portuguese.json', () => {
  beforeAll(() => {
    for (const content of Object.values({ ...pages, ...tables })) content('pt');
  });

  test('translates exactly the strings that the pages show', () => {
    expect({ untranslated: untranslated(), unused: unused() }).toEqual({ untranslated: [], unused: [] });
  });

  test('has a translation of the current English string for each entry', () => {
    expect(outdated(), 'translate what changed, then: npm run generate -- --translated KEY').toEqual([]);
  });

  test('is sorted by key', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort());
  });

  test('states the same numbers and links in each translation as in the English string', () => {
    const english = englishTexts();
    const changed = Object.entries(catalogue).flatMap(([key, { pt }]) =>
      listDifferences(english.get(key) ?? '', pt, ['numbers', 'links']).map((fact) => `${key}: ${fact}`),
    );
    expect(changed).toEqual([]);
  });

  test('has the same names in code in each translation of the tools’ strings', () => {
    const english = englishTexts();
    // A translation of a doc comment can leave out or repeat a name. Its key starts with the name of a type.
    const tools = Object.entries(catalogue).filter(([key]) => !/^[A-Z]/.test(key));
    const changed = tools.flatMap(([key, { pt }]) =>
      listDifferences(english.get(key) ?? '', pt, ['names']).map((fact) => `${key}: ${fact}`),
    );
    expect(changed).toEqual([]);
  });
});
