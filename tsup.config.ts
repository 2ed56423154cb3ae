import { defineConfig, type Options } from 'tsup';
import { noteBundled, page, writeNoticesAfter } from './tools/build/bundled-files.js';
import { besides, filesBeside, packagesBeside } from './tools/build/packages-beside.js';
import { packed } from './tools/build/packed-files.js';
import {
  doctorBeside,
  importedBuiltins,
  noTypesByName,
  publicEntries,
  requiredBuiltins,
  sandboxBeside,
  schemaInDocs,
  validatorWithoutCode,
} from './tools/build/plugins.js';
import { type EntryPoint, entryPoints } from './tools/package/entry-points.mjs';

const { exports, commands } = entryPoints;
const listSources = (entries: readonly EntryPoint[], suffix = '') =>
  Object.fromEntries(entries.map(({ name, source }) => [name + suffix, source]));

const common = {
  target: 'node20',
  platform: 'node',
  format: 'esm',
  removeNodeProtocol: false,
  // All dependencies are bundled, so that a merchant runs exactly the tested versions.
  noExternal: [/.*/],
  esbuildPlugins: [requiredBuiltins, importedBuiltins, noTypesByName, page],
  plugins: [packed],
  esbuildOptions(options, { format }) {
    // Uses one build of each package, because some have two builds with separate state.
    options.mainFields = ['module', 'main'];
    options.pure = ['Object.freeze'];
    // The variants for runtimes are in "imports" of package.json.
    if (options.platform === 'neutral') options.conditions = ['workerd', 'import'];
    // Inlines constants, because a Worker's bundler does not inline module variables.
    if (options.platform === 'neutral') options.minifySyntax = true;
    // A merchant's bundler usually shortens them anyway.
    if (options.platform === 'neutral') options.minifyIdentifiers = true;
    // A chunk for Workers never has the name of another.
    if (options.platform === 'neutral') options.chunkNames = '[name]-[hash].worker';
    // Jest cannot run import() in CommonJS.
    if (format === 'cjs') options.supported = { ...options.supported, 'dynamic-import': false };
  },
} satisfies Options;

const { everywhere, onNode, ofCommand } = besides;

/** Entry points for tests are built separately. Shared chunks would be more files for each test to load. */
const forTests = exports.filter(({ name }) => name === 'sandbox' || name === 'testing');
const forWorkers = exports.filter(({ files }) => files.some((file) => file.endsWith('.worker.js')));
const inWorkers = { platform: 'neutral', esbuildPlugins: [] } satisfies Options;

/** Packages have no marks. */
const minifiedByEsbuild = { minify: true, plugins: [] } satisfies Options;

const builds: Options[] = [
  { entry: listSources(forTests), esbuildPlugins: [packagesBeside('js'), ...common.esbuildPlugins] },
  {
    entry: listSources(commands),
    esbuildPlugins: [publicEntries, schemaInDocs, packagesBeside('js'), ...common.esbuildPlugins],
  },
  {
    entry: listSources(exports.filter((entry) => !forTests.includes(entry))),
    esbuildPlugins: [packagesBeside('js'), ...common.esbuildPlugins],
  },
  {
    entry: listSources(exports),
    // The declarations for ES modules export these.
    dts: true,
    format: 'cjs',
    esbuildPlugins: [packagesBeside('cjs'), sandboxBeside, doctorBeside],
  },
  {
    entry: filesBeside(onNode, ofCommand),
    ...minifiedByEsbuild,
    splitting: false,
    esbuildPlugins: [validatorWithoutCode, ...common.esbuildPlugins],
  },
  {
    ...inWorkers,
    ...minifiedByEsbuild,
    entry: filesBeside(everywhere, besides.inWorkers),
    splitting: false,
  },
  {
    entry: filesBeside(everywhere, onNode, besides.once, besides.inCommonJs),
    ...minifiedByEsbuild,
    format: 'cjs',
    esbuildPlugins: [noTypesByName, page],
  },
  {
    ...inWorkers,
    entry: listSources(
      forWorkers.filter((entry) => !forTests.includes(entry)),
      '.worker',
    ),
    splitting: false,
  },
  {
    ...inWorkers,
    entry: listSources(forTests, '.worker'),
    esbuildPlugins: [packagesBeside('js')],
  },
];

const onSuccess = writeNoticesAfter(builds.length);

export default defineConfig(
  builds.map((build) => ({
    ...common,
    ...build,
    esbuildPlugins: [...(build.esbuildPlugins ?? common.esbuildPlugins), noteBundled],
    onSuccess,
  })),
);
