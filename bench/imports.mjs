/** How long Node takes to start, import one package, and end. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ours = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/** Both packages by the file they resolve to, so that neither pays for the lookup. */
const esm = (url) => ['--input-type=module', '-e', url === undefined ? '' : `import ${JSON.stringify(url)}`];
const cjs = (path) => ['-e', path === undefined ? '' : `require(${JSON.stringify(path)})`];

/** @type {Record<'esm' | 'cjs', Record<'bare' | 'ours' | 'stripe', string[]>>} */
export const programs = {
  esm: {
    bare: esm(),
    ours: esm(new URL('../dist/index.js', import.meta.url).href),
    stripe: esm(import.meta.resolve('stripe')),
  },
  cjs: { bare: cjs(), ours: cjs(ours('index.cjs')), stripe: cjs(require.resolve('stripe')) },
};

/** Milliseconds of one start. */
export function start(program) {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, program, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program.join(' ')} ended with ${status}`);
  return performance.now() - began;
}
