import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Options } from 'tsup';
import { entryPoints } from '../package/entry-points.mjs';

export type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Replaces the content of required CommonJS modules. */
const required = (name: string, filter: RegExp, createContent: (path: string) => string): Plugin => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: name } : undefined,
    );
    onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({ contents: createContent(path) }));
  },
});

const builtinsPattern = new RegExp(`^(node:)?(${builtinModules.join('|')})$`);

/**
 * Replaces each `require` of a Node module in bundled CommonJS, because an ES module has no `require`.
 * `importedBuiltins` provides the module instead.
 */
export const requiredBuiltins = required(
  'required-builtins',
  builtinsPattern,
  (path) => `module.exports = require('imported:${path.replace('node:', '')}').default;`,
);

/** Provides the Node modules that `requiredBuiltins` replaced, as imports. */
export const importedBuiltins = required(
  'imported-builtins',
  /^imported:/,
  (path) => `export { default } from '${path.replace('imported', 'node')}';`,
);

/**
 * Replaces the table that form-data uses to find a file's type by its name. All our files have a type, and
 * the table is 200 kB.
 */
export const noTypesByName = required(
  'no-types-by-name',
  /^mime-types$/,
  () => 'exports.lookup = () => false;',
);

/** Replaces the MCP SDK's validator by its other one, which generates no code and is a fifth as large. */
export const validatorWithoutCode: Plugin = {
  name: 'validator-without-code',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\bajv-provider\.js$/ }, ({ path }) => ({
      contents: `export { CfWorkerJsonSchemaValidator as AjvJsonSchemaValidator } from './cfworker-provider.js';`,
      resolveDir: dirname(path),
    })),
};

/** Leaves entry points out of a bundle that imports their sources, and imports the built files instead. */
const entriesBeside = (pluginName: string, names: readonly string[], extension: string): Plugin => ({
  name: pluginName,
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/index\.js$/ }, ({ path, resolveDir }) => {
      const source = relative('.', join(resolveDir, path)).replace(/\.js$/, '.ts');
      const entry = entryPoints.exports.find((one) => one.source === source && names.includes(one.name));
      return entry && { path: `./${entry.name}.${extension}`, external: true };
    }),
});

/**
 * Imports the built sandbox in `useSandbox`. Otherwise the CommonJS file for tests would contain a second
 * copy.
 */
export const sandboxBeside = entriesBeside('sandbox-beside', ['sandbox'], 'cjs');

/** Makes the doctor in CommonJS a file that is loaded on demand. */
export const doctorBeside: Plugin = {
  name: 'doctor-beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/doctor\/diagnose\.js$/ }, () => ({
      path: './package-doctor.cjs',
      external: true,
    })),
};

/** Makes the command read the schema of the configuration in docs/, so that the package contains it once. */
export const schemaInDocs: Plugin = {
  name: 'schema-in-docs',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/docs\/config\.schema\.json$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
export default JSON.parse(readFileSync(new URL('../docs/config.schema.json', import.meta.url), 'utf8'));`,
      loader: 'js',
    })),
};

/** Makes the command import the published entry points. */
export const publicEntries = entriesBeside(
  'public-entries',
  ['index', 'sandbox', 'testing', 'webhooks', 'durable'],
  'js',
);
