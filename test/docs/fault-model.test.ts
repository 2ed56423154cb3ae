import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Reads a page's rows from its numbered headings: number, fault and items. */
const rowsIn = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^### (\d+)\. (.*)\n\n((?:- .*\n)*)/gm)].map(
    ([, number, text = '', items = '']) => ({ number: Number(number), text, items }),
  );
const rows = rowsIn('docs/fault-model.md');
const isTested = (text: string) => !/^Retired|Not in this release/.test(text);

/** Returns the identifier at the start of `test.each(...)` and similar calls. */
function firstName(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return firstName(node.expression);
  return ts.isTaggedTemplateExpression(node) ? firstName(node.tag) : undefined;
}

/** Lists the titles of a file's tests and groups, as written in the source. */
function titlesIn(text: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      const isTitle =
        title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title));
      if (isTitle && /^(test|it|describe)$/.test(firstName(node.expression) ?? ''))
        titles.push(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true));
  return titles;
}

/** Matches "(row 15)", "(rows 9 and 14)" or "(rows 9, 14 and 16)" at the end of a title. */
const spelling = /^(?:(?!\brows? \d).)+ \((?:row (\d+)|rows ((?:\d+, )*\d+ and \d+))\)$/;

/** Lists the rows that a title cites; undefined if the citation has any other form. */
function listRows(title: string): number[] | undefined {
  if (!/\brows? [\d%$]/i.test(title)) return [];
  const [, one, several] = spelling.exec(title) ?? [];
  return (one ?? several)?.split(/, | and /).map(Number);
}

const titles = ['test', 'sandbox/test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  // Another test copies some files into a hidden folder for a moment.
  .filter((name) => name.endsWith('.test.ts') && !/\/\.|node_modules/.test(name))
  .flatMap((name) => titlesIn(readFileSync(join(root, name), 'utf8')).map((title) => ({ name, title })));
const named = new Set(titles.flatMap(({ title }) => listRows(title) ?? []));

test('the fault model check finds all test titles, and accepts row numbers in only one notation', () => {
  expect(titles.length).toBeGreaterThan(1_000);
  expect(titlesIn("describe.each([1])('of %i', () => test.skipIf(x)(`is`, () => f('no')));")).toEqual([
    'of %i',
    'is',
  ]);
  const end = (rows: string) => listRows(`a lost response ${rows}`);
  expect([end('(row 6)'), end('(rows 5 and 6)'), end('(rows 5, 6 and 7)')]).toEqual([[6], [5, 6], [5, 6, 7]]);
  expect(end('in a row of 12')).toEqual([]);
  for (const other of ['(row 6) again', '(rows 5, 6)', 'row 6', '(rows 6)', '(row %i)', '(row 5) (row 6)'])
    expect(end(other), other).toBeUndefined();
});

test('every test title cites fault model rows only at its end, in the accepted notation', () => {
  expect(titles.filter(({ title }) => listRows(title) === undefined)).toEqual([]);
});

describe('the fault model page', () => {
  test('numbers its rows from 1, without a gap', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThanOrEqual(64);
  });

  test('states for each row the expected outcome, and how the test injects the fault', () => {
    const listed = rows.filter(({ text }) => isTested(text)).map(({ items }) => items);
    for (const items of listed) {
      expect(items).toMatch(/^- \*\*(?:Outcome and error|Expected):\*\* \S/);
      expect(items).toMatch(/^- \*\*Injected by:\*\* \S/m);
    }
  });

  test('has the same rows in Portuguese as in English, with the same number of items', () => {
    const counted = (path: string) =>
      rowsIn(path).map(({ number, items }) => `${number}: ${items.split('\n').length - 1}`);
    expect(counted('docs/pt/fault-model.md')).toEqual(counted('docs/fault-model.md'));
  });

  test('contains every row that a test title cites', () => {
    const tested = rows.filter(({ text }) => isTested(text)).map(({ number }) => number);
    expect([...named].filter((number) => !tested.includes(number))).toEqual([]);
  });

  test('has a test for each row that is neither retired nor planned for a later release', () => {
    expect(rows.filter(({ number, text }) => isTested(text) && !named.has(number))).toEqual([]);
    // The row numbers are repeated here, so that nobody can mark a row as untested by changing only the page.
    expect(rows.filter(({ text }) => !isTested(text)).map(({ number }) => number)).toEqual([22, 54]);
  });
});
