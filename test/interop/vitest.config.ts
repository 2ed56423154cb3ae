import { defineConfig } from 'vitest/config';
import base, { findBuiltTests, isBuilt, project } from '../../vitest.config.js';

/** Frameworks change prototypes and globals. Each file gets its own worker. */
const alone = ['test/interop/frameworks/*.test.ts'];
const installed = 'test/interop/node_modules/**';

const { projects: _, ...test } = base.test ?? {};

/** Tests with other packages: `npm test --prefix test/interop`, after `npm install` there. */
export default defineConfig({
  ...base,
  test: {
    ...test,
    projects: isBuilt
      ? [project('interop-built', findBuiltTests('test/interop'), [], true)]
      : [
          project('interop', ['test/interop/**/*.test.ts'], [...alone, installed], false),
          project('interop-alone', alone, [], true),
        ],
  },
});
