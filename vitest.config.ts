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

export default defineConfig({
  resolve: {
    alias: [
      { find: /^payment-platform$/, replacement: new URL('./src/index.ts', import.meta.url).pathname },
      {
        find: /^payment-platform\/(.*)$/,
        replacement: `${new URL('./src/', import.meta.url).pathname}$1/index.ts`,
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', skippedByName],
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 20_000,
    // The default leaves one core free, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
