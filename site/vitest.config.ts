import { defineConfig } from 'vitest/config';

// The tests of the built site: `npm run docs -- --check`.
export default defineConfig({
  test: { include: ['test/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
});
