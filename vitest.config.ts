import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { progress, skippedByName } from './test/support/reporters.js';

/** A run of all tests prints progress and failures. A run of selected files also prints each file's result. */
const isWhole = process.env.npm_lifecycle_event?.startsWith('test') === true;

/** Tests import `payment-platform` from the sources or, with `BUILT=1`, from the published build. */
export const isBuilt = process.env.BUILT === '1';
const entry = (name: string, source: string) =>
  new URL(isBuilt ? `./dist/${name}.js` : source, import.meta.url).pathname;

/** Finds a folder's tests of both engines that import only the public entry points. */
export const findBuiltTests = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => {
      const text = readFileSync(path, 'utf8');
      return text.includes('onBothEngines(') && !/from '\.\.\/.*src\//.test(text);
    });

const all = ['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'];

/** Tests with packages that only `test/interop/package.json` has, and its own configuration. */
const interop = 'test/interop/**';

/**
 * Tests of documentation, types and tools, which do not show how the package behaves at run time. Also long tests with
 * browsers and processes: `npm test` checks the same behaviour with shorter tests.
 */
const rest = [
  'test/{api,compatibility,docs,package,release,types}/**/*.test.ts',
  'test/durable/{interleavings,kills,request-kills}.test.ts',
  'test/webhooks/receiver/interleavings.test.ts',
  'test/stores/payments/isolation.test.ts',
  'test/stores/redis/{cluster,valkey}.test.ts',
  'sandbox/test/cli/!(commands).test.ts',
  'sandbox/test/control-api/copied-test.test.ts',
  'sandbox/test/doctor/{command,gateways,nginx}.test.ts',
  'sandbox/test/page/!(journey).test.ts',
];

/** Tests that inspect or change their whole process. Each file gets its own worker. */
const alone = [
  'test/processes.test.ts',
  'sandbox/test/fake-timers.test.ts',
  'sandbox/test/payments/boleto.test.ts',
  'test/transport/{road,walk}.test.ts',
];
const restAlone = ['test/transport/upload/upload-memory.test.ts', 'test/webhooks/frameworks/*.test.ts'];

/** Tests in another realm than Node's core, whose objects are not instances of the classes that they see. */
const realm = ['test/realm/*.test.ts'];

/** Most files share a worker, so each module loads once, which saves a third of the time. */
export const project = (
  name: string,
  include: string[],
  exclude: string[],
  isolate: boolean,
  pool: 'forks' | 'vmThreads' = 'forks',
) => ({
  extends: true as const,
  test: { name, include, exclude, isolate, pool },
});

export default defineConfig({
  resolve: {
    alias: [
      { find: /^payment-platform$/, replacement: entry('index', './src/index.ts') },
      { find: /^payment-platform\/sandbox$/, replacement: entry('sandbox', './sandbox/index.ts') },
      { find: /^payment-platform\/testing$/, replacement: entry('testing', './sandbox/testing/index.ts') },
      { find: /^payment-platform\/(.*)$/, replacement: entry('$1', './src/$1/index.ts') },
    ],
  },
  test: {
    reporters: isWhole ? ['minimal', progress(), skippedByName] : ['default', skippedByName],
    // The projects share transformed modules, also with the next run: a fifth less CPU.
    experimental: { fsModuleCache: true },
    globalSetup: 'test/support/run-environment.ts',
    setupFiles: ['test/support/leaves-no-trace.ts'],
    projects: isBuilt
      ? [
          project(
            'built',
            findBuiltTests('test').filter((path) => !path.startsWith('test/interop/')),
            [],
            true,
          ),
        ]
      : [
          project('runtime', all, [...alone, ...rest, ...restAlone, ...realm, interop], false),
          project('runtime-alone', alone, [], true),
          project('runtime-realm', realm, [], true, 'vmThreads'),
          project('rest', rest, [], false),
          project('rest-alone', restAlone, [], true),
        ],
    restoreMocks: true,
    unstubEnvs: true,
    // These limits only end a run that hangs. No test depends on the speed of a machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Two more than the number of cores, because many tests wait for a process, a browser or a database.
    maxWorkers: availableParallelism() + 2,
    // Concurrent tests of a file wait for a shop or another program most of the time.
    maxConcurrency: 16,
  },
});
