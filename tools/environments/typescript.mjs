// Checks TypeScript: projects that only compile, and check the package's types as strictly as their own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './processes.mjs';
import { journeys } from './programs.mjs';
import { support } from './runtimes.mjs';

const versions = support.others.TypeScript;

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

const guards = (version, { moduleResolution, esModuleInterop }) => {
  if (moduleResolution === 'node10' && esModuleInterop === false) return 'TS1259 without esModuleInterop';
  return /^5\.[0-3]\./.test(version)
    ? 'NoInfer, which a dependency uses, is unknown before TypeScript 5.4'
    : undefined;
};

/** Selects the oldest and the newest compiler, and combinations that failed in the past. */
const isQuick = (version, { use }) =>
  use.startsWith('`nodenext`')
    ? [versions.at(0), versions.at(-1)].includes(version)
    : version === versions[0] && use === '`node10` without `esModuleInterop`';

/** The tests in test/types that compile code. The other ones use the editor service of TypeScript 5. */
const typeTests = ['contract', 'durable', 'mistakes', 'optional'].map((name) => `test/types/${name}.test.ts`);

/** Runs the type tests with the newest compiler. Every run of the tests uses the compiler of the build. */
const typeTestsRow = (workspace) => ({
  environment: 'TypeScript (`moduleResolution`)',
  version: versions.at(-1),
  use: "this package's type tests",
  quick: true,
  run: async () => {
    const project = await workspace.project('typescript-tests', { typescript: versions.at(-1) });
    const env = { TYPESCRIPT_COMMAND: join(project, 'node_modules/typescript/bin/tsc') };
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...typeTests], { cwd, env });
  },
});

export const typescript = (workspace) => [
  ...versions.flatMap((version) =>
    resolutions.map((resolution, index) => ({
      environment: 'TypeScript (`moduleResolution`)',
      version,
      use: resolution.use,
      guards: guards(version, resolution),
      quick: isQuick(version, resolution),
      unavailable: gone(version, resolution),
      run: async () => {
        const packages = { typescript: version, '@types/node': '20.19.43' };
        const project = await workspace.project(`typescript-${version}`, packages);
        const options = compilerOptions(version, resolution);
        const cwd = workspace.write(join(project, String(index)), {
          'package.json': JSON.stringify({ type: resolution.type ?? 'module' }),
          'tsconfig.json': JSON.stringify({ compilerOptions: options, files: ['journey.ts', 'entries.ts'] }),
          'journey.ts': journeys.typescript,
          'entries.ts': allEntries,
        });
        await run(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd });
      },
    })),
  ),
  typeTestsRow(workspace),
];
