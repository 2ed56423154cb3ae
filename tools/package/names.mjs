import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { valuesIn } from '../api/report.ts';

/**
 * Lists the exports of a built file. ES modules are parsed, not run, because Node lacks a Worker's globals.
 */
async function namesIn(file) {
  if (file.endsWith('.cjs')) return Object.keys(createRequire(import.meta.url)(file));
  const { metafile } = await build({
    entryPoints: [file],
    outdir: '.',
    format: 'esm',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)[0].exports;
}

/**
 * Checks that every file of every entry point, including Workers', exports the values in its report.
 *
 * @param read returns an entry point's report by its name
 * @throws Error naming missing and surplus exports
 */
export async function checkNames(folder, { exports }, read) {
  for (const { name, files } of exports) {
    const expected = valuesIn(read(name));
    for (const file of files) {
      const names = (await namesIn(join(folder, file))).sort();
      const missing = expected.filter((each) => !names.includes(each));
      const more = names.filter((each) => !expected.includes(each));
      if (missing.length + more.length > 0)
        throw new Error(
          `${file} does not export what api-reports/${name}.api.md says. Missing: ${missing.join(', ') || 'nothing'}. Too much: ${more.join(', ') || 'nothing'}.`,
        );
    }
  }
}
