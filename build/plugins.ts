import { builtinModules } from 'node:module';
import type { Options } from 'tsup';

export type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Leaves imports out of the bundle, under another path. */
const external = (name: string, filter: RegExp, pathOf: (path: string) => string): Plugin => ({
  name,
  setup: ({ onResolve }) => onResolve({ filter }, ({ path }) => ({ path: pathOf(path), external: true })),
});

/** Gives what CommonJS requires another content. */
const required = (name: string, filter: RegExp, contentOf: (path: string) => string): Plugin => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: name } : undefined,
    );
    onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({ contents: contentOf(path) }));
  },
});

/** An ES module has no `require`: what CommonJS that is bundled requires of Node, it imports. */
const builtins = new RegExp(`^(node:)?(${builtinModules.join('|')})$`);
export const requiredBuiltins = required(
  'required-builtins',
  builtins,
  (path) => `module.exports = require('imported:${path.replace('node:', '')}').default;`,
);
export const importedBuiltins = required(
  'imported-builtins',
  /^imported:/,
  (path) => `export { default } from '${path.replace('imported', 'node')}';`,
);

/** form-data asks it for the type of a file by its name. Every file of ours has its type, and the table is 200 kB. */
export const noTypesByName = required(
  'no-types-by-name',
  /^mime-types$/,
  () => 'exports.lookup = () => false;',
);

/** The sandbox of `useSandbox`: in CommonJS, another copy of it would be in the file of what tests use. */
export const sandboxBeside = external('sandbox-beside', /^\.\.\/sandbox\/index\.js$/, () => './sandbox.cjs');

/** The command is built over the entry points as they are published. */
export const publicEntries = external(
  'public-entries',
  /^(\.\.\/)+(sandbox|testing|webhooks)\/index\.js$/,
  (path) => path.replace(/^(\.\.\/)+(\w+)\/index\.js$/, './$2.js'),
);
