// Compiles and runs the Prisma samples of docs/orm-transactions.md with the client that `prisma generate` writes.
// The tests use a client written by hand, because Prisma's command and its dependencies take 150 MB.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { run } from './processes.mjs';

const { POSTGRES_URL } = process.env;
const version = '7.10.0';

const page = readFileSync(new URL('../../docs/orm-transactions.md', import.meta.url), 'utf8');
const listFences = (text, language) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code);

const sections = page.split(/^(?=##)/m).filter((section) => section.startsWith('### Prisma\n'));
const samples = sections.flatMap((section) => listFences(section, 'ts'));
const [schema] = listFences(page, 'prisma');
const [shop] = listFences(page, 'ts run postgres file=shop.ts');

const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'ES2022',
    lib: ['ES2022'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    outDir: 'compiled',
  },
};

/** Runs a sample in an empty database. */
async function runSample(folder, name, expected) {
  const database = `sample_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: POSTGRES_URL });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${database}`);
    const url = new URL(POSTGRES_URL);
    url.pathname = database;
    const env = { DATABASE_URL: url.href };
    const printed = await run(process.execPath, [`compiled/${name}.js`], { cwd: folder, env });
    if (printed.trim() !== expected) throw new Error(`The sample printed ${printed}, not ${expected}.`);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await server.end();
  }
}

export const prisma = (workspace) => [
  {
    environment: 'Prisma',
    version,
    use: 'a payment and a webhook in a transaction of the generated client',
    unavailable: POSTGRES_URL === undefined ? 'it needs POSTGRES_URL' : undefined,
    run: async () => {
      if (samples.length !== 2) throw new Error('docs/orm-transactions.md must have two Prisma samples.');
      const project = await workspace.project({
        prisma: version,
        '@prisma/client': version,
        '@prisma/adapter-pg': version,
        '@types/node': '20',
        '@types/pg': '8.23.1',
        pg: '8.23.1',
        typescript: '5.9.3',
      });
      const folder = workspace.program(project, {
        'package.json': JSON.stringify({ type: 'module' }),
        'tsconfig.json': JSON.stringify(tsconfig),
        'schema.prisma': schema,
        'shop.ts': shop,
        ...Object.fromEntries(samples.map((code, index) => [`sample-${index}.ts`, code])),
      });
      const bin = (name) => join(project, 'node_modules/.bin', name);
      // Prisma's command wants an engine for migrations, which it would download. `generate` does not use it.
      const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
      await run(bin('prisma'), ['generate', '--schema', 'schema.prisma'], { cwd: folder, env });
      await run(bin('tsc'), ['-p', '.'], { cwd: folder });
      for (const [index, code] of samples.entries())
        await runSample(folder, `sample-${index}`, /console\.log\(.*\); \/\/ (.*)$/m.exec(code)?.[1]);
    },
  },
];
