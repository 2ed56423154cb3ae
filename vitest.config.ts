import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** Tests that need something this machine lacks are named, not only counted: a group that is skipped as a whole, once. */
const skippedByName: Reporter = {
  onTestRunEnd(modules) {
    const names = modules.flatMap(({ children }) =>
      [...children].flatMap((child) => {
        if (child.type === 'test') return child.result().state === 'skipped' ? [child.fullName] : [];
        const tests = [...child.children.allTests()];
        const skipped = tests.filter((test) => test.result().state === 'skipped');
        return skipped.length > 0 && skipped.length === tests.length
          ? [`${child.fullName}: ${tests.length} tests`]
          : skipped.map(({ fullName }) => fullName);
      }),
    );
    // More is a run of chosen tests (-t), in which the others are no news.
    if (names.length > 20) return;
    for (const name of names) process.stdout.write(`skipped: ${name}\n`);
  },
};

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

export default defineConfig({
  resolve: {
    alias: [
      { find: /^payment-platform$/, replacement: entry('index') },
      { find: /^payment-platform\/(.*)$/, replacement: entry('$1') },
    ],
  },
  test: {
    include: isBuilt ? builtTests : ['test/**/*.test.ts'],
    reporters: ['default', skippedByName],
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are cores: many tests wait for a process, a browser or a database.
    maxWorkers: availableParallelism() + 1,
  },
});
