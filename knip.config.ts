import type { KnipConfig } from 'knip';
import { entryPoints } from './test/package/entry-points.mjs';

const { exports, commands } = entryPoints;

export default {
  entry: [
    ...[...exports, ...commands].map(({ source }) => source),
    // What takes the place of a file in the build for Workers.
    'src/**/*.worker.ts',
    'src/sandbox/page/app/main.tsx',
    'examples/*.ts',
    'examples/shop/shop.ts',
    'test/environments/{journey,sandbox-journey}.ts',
    'test/support/functions-of-a-call.mjs',
    'test/scale/{payment,receiver,sandbox}-process.ts',
    'test/support/{upload-crumbs,upload-fetch,upload-large,upload-many,share-token,share-limit,pay-once,pay-and-get,killed-payments}.ts',
    'test/sandbox/state/take-lock.ts',
    'test/compatibility/{write,running-shop}.ts',
    'test/compatibility/shop-process.mjs',
    // The site imports it, and has packages of its own.
    'docs/build/llms.ts',
  ],
  project: [
    'src/**/*.{ts,tsx,mjs}',
    'build/*.ts',
    'docs/build/**/*.ts',
    'release/*.mjs',
    'examples/**/*.ts',
    '!examples/at-scale/**',
    'test/**/*.{ts,mjs}',
  ],
  vitest: {
    config: ['vitest.config.ts', 'vitest.mutation.config.ts'],
    // It takes no pattern of a project.
    entry: ['test/**/*.test.ts', 'test/support/{leaves-no-trace,load-all}.ts'],
  },
  ignoreBinaries: ['openssl', 'mkfifo'],
  ignoreDependencies: ['publint', '@arethetypeswrong/cli'],
} satisfies KnipConfig;
