import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { progress, skippedByName } from './test/support/reporters.js';

/** A run of all tests says how far it is and what fails, a run of chosen ones also what each file did. */
const isWhole = process.env.npm_lifecycle_event?.startsWith('test') === true;

/** What `payment-platform` is in a test: the sources, or with `BUILT=1` what is published. */
const isBuilt = process.env.BUILT === '1';
const entry = (name: string, source: string) =>
  new URL(isBuilt ? `./dist/${name}.js` : source, import.meta.url).pathname;

/** The tests of both engines that use nothing but the public entry points. */
const builtTests = isBuilt
  ? readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${name}`)
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        return text.includes('onBothEngines(') && !/from '\.\.\/.*src\//.test(text);
      })
  : [];

const all = ['test/**/*.test.ts', 'sandbox/test/**/*.test.ts'];

/**
 * What says nothing about the behaviour of the package as it runs: documentation, types and tools. And long tests over
 * browsers, frameworks and processes: `npm test` holds the same promises with shorter ones.
 */
const rest = [
  'test/{api,compatibility,docs,package,release,types}/**/*.test.ts',
  'test/durable/kills.test.ts',
  'test/stores/payments/isolation.test.ts',
  'sandbox/test/cli/!(commands).test.ts',
  'sandbox/test/control-api/copied-test.test.ts',
  'sandbox/test/doctor/{command,nginx}.test.ts',
  'sandbox/test/page/!(journey).test.ts',
];

/** What looks at its whole process, or changes it: a worker of its own. */
const alone = [
  'test/processes.test.ts',
  'sandbox/test/fake-timers.test.ts',
  'sandbox/test/payments/boleto.test.ts',
  'test/transport/{road,walk}.test.ts',
];
const restAlone = [
  'test/transport/hostile-globals.test.ts',
  'test/transport/upload/upload-{descriptors,memory}.test.ts',
  'test/webhooks/frameworks/*.test.ts',
];

/** Most files share their worker, and so load each module once: it saves a third of the time. */
const project = (name: string, include: string[], exclude: string[], isolate: boolean) => ({
  extends: true as const,
  test: { name, include, exclude, isolate },
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
    setupFiles: ['test/support/leaves-no-trace.ts'],
    projects: isBuilt
      ? [project('built', builtTests, [], true)]
      : [
          project('runtime', all, [...alone, ...rest, ...restAlone], false),
          project('runtime-alone', alone, [], true),
          project('rest', rest, [], false),
          project('rest-alone', restAlone, [], true),
        ],
    restoreMocks: true,
    unstubEnvs: true,
    // They end a run that hangs: no test is held to the speed of a machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Two more than there are cores: many tests wait for a process, a browser or a database.
    maxWorkers: availableParallelism() + 2,
  },
});
