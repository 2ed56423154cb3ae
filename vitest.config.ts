import { defineConfig } from 'vitest/config';

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
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 20_000,
  },
});
