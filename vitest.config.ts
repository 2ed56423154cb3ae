import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { progress, skippedByName } from './test/support/reporters.js';

/** A run of all tests says how far it is and what fails, a run of chosen ones also what each file did. */
const isWhole = process.env.npm_lifecycle_event?.startsWith('test') === true;

/** What `payment-platform` is in a test: the sources, or with `BUILT=1` what is published. */
const isBuilt = process.env.BUILT === '1';
const entry = (name: string) =>
  new URL(isBuilt ? './dist/' : './src/', import.meta.url).pathname +
  (isBuilt ? `${name}.js` : name === 'index' ? 'index.ts' : `${name}/index.ts`);

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

/** What looks at its whole process, or changes it: a worker of its own. */
const alone = [
  'test/processes.test.ts',
  'test/sandbox/fake-timers.test.ts',
  'test/sandbox/payments/boleto.test.ts',
  'test/transport/{functions,hostile-globals,walk}.test.ts',
  'test/transport/upload/upload-{descriptors,memory}.test.ts',
  'test/webhooks/frameworks/*.test.ts',
];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^payment-platform$/, replacement: entry('index') },
      { find: /^payment-platform\/(.*)$/, replacement: entry('$1') },
    ],
  },
  test: {
    reporters: isWhole ? ['minimal', progress(), skippedByName] : ['default', skippedByName],
    setupFiles: ['test/support/leaves-no-trace.ts'],
    // Most files share their worker, and so load each module once: it saves a third of the time.
    projects: isBuilt
      ? [{ extends: true, test: { name: 'built', include: builtTests } }]
      : [
          {
            extends: true,
            test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
          },
          { extends: true, test: { name: 'alone', include: alone } },
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
