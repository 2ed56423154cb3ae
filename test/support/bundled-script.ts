import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL(`../../node_modules/.cache/scripts/${process.pid}/`, import.meta.url));
const bundled = new Map<string, Promise<string>>();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Bundles a process's script, which then starts ten times as fast. Lazy imports stay lazy. */
export function bundledScript(script: URL): Promise<string> {
  const source = fileURLToPath(script).replace(/\.js$/, '.ts');
  const known = bundled.get(source);
  if (known) return known;
  const name = basename(source, '.ts');
  const made = build({
    entryPoints: [source],
    outdir: join(folder, name),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  }).then(() => join(folder, name, `${name}.mjs`));
  bundled.set(source, made);
  return made;
}
