import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { entryPoints, readEntryPoints } from '../../tools/package/entry-points.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pair = (name: string) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});
const readEntries = (parts: object, sources: readonly string[] = ['src/index.ts', 'src/webhooks/index.ts']) =>
  readEntryPoints({ name: 'a-package', ...parts }, sources);

describe('the description of an entry point', () => {
  test('has the source, name and files that package.json implies', () => {
    const { exports } = readEntries({
      exports: { '.': pair('index'), './webhooks': pair('webhooks'), './package.json': './package.json' },
    });
    expect(exports).toEqual([
      {
        name: 'index',
        specifier: 'a-package',
        source: 'src/index.ts',
        files: ['dist/index.js', 'dist/index.cjs'],
      },
      {
        name: 'webhooks',
        specifier: 'a-package/webhooks',
        source: 'src/webhooks/index.ts',
        files: ['dist/webhooks.js', 'dist/webhooks.cjs'],
      },
    ]);
  });

  test('includes the build for Workers in its files', () => {
    const worker = { types: './dist/index.d.ts', default: './dist/index.worker.js' };
    const [entry] = readEntries({ exports: { '.': { workerd: worker, ...pair('index') } } }).exports;
    expect(entry?.files).toEqual(['dist/index.worker.js', 'dist/index.js', 'dist/index.cjs']);
  });

  test('cannot be read if the source file is missing, and the error names that file', () => {
    expect(() => readEntries({ exports: { './nowhere': pair('nowhere') } })).toThrow(
      'package.json exports "./nowhere", and none of src/nowhere/index.ts, src/nowhere.ts, sandbox/nowhere/index.ts exists to build it from.',
    );
  });

  test('cannot be read if the built file is missing or has an unexpected name', () => {
    expect(() => readEntries({ exports: { './webhooks': pair('hooks') } })).toThrow(
      'package.json exports "./webhooks" as dist/hooks.js; it is built as dist/webhooks.',
    );
    expect(() => readEntries({ exports: { './webhooks': './src/webhooks/index.ts' } })).toThrow(
      'package.json exports "./webhooks" without a file of dist/.',
    );
  });
});

describe('the description of a CLI command', () => {
  test('names the source of its built file', () => {
    expect(readEntries({ bin: { tool: 'dist/cli.js' } }, ['src/cli.ts'])).toEqual({
      exports: [],
      commands: [{ name: 'cli', specifier: 'tool', source: 'src/cli.ts', files: ['dist/cli.js'] }],
    });
    const [alone] = readEntries({ bin: './dist/cli.js' }, ['sandbox/cli/index.ts']).commands;
    expect(alone).toEqual({
      name: 'cli',
      specifier: 'a-package',
      source: 'sandbox/cli/index.ts',
      files: ['dist/cli.js'],
    });
  });

  test('cannot be read if the command has no source file', () => {
    expect(() => readEntries({ bin: './dist/none.js' }, ['src/cli.ts'])).toThrow(
      'package.json has dist/none.js under "bin", and none of src/none/index.ts, src/none.ts, sandbox/none/index.ts exists to build it from.',
    );
  });
});

describe('package.json', () => {
  test('names the files of each entry point for tools that ignore "exports"', () => {
    const beside = entryPoints.exports.filter(({ name }) => name !== 'index').map(({ name }) => name);
    expect(manifest.typesVersions).toEqual({
      '*': Object.fromEntries(beside.map((name) => [name, [`./dist/${name}.d.cts`]])),
    });
    const { import: esm, require: commonjs } = manifest.exports['.'];
    const { main, module, types } = manifest;
    expect({ main, module, types }).toEqual({
      main: commonjs.default,
      module: esm.default,
      // The other entry points use the same kind of declarations, because two copies of a type with a private
      // marker are incompatible.
      types: commonjs.types,
    });
  });

  test('is the only configuration file that names a source or built file of an entry point', () => {
    const files = [
      'tsup.config.ts',
      'tools/build/packages-beside.ts',
      'tools/build/plugins.ts',
      'tools/knip.config.ts',
      'tools/package/check.mjs',
      'test/package/exports.test.ts',
    ];
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8');
      const named = [...entryPoints.exports, ...entryPoints.commands].filter(({ source, files: built }) =>
        [source, ...built].some((path) => text.includes(path)),
      );
      expect(named, file).toEqual([]);
    }
  });
});
