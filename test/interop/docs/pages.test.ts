import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { problemsIn } from '../../support/compiled.js';
import { writePrismaClient } from '../orms/prisma-client.js';
import libraries from '../package.json' with { type: 'json' };

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
// The folder is inside the project, so that the blocks can import the package by name.
const folder = mkdtempSync(fileURLToPath(new URL('.blocks-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = readdirSync(docs)
  // The site assembles the start page.
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => ({ name, text: readFileSync(join(docs, name), 'utf8') }));

const typescript = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```(\w*)([^\n]*)\n(.*?)^```/gms)]
    .map(([, language = '', info = '', code = ''], index) => ({
      language,
      code,
      // A sample that other samples import states its file name.
      path: join(folder, / file=(\w+\.ts)$/.exec(info)?.[1] ?? `${name}-${index}.ts`),
    }))
    .filter(({ language }) => language === 'ts'),
);

test('every TypeScript block of the pages compiles', () => {
  expect(typescript.length).toBeGreaterThanOrEqual(6);
  for (const { path, code } of typescript) {
    writeFileSync(path, code.includes('import ') ? code : `export {};\n${code}`);
  }
  writePrismaClient(folder);
  expect(problemsIn(typescript.map(({ path }) => path))).toEqual([]);
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
  const versions: Readonly<Record<string, string>> = {
    ...manifest.devDependencies,
    ...libraries.dependencies,
  };
  const page = pages.find(({ name }) => name === 'orm-transactions.md')?.text ?? '';
  const named = Object.entries(packages).map(
    ([title, name]) => `${title} ${/^\^((?:0\.)?\d+)/.exec(versions[name] ?? '')?.[1]}`,
  );
  expect(named.filter((library) => !page.includes(library))).toEqual([]);
});
