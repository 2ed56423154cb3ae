import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { type EntryPoint, entryPoints } from './test/package/entry-points.mjs';

const { exports, commands, imports } = entryPoints;
const sourcesOf = (entries: readonly EntryPoint[]) =>
  Object.fromEntries(entries.map(({ name, source }) => [name, source]));

/** The licences of what is bundled, which ask for their text to come along. */
function licences(code: string): string {
  const folders = [...new Set(code.match(/(?<=^\s*\/\/ )node_modules\/(@[\w-]+\/)?[\w-]+/gm))].sort();
  const fileIn = (folder: string) => readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return folders.map((folder) => `${folder}\n\n${readFileSync(`${folder}/${fileIn(folder)}`)}`).join('\n\n');
}

/**
 * What CommonJS that is bundled requires of Node, an ESM bundle imports: it has no `require`.
 * (The parser of forms is CommonJS only.)
 */
const requiredBuiltins: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'required-builtins',
  setup({ initialOptions, onResolve, onLoad }) {
    if (initialOptions.format !== 'esm') return;
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'required-builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `export * from '${path}'; export { default } from '${path}';`,
    }));
  },
};

export default defineConfig({
  entry: sourcesOf([...exports, ...commands, ...imports]),
  dts: { entry: sourcesOf(exports) },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  clean: true,
  external: imports.map(({ specifier }) => specifier),
  esbuildPlugins: [requiredBuiltins],
  // One build of each package, whoever asks for it: some have two that know nothing of each other.
  esbuildOptions: (options) => {
    options.mainFields = ['module', 'main'];
  },
  onSuccess: async () => {
    const files = [...exports, ...commands].flatMap((entry) => entry.files);
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(code));
  },
});
