import { defineConfig } from 'vitest/config';

// Tests of the built site. `npm run docs -- --check` runs them.
export default defineConfig({
  test: { include: ['test/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
});
