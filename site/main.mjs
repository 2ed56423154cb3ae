/**
 * Builds the documentation site into site/dist: `npm run docs`. `npm run docs -- --open` also serves it, and
 * `npm run docs -- --check` also runs its tests. Builds the package first if necessary, because samples run in the
 * pages and show its types.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    open: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
  },
});

function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(`${root}dist/sandbox.worker.js`)) run('npm', 'run', '--silent', 'build');
run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', 'site');
// The build creates millions of short-lived objects, which a larger space for new objects collects together.
run('node', '--max-semi-space-size=128', 'site/node_modules/vitepress/bin/vitepress.js', 'build', 'site');
if (values.check) run('npx', 'vitest', 'run', '--root', 'site');
if (values.open) run('npx', '--prefix', 'site', 'vitepress', 'serve', 'site', '--port', values.port);
