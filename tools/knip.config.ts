import type { KnipConfig } from 'knip';
import { entryPoints } from './package/entry-points.mjs';

const { exports, commands } = entryPoints;

export default {
  workspaces: {
    '.': {
      entry: [
        ...[...exports, ...commands].map(({ source }) => `${source}!`),
        // `npm run generate` writes src/contract/generated from these.
        'src/contract/schemas.ts!',
        // Files that replace others in the build for Workers.
        'src/{client-in-workers,platform/web}.ts!',
        'sandbox/{runtime/web,http/web-server,page/web-page,state/web-state-file}.ts!',
        'sandbox/page/app/main.tsx!',
        'examples/*.ts',
        'tools/environments/{journey,sandbox-journey}.ts',
        'tools/scale/process.ts',
        'test/support/{upload-crumbs,upload-fetch,upload-large,share-token,share-limit,pay-once,pay-and-get,killed-payments}.ts',
        'tools/compatibility/write.ts',
        'tools/{api,compatibility,conformance,mutation,openapi,scale}/main.ts',
        'tools/mutation/stryker.config.mjs',
        'tools/release/{main,check-advisories}.mjs',
        'tools/package/check.mjs',
        // The site imports these files, and has its own packages.
        'tools/docs/{llms,reference/declarations}.ts',
      ],
      project: [
        '{src,sandbox}/**/*.{ts,tsx,mjs}!',
        '!sandbox/test/**!',
        'tools/**/*.{ts,mjs}',
        '!tools/{bench,environments}/**',
        'examples/**/*.ts',
        '!examples/{at-scale,shop}/**',
        'test/**/*.{ts,mjs}',
      ],
      vitest: {
        config: ['vitest.config.ts', 'tools/mutation/vitest.config.ts'],
        // knip does not accept vitest's project patterns.
        entry: ['{test,sandbox/test}/**/*.test.ts', 'test/support/{leaves-no-trace,load-all}.ts'],
      },
    },
    'test/interop': {
      entry: ['**/*.test.ts', 'vitest.config.ts'],
      project: ['**/*.ts'],
      // The plug-in would look for the setup files in this folder.
      vitest: false,
      // They are usually not installed, and knip cannot judge peers and aliases without them.
      ignoreDependencies: [/./],
    },
  },
  ignoreBinaries: ['openssl', 'mkfifo', 'nginx', 'promtool'],
} satisfies KnipConfig;
