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

/** The files that stand in the code and in the page: a minified file has no comment that names them. */
const bundled = new Set<string>();
const page = builtPage((file) => bundled.add(file));

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

const resolved = (name: string) => fileURLToPath(import.meta.resolve(name));

/**
 * What is built once for all entries, by itself and minified: the packages that only some calls need, and the large
 * ones of the sandbox and the command. Who imports one of them imports a file beside it, in its own format.
 */
const besides = {
  everywhere: { asn1: 'src/sandbox/wallet/asn1.ts', hono: resolved('hono') },
  onNode: {
    ky: 'src/transport/send/ky.ts',
    'form-data': resolved('form-data'),
    'page-files': 'src/sandbox/page/page-files.ts',
    'hono-node-server': resolved('@hono/node-server'),
    'fastify-busboy': resolved('@fastify/busboy'),
  },
  /** The command is an ES module. */
  ofCommand: { commander: resolved('commander') },
  inWorkers: { noble: 'src/sandbox/runtime/noble.ts' },
};
const { everywhere, onNode, ofCommand } = besides;
const namesBeside = Object.values(besides).flatMap(Object.keys);
const filesBeside = (...tables: Readonly<Record<string, string>>[]) =>
  Object.fromEntries(
    tables.flatMap(Object.entries).map(([name, source]) => [`package-${name}`, source as string]),
  );

const packagesBeside = (extension: 'js' | 'cjs'): Plugin => ({
  name: 'packages-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^@?[a-z]|\/(asn1|ky|noble|page-files)\.js$/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const name = path.replace(/^\..*\/|\.js$|^@/g, '').replaceAll('/', '-');
      return namesBeside.includes(name)
        ? { path: `./package-${name}.${extension}`, external: true }
        : undefined;
    });
  },
});

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

/** What tests use is built by itself: what it shared with the others would be more files for them to load. */
const forTests = exports.filter(({ name }) => name === 'sandbox' || name === 'testing');
const forWorkers = exports.filter(({ files }) => files.some((file) => file.endsWith('.worker.js')));
const inWorkers = { platform: 'neutral', esbuildPlugins: [] } satisfies Options;
const dts = { entry: sourcesOf(exports) };

const builds: Options[] = [
  { entry: sourcesOf(forTests), esbuildPlugins: [packagesBeside('js'), ...common.esbuildPlugins] },
  {
    entry: sourcesOf(commands),
    splitting: false,
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
    esbuildPlugins: [packagesBeside('cjs'), sandboxBeside],
  },
  { entry: filesBeside(onNode, ofCommand), splitting: false, minify: true },
  { ...inWorkers, entry: filesBeside(everywhere, besides.inWorkers), splitting: false, minify: true },
  {
    entry: filesBeside(everywhere, onNode),
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

const noteBundled: Plugin = {
  name: 'note-bundled',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {}))
        for (const [file, { bytesInOutput }] of Object.entries(inputs))
          if (bytesInOutput > 0) bundled.add(file);
    });
  },
};

/** What is said of all files is written after the last of the builds, which run at once. */
let running = builds.length;
const onSuccess = async () => {
  running--;
  if (running === 0) writeNotices([...bundled]);
};

export default defineConfig(
  builds.map((build) => ({
    ...common,
    ...build,
    esbuildPlugins: [...(build.esbuildPlugins ?? common.esbuildPlugins), noteBundled],
    onSuccess,
  })),
);
