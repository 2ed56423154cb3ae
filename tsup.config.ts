import { defineConfig, type Options } from 'tsup';
import { noteBundled, page, writeNoticesAfter } from './tools/build/bundled-files.js';
import { besides, filesBeside, packagesBeside } from './tools/build/packages-beside.js';
import {
  doctorBeside,
  importedBuiltins,
  noTypesByName,
  publicEntries,
  requiredBuiltins,
  sandboxBeside,
} from './tools/build/plugins.js';
import { type EntryPoint, entryPoints } from './tools/package/entry-points.mjs';

const { exports, commands } = entryPoints;
const sourcesOf = (entries: readonly EntryPoint[], suffix = '') =>
  Object.fromEntries(entries.map(({ name, source }) => [name + suffix, source]));

const common = {
  target: 'node20',
  platform: 'node',
  format: 'esm',
  removeNodeProtocol: false,
  // Everything is bundled: a merchant installs one package, and no other version of a dependency than the tested one.
  noExternal: [/.*/],
  esbuildPlugins: [requiredBuiltins, importedBuiltins, noTypesByName, page],
  esbuildOptions(options, { format }) {
    // One build of each package, whoever asks for it: some have two that know nothing of each other.
    options.mainFields = ['module', 'main'];
    options.pure = ['Object.freeze'];
    // The variants for runtimes are in the imports of package.json.
    if (options.platform === 'neutral') options.conditions = ['workerd', 'import'];
    // Constants take their places here: a Worker's own bundler finds variables of a module, which it leaves alone.
    if (options.platform === 'neutral') options.minifySyntax = true;
    // Jest runs no import() in CommonJS.
    if (format === 'cjs') options.supported = { ...options.supported, 'dynamic-import': false };
  },
} satisfies Options;

const { everywhere, onNode, ofCommand } = besides;

/** What tests use is built by itself: what it shared with the others would be more files for them to load. */
const forTests = exports.filter(({ name }) => name === 'sandbox' || name === 'testing');
const forWorkers = exports.filter(({ files }) => files.some((file) => file.endsWith('.worker.js')));
const inWorkers = { platform: 'neutral', esbuildPlugins: [] } satisfies Options;
const dts = { entry: sourcesOf(exports) };

const builds: Options[] = [
  { entry: sourcesOf(forTests), esbuildPlugins: [packagesBeside('js'), ...common.esbuildPlugins] },
  {
    entry: sourcesOf(commands),
    esbuildPlugins: [publicEntries, packagesBeside('js'), ...common.esbuildPlugins],
  },
  {
    entry: sourcesOf(exports.filter((entry) => !forTests.includes(entry))),
    dts,
    esbuildPlugins: [packagesBeside('js'), ...common.esbuildPlugins],
  },
  {
    entry: sourcesOf(exports),
    dts,
    format: 'cjs',
    esbuildPlugins: [packagesBeside('cjs'), sandboxBeside, doctorBeside],
  },
  { entry: filesBeside(onNode, ofCommand), splitting: false, minify: true },
  { ...inWorkers, entry: filesBeside(everywhere, besides.inWorkers), splitting: false, minify: true },
  {
    entry: filesBeside(everywhere, onNode, besides.inCommonJs),
    format: 'cjs',
    minify: true,
    esbuildPlugins: [noTypesByName, page],
  },
  {
    ...inWorkers,
    entry: sourcesOf(
      forWorkers.filter((entry) => !forTests.includes(entry)),
      '.worker',
    ),
    splitting: false,
  },
  { ...inWorkers, entry: sourcesOf(forTests, '.worker'), esbuildPlugins: [packagesBeside('js')] },
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
