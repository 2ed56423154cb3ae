import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** Tests that need something this machine lacks are named, not only counted. */
const skippedByName: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    // More is a run of chosen tests (-t), in which the others are no news.
    if (skipped.length > 20) return;
    for (const { fullName } of skipped) process.stdout.write(`skipped: ${fullName}\n`);
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
