import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { operations } from '../../src/contract/index.js';
import { findSection } from '../../src/contract/schemas.js';
import { problemsIn } from '../support/compiled.js';
import { writePrismaClient } from '../support/prisma-client.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
// The folder is inside the project, so that the blocks can import the package by name.
const folder = mkdtempSync(join(root, 'test/docs/.blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = readdirSync(join(root, 'docs'))
  // The site assembles the start page.
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => ({ name, text: readFileSync(join(root, 'docs', name), 'utf8') }));

const blocks = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```(\w*)([^\n]*)\n(.*?)^```/gms)].map(
    ([, language = '', info = '', code = ''], index) => ({
      page: name,
      language,
      code,
      // A sample that other samples import states its file name.
      path: join(folder, / file=(\w+\.ts)$/.exec(info)?.[1] ?? `${name}-${index}.ts`),
    }),
  ),
);

/** Lists the entries of `files`, and the files that npm adds. */
const packed = ['README.md', 'LICENSE', 'package.json', ...manifest.files].map(
  (entry) => new RegExp(`^${entry.replaceAll('.', '\\.').replace('*', '[^/]+')}(/|$)`),
);
const isPacked = (path: string) => packed.some((pattern) => pattern.test(path));

const typescript = blocks.filter(({ language }) => language === 'ts');

test('every code block of the pages has a known language', () => {
  const known = [
    'ts',
    'typescript',
    'text',
    'sh',
    'python',
    'php',
    'ruby',
    'go',
    'java',
    'csharp',
    'json',
    'sql',
    'prisma',
    'mermaid',
  ];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  expect(typescript.length).toBeGreaterThanOrEqual(6);
});

test('every TypeScript block of the pages compiles', () => {
  for (const { path, code } of typescript) {
    writeFileSync(path, code.includes('import ') ? code : `export {};\n${code}`);
  }
  writePrismaClient(folder);
  expect(problemsIn(typescript.map(({ path }) => path))).toEqual([]);
});

describe.each(pages)('the page $name', ({ text }) => {
  test('has one title', () => {
    expect(text.replace(/^```.*?^```/gms, '').match(/^# /gm)).toHaveLength(1);
  });

  test('has no dead links', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(join(root, 'docs', target))).not.toThrow(/ENOENT/);
      expect(dirname(target)).not.toMatch(/^\//);
    }
  });

  test('links only to files that the package contains', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
      join('docs', target),
    );
    expect(targets.filter((target) => !isPacked(target))).toEqual([]);
  });

  test('names files and folders that exist', () => {
    const paths = [...text.matchAll(/`((?:src|test|docs|examples)\/[\w./-]+|\w+\.md)`/g)];
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names commands that exist', () => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
  });
});

test('orm-transactions.md states the library versions that its samples run with', () => {
  const packages: Readonly<Record<string, string>> = {
    Drizzle: 'drizzle-orm',
    Kysely: 'kysely',
    Knex: 'knex',
    TypeORM: 'typeorm',
    Sequelize: 'sequelize',
    MikroORM: '@mikro-orm/postgresql',
    Prisma: '@prisma/client',
    'postgres.js': 'postgres',
    '`pg`': 'pg',
  };
  const page = pages.find(({ name }) => name === 'orm-transactions.md')?.text ?? '';
  const named = Object.entries(packages).map(([title, name]) => {
    const version = manifest.devDependencies[name as keyof typeof manifest.devDependencies];
    return `${title} ${/^\^((?:0\.)?\d+)/.exec(version)?.[1]}`;
  });
  expect(named.filter((library) => !page.includes(library))).toEqual([]);
});

describe('api-document.md', () => {
  const text = pages.find(({ name }) => name === 'api-document.md')?.text ?? '';

  test('contains every heading that operations and comments in the sources refer to', () => {
    const sources = ['src', 'sandbox']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8').replace(/\s+\*?\s*/g, ' '));
    // A heading begins with a capital letter and ends at the next punctuation mark.
    const referred = sources.flatMap((source) =>
      [...source.matchAll(/\(API docs, ([A-Z][^,);.]+)/g)].map(([, heading = '']) => heading.trim()),
    );
    expect(referred.length).toBeGreaterThan(20);
    const headings = new Set([...referred, ...operations.map(findSection)]);
    expect([...headings].filter((heading) => !text.includes(heading))).toEqual([]);
  });
});
