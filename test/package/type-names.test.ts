import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { entryPoints } from '../../tools/package/entry-points.mjs';

/** Lists the types that a module declares and exports, for `export type *`. */
const listTypes = (file: string): (readonly [name: string, file: string])[] =>
  Array.from(
    readFileSync(file.replace(/\.js$/, '.ts'), 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm),
    ([, name = '']) => [name, file] as const,
  );

/** Lists the names that an entry point exports, types included, and the file that declares each name. */
function listExports(entry: string): (readonly [name: string, file: string])[] {
  const source = ts.createSourceFile(entry, readFileSync(entry, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    const from = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text;
    const file = from ? posix.join(posix.dirname(entry), from) : entry;
    if (exportClause === undefined) return listTypes(file);
    if (!ts.isNamedExports(exportClause)) throw new Error(`${entry} must export no namespace`);
    return exportClause.elements.map(({ name }) => [name.text, file] as const);
  });
}

test('a type that several entry points export under one name is the same type', () => {
  const files = new Map<string, Set<string>>();
  for (const [name, file] of entryPoints.exports.flatMap(({ source }) => listExports(source))) {
    files.set(name, (files.get(name) ?? new Set()).add(file));
  }
  const ambiguous = Array.from(files).filter(([, { size }]) => size > 1);
  expect(ambiguous).toEqual([]);
  expect(files.get('Delivery')).toEqual(new Set(['src/webhooks/types.js']));
  expect(files.size).toBeGreaterThan(100);
});
