import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { builtPage } from './src/sandbox/page/bundle.mjs';
import { writeNotices } from './test/package/bundled.mjs';
import { type EntryPoint, entryPoints } from './test/package/entry-points.mjs';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const { exports, commands } = entryPoints;
const forWorkers = exports.filter(({ files }) => files.some((file) => file.endsWith('.worker.js')));
const sourcesOf = (entries: readonly EntryPoint[], suffix = '') =>
  Object.fromEntries(entries.map(({ name, source }) => [name + suffix, source]));

/**
 * What CommonJS that is bundled requires of Node, an ESM bundle imports: it has no `require`. The default
 * export is the module itself, also where another bundler follows: its namespace of a function has no members.
 */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && builtinModules.includes(path.replace(/^node:/, ''))
        ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'required-builtin' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = require('imported:${path}').default;`,
    }));
    onResolve({ filter: /^imported:/ }, ({ path }) => ({
      path: path.slice('imported:'.length),
      namespace: 'imported-builtin',
    }));
    onLoad({ filter: /.*/, namespace: 'imported-builtin' }, ({ path }) => ({
      contents: `export { default } from '${path}';`,
    }));
  },
};

/** form-data asks it for the type of a file by its name. Every file of ours has its type, and the table is 200 kB. */
const noTypesByName: Plugin = {
  name: 'no-types-by-name',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mime-types$/ }, ({ path }) => ({ path, namespace: 'no-types-by-name' }));
    onLoad({ filter: /.*/, namespace: 'no-types-by-name' }, () => ({
      contents: 'exports.lookup = () => false;',
    }));
  },
};

/** The packages that only some calls need. In CommonJS, which esbuild does not split, each is a file that is required then. */
const besides = {
  'package-ky': 'src/transport/send/ky.ts',
  'package-page-files': 'src/sandbox/page/page-files.ts',
  'package-form-data': fileURLToPath(import.meta.resolve('form-data')),
};

const packagesBeside: Plugin = {
  name: 'packages-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/(ky|page-files)\.js$|^form-data$/ }, ({ path }) => {
      const name = path.replace(/^.*\/|\.js$/g, '');
      return { path: `./package-${name}.cjs`, external: true };
    });
  },
};

/** The command is built over the entry points as they are published. */
const publicEntries: Plugin = {
  name: 'public-entries',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\.\/)+(sandbox|testing|webhooks)\/index\.js$/ }, ({ path }) => ({
      path: path.replace(/^(\.\.\/)+(\w+)\/index\.js$/, './$2.js'),
      external: true,
    }));
  },
};

/** Takes `x.worker.ts` in the place of `x.ts`, wherever there is one. */
const workerVariants: Plugin = {
  name: 'worker-variants',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const variant = resolve(resolveDir, path.replace(/\.js$/, '.worker.ts'));
      return existsSync(variant) ? { path: variant } : undefined;
    });
  },
};

const dts = { entry: sourcesOf(exports) };

const common = {
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  // Everything is bundled: a merchant installs one package, and no other version of a dependency than the tested one.
  noExternal: [/.*/],
  // One build of each package, whoever asks for it: some have two that know nothing of each other.
  esbuildOptions: (options) => {
    options.mainFields = ['module', 'main'];
    options.pure = ['Object.freeze'];
  },
} satisfies Options;

/** What tests use is built by itself: what it shared with the others would be more files for them to load. */
const isForTests = ({ name }: EntryPoint) => name === 'sandbox' || name === 'testing';

const esm = {
  ...common,
  format: 'esm',
  esbuildPlugins: [requiredBuiltins, noTypesByName, builtPage],
} satisfies Options;

const builds: Options[] = [
  { ...esm, entry: sourcesOf(exports.filter(isForTests)) },
  {
    ...esm,
    entry: sourcesOf(commands),
    splitting: false,
    esbuildPlugins: [publicEntries, ...esm.esbuildPlugins],
  },
  {
    ...esm,
    entry: sourcesOf(exports.filter((entry) => !isForTests(entry))),
    dts,
  },
  {
    ...common,
    entry: sourcesOf(exports),
    dts,
    format: 'cjs',
    esbuildPlugins: [packagesBeside],
    esbuildOptions: (options) => {
      common.esbuildOptions(options);
      // Jest runs no import() in CommonJS.
      options.supported = { ...options.supported, 'dynamic-import': false };
    },
  },
  {
    ...common,
    entry: besides,
    format: 'cjs',
    minify: true,
    esbuildPlugins: [noTypesByName, builtPage],
  },
  {
    ...common,
    entry: sourcesOf(forWorkers, '.worker'),
    format: 'esm',
    platform: 'neutral',
    splitting: false,
    esbuildPlugins: [workerVariants],
  },
];

/** What is said of all files is written after the last of the builds, which run at once. */
let running = builds.length;
const onSuccess = async () => {
  running--;
  if (running === 0) writeNotices();
};

export default defineConfig(builds.map((build) => ({ ...build, onSuccess })));
