import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { builtPage } from './src/sandbox/page/bundle.mjs';
import { writeNotices } from './test/package/bundled.mjs';
import { type EntryPoint, entryPoints } from './test/package/entry-points.mjs';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const { exports, commands } = entryPoints;
const sourcesOf = (entries: readonly EntryPoint[], suffix = '') =>
  Object.fromEntries(entries.map(({ name, source }) => [name + suffix, source]));

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
const requiredBuiltins = required(
  'required-builtins',
  builtins,
  (path) => `module.exports = require('imported:${path.replace('node:', '')}').default;`,
);
const importedBuiltins = required(
  'imported-builtins',
  /^imported:/,
  (path) => `export { default } from '${path.replace('imported', 'node')}';`,
);

/** form-data asks it for the type of a file by its name. Every file of ours has its type, and the table is 200 kB. */
const noTypesByName = required('no-types-by-name', /^mime-types$/, () => 'exports.lookup = () => false;');

/** The packages that only some calls need. In CommonJS, which esbuild does not split, each is a file that is required then. */
const besides = {
  'package-ky': 'src/transport/send/ky.ts',
  'package-page-files': 'src/sandbox/page/page-files.ts',
  'package-form-data': fileURLToPath(import.meta.resolve('form-data')),
};
const packagesBeside = external(
  'packages-beside',
  /\/(ky|page-files)\.js$|^form-data$/,
  (path) => `./package-${path.replace(/^.*\/|\.js$/g, '')}.cjs`,
);

/** The sandbox of `useSandbox`: in CommonJS, another copy of it would be in the file of what tests use. */
const sandboxBeside = external('sandbox-beside', /^\.\.\/sandbox\/index\.js$/, () => './sandbox.cjs');

/** The command is built over the entry points as they are published. */
const publicEntries = external('public-entries', /^(\.\.\/)+(sandbox|testing|webhooks)\/index\.js$/, (path) =>
  path.replace(/^(\.\.\/)+(\w+)\/index\.js$/, './$2.js'),
);

const common = {
  target: 'node20',
  platform: 'node',
  format: 'esm',
  removeNodeProtocol: false,
  // Everything is bundled: a merchant installs one package, and no other version of a dependency than the tested one.
  noExternal: [/.*/],
  esbuildPlugins: [requiredBuiltins, importedBuiltins, noTypesByName, builtPage],
  esbuildOptions(options, { format }) {
    // One build of each package, whoever asks for it: some have two that know nothing of each other.
    options.mainFields = ['module', 'main'];
    options.pure = ['Object.freeze'];
    // The variants for runtimes are in the imports of package.json.
    if (options.platform === 'neutral') options.conditions = ['workerd', 'import'];
    // Jest runs no import() in CommonJS.
    if (format === 'cjs') options.supported = { ...options.supported, 'dynamic-import': false };
  },
} satisfies Options;

/** What tests use is built by itself: what it shared with the others would be more files for them to load. */
const forTests = exports.filter(({ name }) => name === 'sandbox' || name === 'testing');
const forWorkers = exports.filter(({ files }) => files.some((file) => file.endsWith('.worker.js')));
const inWorkers = { platform: 'neutral', esbuildPlugins: [] } satisfies Options;
const dts = { entry: sourcesOf(exports) };

const builds: Options[] = [
  { entry: sourcesOf(forTests) },
  { entry: sourcesOf(commands), splitting: false, esbuildPlugins: [publicEntries, ...common.esbuildPlugins] },
  { entry: sourcesOf(exports.filter((entry) => !forTests.includes(entry))), dts },
  { entry: sourcesOf(exports), dts, format: 'cjs', esbuildPlugins: [packagesBeside, sandboxBeside] },
  { entry: besides, format: 'cjs', minify: true, esbuildPlugins: [noTypesByName, builtPage] },
  {
    ...inWorkers,
    entry: sourcesOf(
      forWorkers.filter((entry) => !forTests.includes(entry)),
      '.worker',
    ),
    splitting: false,
  },
  { ...inWorkers, entry: sourcesOf(forTests, '.worker') },
];

/** What is said of all files is written after the last of the builds, which run at once. */
let running = builds.length;
const onSuccess = async () => {
  running--;
  if (running === 0) writeNotices();
};

export default defineConfig(builds.map((build) => ({ ...common, ...build, onSuccess })));
