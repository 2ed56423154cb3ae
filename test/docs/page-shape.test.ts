import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { sections } from '../../site/contents.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const isGenerated = (text: string) =>
  /^(?:<!-- translates.*-->\n+)?(?:---\n.*?---\n+)?<!-- (?:Generated|Gerado)/s.test(text);

const pages = ['docs/', 'docs/pt/'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name: basename(name, '.md'), path: folder + name, text: read(folder + name) })),
);

const maintainersPages = new Set(
  sections.flatMap(({ pages, isForMaintainers }) => (isForMaintainers ? pages : [])),
);

/** Lists a page's samples. A diagram is not a sample. */
const listSamples = (text: string) =>
  [...text.matchAll(/^[ \t]*```(?!mermaid)\w+[^\n]*\n(.*?)^[ \t]*```/gms)].map(([, code = '']) =>
    code.trimEnd().split('\n'),
  );

describe('the first sample of every guide', () => {
  const guides = pages.filter(({ name, text }) => !isGenerated(text) && name !== 'index');

  test('has at most 20 lines of at most 90 columns', () => {
    const tooLong = guides.flatMap(({ path, text }) => {
      const [lines = []] = listSamples(text);
      const columns = Math.max(0, ...lines.map((line) => [...line].length));
      return lines.length > 20 || columns > 90 ? [`${path}: ${lines.length} lines, ${columns} columns`] : [];
    });
    expect(tooLong).toEqual([]);
  });

  test.each(['first-pix', 'pix', 'cards', 'boleto', 'refunds', 'marketplace', 'reliability'])(
    'runs without a change in %s',
    (name) => {
      for (const { text } of guides.filter((page) => page.name === name))
        expect(/^```(.*)$/m.exec(text)?.[1]).toBe('ts run');
    },
  );
});

test('a sample of a README has at most 90 columns', () => {
  const tooWide = ['README.md', 'README.pt-BR.md'].flatMap((path) =>
    listSamples(read(path))
      .flat()
      .filter((line) => [...line].length > 90)
      .map((line) => `${path}: ${line}`),
  );
  expect(tooWide).toEqual([]);
});

test('a title has at most five words, except on the start page', () => {
  const exceptions = ['index'];
  const titles = pages
    .filter(({ name }) => !exceptions.includes(name))
    .map(({ path, text }) => ({ path, title: /^# (.+)$/m.exec(text)?.[1] ?? '' }));
  expect(titles.filter(({ title }) => title === '' || title.split(/\s+/).length > 5)).toEqual([]);
});

test('the sample of the start page has at most 12 lines', () => {
  for (const { text } of pages.filter(({ name }) => name === 'index'))
    expect(listSamples(text).map((lines) => lines.length <= 12)).toEqual([true, true]);
});

test('a page has at most three callouts', () => {
  const callouts = /^> \[!\w+\]|^(?!> )(?:NOT DOCUMENTED|NÃO DOCUMENTADO)/gm;
  const counts = pages.map(({ path, text }) => ({ path, count: text.match(callouts)?.length ?? 0 }));
  expect(counts.filter(({ count }) => count > 3)).toEqual([]);
});

test.each([
  ['docs/not-offered.md', /\bask /i],
  ['docs/pt/not-offered.md', /\bpergunte /i],
])('each section of %s is short, and says whom to ask', (path, ask) => {
  const entries = read(path)
    .split(/^## .*\n/m)
    .slice(1);
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter((entry) => !ask.test(entry) || entry.match(/[.!?](?=\s)/g)?.length !== 3)).toEqual(
    [],
  );
});

test("only maintainers' pages and the README's last section mention a clone or the repository", () => {
  const mention = /\bclones?\b|\b(in|of) (the|this|our) repository|\b(no|neste|deste|do) repositório/i;
  const readme = ['README.md', 'README.pt-BR.md'].map((path) => ({
    path,
    name: path,
    text: read(path).replace(/^## (Contributing|Como contribuir)\n.*/ms, ''),
  }));
  const found = [...pages, ...readme]
    .filter(({ name }) => !maintainersPages.has(name))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => mention.test(line))
        .map((line) => `${path}: ${line}`),
    );
  expect(found).toEqual([]);
});

/** Converts an entry of `files` in package.json. A folder includes everything below it. */
const toPattern = (entry: string) =>
  new RegExp(`^${entry.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(/|$)`);
const isExcluded = (path: string) =>
  manifest.files.some((entry) => entry.startsWith('!') && toPattern(entry.slice(1)).test(path));
/** Checks whether npm packs a file. npm always adds the README, the licence and package.json. */
const isPacked = (path: string) =>
  /^(README.*\.md|LICENSE|package\.json)$/.test(path) ||
  (manifest.files.some((entry) => !entry.startsWith('!') && toPattern(entry).test(path)) &&
    !isExcluded(path));

test('no page in the package links to a page or a picture that the package lacks', () => {
  // CONTRIBUTING.md is for people who have the repository.
  const packed = ['README.md', 'README.pt-BR.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/shop/README.md']
    .concat(pages.map(({ path }) => path))
    .filter(isPacked);
  expect(packed.length).toBeGreaterThan(100);
  const missing = packed.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !isPacked(target))
      .map((target) => `${path} links to ${target}`),
  );
  expect(missing).toEqual([]);
});

test('a table has at most four columns, twelve rows and twelve words per cell, except on named pages', () => {
  // The rows of these pages are lists, which cannot be shorter.
  const exceptions = [
    'api-document',
    'architecture',
    'check-your-shop',
    'environments',
    'fault-model',
    'upgrade-to-1',
  ];
  const wide = pages
    .filter(({ name, text }) => !isGenerated(text) && !exceptions.includes(name))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:^\|.*\n)+/gm)].flatMap(([table]) => {
        const rows = table
          .trim()
          .split('\n')
          .map((row) => row.split(/(?<!\\)\|/).slice(1, -1));
        const long = rows.flat().filter((cell) => cell.trim().split(/\s+/).length > 12);
        const isTooLong = rows.length > 14 || (rows[0]?.length ?? 0) > 4;
        return [...long.map((cell) => `${path}:${cell}`), ...(isTooLong ? [`${path}: ${rows[0]}`] : [])];
      }),
    );
  expect(wide).toEqual([]);
});
