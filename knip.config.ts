import type { KnipConfig } from 'knip';
import { entryPoints } from './test/package/entry-points.mjs';

const { exports, commands, imports } = entryPoints;

export default {
  entry: [
    ...[...exports, ...commands, ...imports].map(({ source }) => source),
    'examples/*.ts',
    'test/support/{upload-crumbs,upload-large,upload-many,share-token,pay-once,pay-and-get}.ts',
  ],
  project: ['src/**/*.ts', 'docs/build/**/*.ts', 'examples/**/*.ts', 'test/**/*.{ts,mjs}'],
  vitest: { config: ['vitest.config.ts', 'vitest.mutation.config.ts'] },
  ignoreBinaries: ['openssl', 'mkfifo'],
  ignoreDependencies: ['publint', '@arethetypeswrong/cli'],
  ignoreUnresolved: imports.map(({ specifier }) => specifier),
} satisfies KnipConfig;
