// The rows of the table of environments. Most run one program to its end. Such a row is data: its packages, its
// files and its command. Rows with the same packages share a project.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { entries, fakeTimers, forgotten, typedMatchers } from './jest-tests.mjs';
import { next } from './next.mjs';
import { prisma } from './prisma.mjs';
import { run } from './processes.mjs';
import { journeys, programs } from './programs.mjs';
import { bun, deno, node, nodes, support } from './runtimes.mjs';
import { workers } from './workers.mjs';
import { root } from './workspace.mjs';

/** Files of an ES module, or of another kind of package. */
const files = (program, journey = journeys.esm, type = 'module', name = 'main.js') => ({
  'package.json': JSON.stringify({ type }),
  'journey.js': journey,
  [name]: program,
});
const esm = (runtime) => ({ use: 'ESM', files: files(programs[runtime].esm) });
const commonjs = (runtime, name = 'main.js') => ({
  use: 'CommonJS',
  files: files(programs[runtime].commonjs, journeys.commonjs, 'commonjs', name),
});

const nodeRows = nodes.flatMap((name) =>
  [esm('node'), commonjs('node')].map((way) => ({
    ...way,
    environment: 'Node',
    runtime: node(name),
    quick: name === 'own',
  })),
);

/** Packages whose fetch merchants pass to the client, for proxies and mocks. */
const fetches = [
  ['undici', '5.29.0'],
  ['undici', '6.29.1'],
  ['undici', '7.30.2'],
  // Requires a newer Node than the package's minimum.
  ['undici', '8.12.4', '24'],
  ['node-fetch', '2.7.0'],
  ['node-fetch', '3.3.2'],
];

const fetchRows = fetches.flatMap(([name, version, on = 'own']) =>
  [false, true].map((watchesUpload) => ({
    environment: name === 'undici' ? 'undici’s fetch' : name,
    version,
    runtime: node(on),
    packages: { [name]: version },
    use: [
      `as the \`fetch\` option${on === 'own' ? '' : ` on Node ${on}`}`,
      ...(watchesUpload ? ['with `onUploadProgress`'] : []),
    ].join(', '),
    options: { watchesUpload },
    files: files(`import ${name === 'undici' ? '{ fetch }' : 'fetch'} from '${name}';\n${programs.fetch}`),
  })),
);

/** Exits with an error unless a payment that no server can have received is reported as not executed. */
const unreachable = `import { PaymentPlatform } from 'payment-platform';
import { samples } from 'payment-platform/testing';
for (const baseUrl of ['http://127.0.0.1:1', 'http://localhost:1', 'https://unknown.invalid']) {
  const platform = new PaymentPlatform({ baseUrl, clientId: 'shop', clientSecret: 'a-secret-of-a-shop', maxRetries: 0 });
  const error = await platform.payments.create(samples.payments.pix()).catch((thrown) => thrown);
  if (error.outcome !== 'not-executed') throw new Error(baseUrl + ': ' + error.outcome + ', ' + error.message);
}
`;

const bunRows = [
  { use: 'ESM', files: files(unreachable + programs.bun.esm) },
  commonjs('bun'),
  {
    use: '`bun test`',
    files: files(
      `import { test } from 'bun:test';\nimport { journey } from './journey.js';\n${programs.test}`,
    ),
    args: ['test', './main.js'],
  },
].map((way) => ({
  ...way,
  environment: 'Bun',
  runtime: bun,
  quick: true,
}));

const denoRows = [
  { ...esm('deno'), quick: true },
  { ...commonjs('deno', 'main.cjs'), args: ['main.cjs'] },
  {
    use: 'TypeScript with type checks (`deno run --check`)',
    files: {
      'package.json': '{"type":"module"}',
      'journey.ts': journeys.typescript,
      'main.ts': programs.deno.typescript,
    },
    args: ['--check', 'main.ts'],
  },
].map((way) => ({ ...way, environment: 'Deno', runtime: deno }));

const vitestRows = [
  ['3.2.4', 'own'],
  // Requires a newer Node than the package's minimum.
  ['5.1.1', '24'],
].map(([version, on]) => ({
  environment: 'Vitest',
  version,
  runtime: node(on),
  packages: { vitest: version },
  use: on === 'own' ? 'a test file' : `a test file, on Node ${on}`,
  files: files(
    `import { test } from 'vitest';\nimport { journey } from './journey.js';\n${programs.test}`,
    journeys.esm,
    'module',
    'main.test.js',
  ),
  bin: 'vitest/vitest.mjs',
  args: ['run'],
}));

const jestVersions = ['29.7.0', '30.5.2'];
const jestTest = `const { journey } = require('./journey.js');\n${programs.test}`;
const jestModule = `import { journey } from './journey.js';\n${programs.test}`;
const jestFiles = (jest, tests) => ({
  'package.json': JSON.stringify({ jest }),
  'journey.js': journeys.commonjs,
  ...tests,
});
const jsdom = { packages: (version) => ({ 'jest-environment-jsdom': version }) };

const jestRows = [
  {
    use: 'a default project (CommonJS)',
    files: jestFiles(undefined, {
      'main.test.js': jestTest,
      'forgotten.test.js': forgotten,
      'entries.test.js': entries,
    }),
    isQuick: true,
  },
  {
    use: 'ESM (`--experimental-vm-modules`)',
    files: {
      'package.json': JSON.stringify({ type: 'module', jest: { transform: {} } }),
      'journey.js': journeys.esm,
      'main.test.js': jestModule,
    },
    flags: ['--experimental-vm-modules'],
    isQuick: true,
  },
  {
    use: 'ts-jest',
    packages: () => ({
      'ts-jest': '29.4.15',
      typescript: '5.9.3',
      '@types/jest': '30.0.0',
      '@types/node': '20.19.43',
    }),
    files: {
      'package.json': JSON.stringify({ jest: { preset: 'ts-jest' } }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'CommonJS', target: 'ES2022', strict: true, esModuleInterop: true },
      }),
      'journey.ts': journeys.typescript,
      'main.test.ts':
        jestModule.replace('./journey.js', './journey').replace('process.env.JOURNEY', '$& as string') +
        typedMatchers,
    },
  },
  {
    use: 'fake timers (`enableGlobally`)',
    files: jestFiles(
      { fakeTimers: { enableGlobally: true, advanceTimers: true } },
      { 'main.test.js': fakeTimers + jestTest },
    ),
    isQuick: true,
  },
  {
    ...jsdom,
    use: 'the jsdom environment',
    files: jestFiles({ testEnvironment: 'jsdom' }, { 'entries.test.js': entries }),
    isQuick: true,
    // An upload of the journey is a Blob, and jsdom's own Blob has no method that reads its bytes.
    hasJourney: false,
  },
  {
    ...jsdom,
    use: 'a jsdom project whose test says `@jest-environment node`',
    files: jestFiles(
      { testEnvironment: 'jsdom' },
      { 'main.test.js': `/** @jest-environment node */\n${jestTest}` },
    ),
  },
];

const listJestRows = jestVersions.flatMap((version) =>
  jestRows.map(({ packages, isQuick, ...way }) => ({
    ...way,
    environment: 'Jest',
    version,
    packages: { jest: version, ...packages?.(version) },
    bin: 'jest/bin/jest.js',
    args: ['--runInBand', '--no-cache'],
    quick: isQuick && version === jestVersions.at(-1),
  })),
);

/**
 * Single-file programs, as merchants deploy them to AWS Lambda. They are deployed without node_modules, so each
 * runs in a folder that cannot reach one. The program that loads a bundle replaces Lambda's runtime.
 */
const hosts = {
  cjs: `const { handler } = require('./bundle.cjs');\n${programs.lambda}`,
  mjs: `import { handler } from './bundle.mjs';\n${programs.lambda}`,
};

const esbuild = (format, extension) => ({
  tool: 'esbuild',
  version: '0.28.2',
  use: `Lambda (\`--platform=node --format=${format}\`)`,
  extension,
  bin: 'esbuild/bin/esbuild',
  args: ['handler.js', '--bundle', '--platform=node', '--target=node20', `--format=${format}`].concat(
    `--outfile=out/bundle.${extension}`,
  ),
  quick: true,
});

const rollupConfig = `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'handler.js',
  plugins: [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
};
`;

const rollup = (format, extension) => ({
  tool: 'rollup',
  version: '4.68.7',
  packages: {
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-json': '6.1.0',
    '@rollup/plugin-node-resolve': '16.0.3',
  },
  use: `the plugins node-resolve, commonjs and json, with \`${format}\` output`,
  extension,
  bin: 'rollup/dist/bin/rollup',
  files: { 'rollup.config.js': rollupConfig },
  args: ['--config', '--silent', '--format', format, '--inlineDynamicImports'].concat(
    '--file',
    `out/bundle.${extension}`,
  ),
});

const webpackConfig = `export default {
  mode: 'production',
  target: 'node20',
  entry: './handler.js',
  output: { path: process.cwd() + '/out', filename: 'bundle.cjs', library: { type: 'commonjs2' } },
};
`;

const bundlerRows = [
  esbuild('cjs', 'cjs'),
  esbuild('esm', 'mjs'),
  {
    tool: 'webpack',
    version: '5.112.2',
    packages: { 'webpack-cli': '7.3.1' },
    use: "`target: 'node'`",
    extension: 'cjs',
    bin: 'webpack-cli/bin/cli.js',
    files: { 'webpack.config.mjs': webpackConfig },
    args: ['build', '--stats', 'errors-only'],
    quick: true,
  },
  rollup('cjs', 'cjs'),
  rollup('es', 'mjs'),
].map((row) => ({
  ...row,
  environment: row.tool,
  packages: { [row.tool]: row.version, ...row.packages },
  files: {
    ...files("export { journey as handler } from './journey.js';\n", journeys.esm, 'module', 'handler.js'),
    ...row.files,
  },
}));

const databases = {
  'node:sqlite': "import { DatabaseSync as Database } from 'node:sqlite';",
  'bun:sqlite': "import { Database } from 'bun:sqlite';",
  libsql: "import Database from 'libsql';",
};

/**
 * Runs the store checks, a payment that survives its process, and one in a transaction that is rolled back.
 */
const writeProgram = (database) => `${databases[database]}
import { createDurablePayments, sqlitePayments, sqlitePaymentsSql } from 'payment-platform/durable';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { paymentStoreChecks } from 'payment-platform/testing';

for (const [index, { run }] of paymentStoreChecks.entries()) {
  const database = new Database('check-' + index + '.db');
  database.exec(sqlitePaymentsSql());
  await run(sqlitePayments(database));
  database.close();
}
const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
const database = new Database('payments.db');
database.exec(sqlitePaymentsSql());
const store = sqlitePayments(database);
const payments = createDurablePayments(platform, { store });
const order = { amount: 1990, paymentMethod: 'pix', customer: { name: 'Ana' }, items: [{ title: 'Café', quantity: 1, unitPrice: 1990 }] };
database.exec('BEGIN');
await payments.enqueue(order, { key: 'undone', client: database });
database.exec('ROLLBACK');
await payments.enqueue(order, { key: 'order-1' });
// Another connection to the same file, as another process has it.
const other = createDurablePayments(platform, { store: sqlitePayments(new Database('payments.db')) });
const [one, two] = [await other.settleDue(), await payments.settleDue()];
const { record } = await payments.create(order, { key: 'order-1' });
const { charges } = sandbox.ledger;
if (one !== 1 || two !== 0 || record.state !== 'settled' || charges.length !== 1) throw new Error(JSON.stringify({ one, two, record, charges }));
console.log('settled once');
await sandbox.close();
`;

const durableRows = [
  ...['22', '24', '26'].map((name) => ({
    environment: 'Durable payments on Node',
    runtime: node(name),
    database: 'node:sqlite',
    flags: ['--no-warnings'],
    quick: name === '24',
  })),
  {
    environment: 'Durable payments on Node',
    runtime: node('own'),
    database: 'libsql',
    packages: { libsql: '0.5.29' },
  },
  { environment: 'Durable payments on Bun', runtime: bun, database: 'bun:sqlite', quick: true },
  { environment: 'Durable payments on Deno', runtime: deno, database: 'node:sqlite' },
].map((row) => ({
  ...row,
  use: `\`sqlitePayments\` over ${row.database}`,
  files: files(writeProgram(row.database)),
  hasJourney: false,
  prints: 'settled once',
}));

const typescripts = support.others.TypeScript;

const node10 = { module: 'CommonJS', moduleResolution: 'node10' };
const node16 = { module: 'node16', moduleResolution: 'node16' };
const bundler = { module: 'ES2022', moduleResolution: 'bundler' };

const resolutions = [
  { use: '`node10`', ...node10 },
  { use: '`node10` without `esModuleInterop`', ...node10, esModuleInterop: false },
  { use: '`node16`', ...node16 },
  {
    use: '`node16` from CommonJS, without `esModuleInterop`',
    ...node16,
    esModuleInterop: false,
    type: 'commonjs',
  },
  {
    use: '`nodenext` with the default `lib`',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: 'default',
  },
  { use: '`bundler`', ...bundler },
  { use: "`bundler` with the DOM types instead of Node's", ...bundler, lib: ['ES2022', 'DOM'], types: [] },
];

/** Explains why a version dropped a setting. */
function gone(version, { moduleResolution, esModuleInterop }) {
  if (Number.parseInt(version, 10) < 7) return undefined;
  if (moduleResolution === 'node10') return 'TypeScript 7 has no node10';
  return esModuleInterop === false ? 'TypeScript 7 has no such setting' : undefined;
}

/** TypeScript 6 deprecates settings that 7 no longer has. */
function deprecations(version, { moduleResolution, esModuleInterop }) {
  const isDeprecated = moduleResolution === 'node10' || esModuleInterop === false;
  return version.startsWith('6.') && isDeprecated ? { ignoreDeprecations: '6.0' } : {};
}

function compilerOptions(version, resolution) {
  const { module, moduleResolution, esModuleInterop = true, lib = ['ES2022'], types = ['node'] } = resolution;
  return {
    module,
    moduleResolution,
    esModuleInterop,
    ...(lib !== 'default' && { lib }),
    types,
    target: 'ES2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'declarations',
    ...deprecations(version, resolution),
  };
}

/** Uses every entry point, so that all types are loaded. Its exports require names in declarations. */
const allEntries = `import * as platform from 'payment-platform';
import * as sandbox from 'payment-platform/sandbox';
import * as webhooks from 'payment-platform/webhooks';
export { platform, sandbox, webhooks };
declare const client: platform.PaymentPlatform;
export const { payments, submerchants, onboarding, certificates, domains, vault, webhooks: endpoints } = client;
export const { withdrawals } = submerchants;
export const create = () => client.payments.create;
`;

/** Selects the oldest and the newest compiler, and combinations that failed in the past. */
const isQuick = (version, { use }) =>
  use.startsWith('`nodenext`')
    ? [typescripts.at(0), typescripts.at(-1)].includes(version)
    : version === typescripts[0] && use === '`node10` without `esModuleInterop`';

/** The tests in test/types that compile code. The other ones use the editor service of TypeScript 5. */
const typeTests = ['contract', 'durable', 'mistakes', 'optional'].map((name) => `test/types/${name}.test.ts`);

const typescriptRows = typescripts.flatMap((version) =>
  resolutions.map((resolution) => ({
    environment: 'TypeScript (`moduleResolution`)',
    version,
    use: resolution.use,
    quick: isQuick(version, resolution),
    unavailable: gone(version, resolution),
    packages: { typescript: version, '@types/node': '20.19.43' },
    files: {
      'package.json': JSON.stringify({ type: resolution.type ?? 'module' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: compilerOptions(version, resolution),
        files: ['journey.ts', 'entries.ts'],
      }),
      'journey.ts': journeys.typescript,
      'entries.ts': allEntries,
    },
    bin: 'typescript/bin/tsc',
    args: ['-p', '.'],
    hasJourney: false,
  })),
);

/** Runs the type tests with the newest compiler. Every run of the tests uses the compiler of the build. */
const typeTestsRow = (workspace) => ({
  environment: 'TypeScript (`moduleResolution`)',
  version: typescripts.at(-1),
  use: "this package's type tests",
  quick: true,
  run: async () => {
    const project = await workspace.project({ typescript: typescripts.at(-1) });
    const env = { TYPESCRIPT_COMMAND: join(project, 'node_modules/typescript/bin/tsc') };
    await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...typeTests], { cwd: root, env });
  },
});

// Platforms that no row of the table can test. Each names the closest row that is tested, so that nobody
// assumes that the platform itself was.
const elsewhere = [
  ['AWS Lambda', 'the AWS service', 'needs an account; the bundles above are loaded the same way'],
  [
    'Cloudflare Workers',
    'the Cloudflare network',
    'needs an account; workerd, tested above, is the same runtime',
  ],
  ['Vercel', 'the edge network', 'needs an account; `next start`, tested above, uses the same edge runtime'],
  ...['win32', 'darwin', 'linux']
    .filter((platform) => platform !== process.platform)
    .map((platform) => ['Node', `on ${platform}`, 'needs another machine']),
].map(([environment, use, unavailable]) => ({ environment, version: 'any', use, unavailable }));

/** Runs a bundler in a project, then its bundle in a folder without packages. */
async function runBundle(workspace, { tool, extension, bin, args }, project, cwd) {
  const warnings = await run(process.execPath, [join(project, 'node_modules', bin), ...args], { cwd });
  const bare = workspace.bare();
  // Copies all files, because webpack writes dynamic imports to separate files.
  cpSync(join(cwd, 'out'), bare, { recursive: true });
  workspace.write(bare, { [`main.${extension}`]: hosts[extension] });
  try {
    return await workspace.command(process.execPath, [`main.${extension}`], { cwd: bare });
  } catch (error) {
    error.message += `\nWhat ${tool} had printed:\n${warnings}`;
    throw error;
  }
}

/** Runs a row's command. Most commands run the journey. */
async function runRow(workspace, row) {
  const {
    runtime = node('own'),
    bin,
    flags = [],
    args = ['main.js'],
    hasJourney = true,
    prints,
    options,
  } = row;
  const project = await workspace.project({ ...runtime.packages, ...row.packages });
  const cwd = workspace.program(project, row.files);
  if (row.extension !== undefined) return runBundle(workspace, row, project, cwd);
  const [program, ...prefix] = runtime.command(project, args);
  const tool = bin === undefined ? [] : [join(project, 'node_modules', bin)];
  const command = [...prefix, ...flags, ...tool, ...args];
  const env = runtime.env?.(project);
  if (hasJourney) return workspace.command(program, command, { cwd, env }, options);
  const printed = await run(program, command, { cwd, env });
  if (prints !== undefined && !printed.includes(prints)) throw new Error(printed);
}

const runnable = (rows) => (workspace) =>
  rows.map((row) => ({
    ...row,
    version: row.version ?? row.runtime.version,
    unavailable: row.unavailable ?? row.runtime?.unavailable,
    run: () => runRow(workspace, row),
  }));

/** @typedef {{ readonly environment: string, readonly version: string, readonly use: string }} Row */

/**
 * The rows by family. Each family creates its rows without running anything.
 *
 * @type {Readonly<Record<string, (workspace: any) => readonly Row[]>>}
 */
export const families = {
  node: runnable([...nodeRows, ...fetchRows]),
  bun: runnable(bunRows),
  deno: runnable(denoRows),
  workers,
  jest: runnable(listJestRows),
  vitest: runnable(vitestRows),
  bundlers: runnable(bundlerRows),
  next,
  typescript: (workspace) => [...runnable(typescriptRows)(workspace), typeTestsRow(workspace)],
  durable: runnable(durableRows),
  prisma,
  elsewhere: () => elsewhere,
};
