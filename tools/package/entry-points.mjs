// Reads the entry points of the package from package.json: its `exports` and its `bin`. The build, the check
// of unused code and the package's tests read them here, so that a new entry point is only added to
// package.json.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} EntryPoint
 * @property {string} name the name in dist/
 * @property {string} specifier the import specifier, such as `payment-platform/webhooks`, or a command's name
 * @property {string} source the path of its source
 * @property {readonly string[]} files the files of dist/ that package.json names, except types
 */

const root = new URL('../../', import.meta.url);
const isTypes = (file) => /\.d\.[cm]?ts$/.test(file);

/** Lists the files of dist/ that an entry of package.json leads to, under any conditions. */
function builtFiles(target) {
  if (typeof target === 'string') return target.startsWith('./dist/') ? [target.slice('./'.length)] : [];
  return Object.values(target ?? {}).flatMap(builtFiles);
}

/** Returns the entry's name: `dist/x.js`, `dist/x.cjs` and `dist/x.worker.js` are all built from x. */
const toEntryName = (file) => file.replace(/^dist\//, '').replace(/(\.worker)?\.[cm]?js$/, '');

/** Lists the possible source paths of an entry point or a command. The tests also use them. */
const listSourcePaths = (name) => [
  ...(name === 'index' ? [] : [`src/${name}/index.ts`]),
  `src/${name}.ts`,
  ...(name === 'sandbox' ? ['sandbox/index.ts'] : [`sandbox/${name}/index.ts`]),
];

/** Describes the module that `import 'payment-platform/x'` loads. */
function exported(manifest, sources, [subpath, target]) {
  const files = builtFiles(target).filter((file) => !isTypes(file));
  const name = subpath === '.' ? 'index' : subpath.slice('./'.length);
  const source = listSourcePaths(name).find((path) => sources.includes(path));
  const where = `package.json exports "${subpath}"`;
  if (source === undefined)
    throw new Error(`${where}, and none of ${listSourcePaths(name).join(', ')} exists to build it from.`);
  if (files.length === 0) throw new Error(`${where} without a file of dist/.`);
  const other = files.find((file) => toEntryName(file) !== name);
  if (other !== undefined) throw new Error(`${where} as ${other}; it is built as dist/${name}.`);
  return { name, specifier: `${manifest.name}${subpath.slice(1)}`, source, files: [...new Set(files)] };
}

/** Describes a command. */
function command(sources, [specifier, file]) {
  const name = toEntryName(file);
  const source = listSourcePaths(name).find((path) => sources.includes(path));
  if (source === undefined)
    throw new Error(
      `package.json has ${file} under "bin", and none of ${listSourcePaths(name).join(', ')} exists to build it from.`,
    );
  return { name, specifier, source, files: [file] };
}

/**
 * Reads the entry points of a package.json.
 *
 * @param sources the paths of all sources, from the root
 * @returns {{ readonly exports: readonly EntryPoint[], readonly commands: readonly EntryPoint[] }}
 */
export function readEntryPoints(manifest, sources) {
  const { exports = {}, bin = {} } = manifest;
  const commands = typeof bin === 'string' ? { [manifest.name]: bin } : bin;
  return {
    exports: Object.entries(exports)
      .filter(([subpath]) => subpath !== './package.json')
      .map((entry) => exported(manifest, sources, entry)),
    commands: Object.entries(commands).map(([specifier, file]) =>
      command(sources, [specifier, file.replace(/^\.\//, '')]),
    ),
  };
}

export const entryPoints = readEntryPoints(
  JSON.parse(readFileSync(new URL('package.json', root), 'utf8')),
  ['src', 'sandbox'].flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  ),
);
