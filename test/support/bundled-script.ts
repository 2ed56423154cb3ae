import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A script of a process as one file, which starts in a tenth of the time that the sources take. */
export async function bundledScript(script: URL, name: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/scripts/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
