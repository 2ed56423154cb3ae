import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listHeadings } from '../../tools/docs/tables/api-document.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const paths = [
  'README.md',
  'README.pt-BR.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|txt|json)$/.test(name))
    .map((name) => `docs/${name}`),
];

/** Reads a page without the steps that add an invented endpoint. */
const readPage = (path: string) => read(path).replaceAll(/^```diff\n.*?^```/gms, '');

const headings = listHeadings();

/** Matches numbered rules of a heading, such as the 3 in "Authentication, 3". */
const rule = /^(\d|idempotency rule \d|regra de idempotência \d)$/;

test('every reference to a section of the API docs names a heading of the API docs', () => {
  const references = paths.flatMap((path) =>
    [...readPage(path).matchAll(/\((?:API docs|documentação da API), ([^)]+)\)/g)].flatMap(([, names = '']) =>
      names.split(', ').map((name) => ({ path, name })),
    ),
  );
  expect(references.length).toBeGreaterThan(60);
  expect(references.filter(({ name }) => !headings.has(name) && !rule.test(name))).toEqual([]);
});

/** Lists the names with an entry in the reference: assumed names, options, sandbox defaults and methods. */
const listed = new Set(
  ['', 'pt/'].flatMap((folder) =>
    readdirSync(new URL(`docs/${folder}`, root))
      .filter((name) => /^(assumptions|options-\w+|methods-\w+|operations)\.md$/.test(name))
      .flatMap((name) => {
        const text = read(`docs/${folder}${name}`);
        const inTables = [...text.matchAll(/^\| `([^`]+)` +\|(?: `([^`]+)` +\|)?/gm)];
        const inHeadings = [...text.matchAll(/^#+ (?:platform\.)?([\w.]+)$/gm)];
        return [...inTables, ...inHeadings].flatMap(([, first = '', second = '']) => [first, second]);
      }),
  ),
);

describe('every “not documented” badge', () => {
  const badges = paths.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => /(?<!["`])\b(NOT DOCUMENTED|NÃO DOCUMENTADO)\b/.test(line))
      .map((line) => ({ path, line })),
  );

  test('appears on the same pages in Portuguese and in English', () => {
    const count = (folder: string) =>
      badges
        .filter(({ path }) => /^docs\/pt\//.test(path) === (folder === 'pt'))
        .map(({ path }) => path.replace('/pt/', '/'));
    expect(count('en').length).toBeGreaterThan(10);
    expect(count('pt')).toEqual(count('en'));
  });

  test('names an option or a field, links to a page, or says to ask the platform', () => {
    const leadsNowhere = ({ line }: { line: string }) => {
      const names = [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      const hasAnswer = /\]\([\w-]+\.md|ask the platform|pergunte à plataforma/i.test(line);
      return !hasAnswer && !names.some((name) => listed.has(name));
    };
    expect(badges.filter(leadsNowhere)).toEqual([]);
  });
});
