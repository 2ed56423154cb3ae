// Runtimes from npm: packages that contain one binary for one kind of machine, and need no install script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { platform, arch } = process;
const isCovered = ['linux', 'darwin'].includes(platform) && ['x64', 'arm64'].includes(arch);

/** Why these packages cannot run on this machine. */
const noRuntimes = isCovered ? undefined : `no package has its binary for ${platform}-${arch}`;

/** The supported versions. The table in docs/upgrades.md and `engines` are also derived from them. */
export const support = JSON.parse(readFileSync(new URL('../support.json', import.meta.url), 'utf8'));

const [oldestLine, ...laterLines] = support.node;

/** The Node that runs this script, the package's minimum, and the lines in between. */
const versionsOfNode = {
  oldest: `${oldestLine.line}.0.0`,
  own: process.versions.node,
  ...Object.fromEntries(laterLines.map(({ line, tried }) => [line, tried])),
};

export const nodes = ['oldest', 'own', ...laterLines.map(({ line }) => String(line))];

/**
 * A runtime: its version, the packages of a project with it, why it cannot run on this machine, and the
 * beginning of its command in a project that has installed it.
 */
export const node = (name) => {
  const version = versionsOfNode[name];
  if (name === 'own') return { version, packages: {}, command: () => [process.execPath] };
  return {
    version,
    packages: { node: `npm:node-${platform}-${arch}@${version}` },
    unavailable: noRuntimes,
    command: (project) => [join(project, 'node_modules/node/bin/node')],
  };
};

const [bunVersion] = support.others.Bun;

export const bun = {
  version: bunVersion,
  packages: { bun: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${bunVersion}` },
  unavailable: noRuntimes,
  command: (project) => [join(project, 'node_modules/bun/bin/bun')],
};

const [denoVersion] = support.others.Deno;

/** Deno runs the package that npm has installed. */
export const deno = {
  version: denoVersion,
  packages: { deno: denoVersion },
  command: (project) => [
    process.execPath,
    join(project, 'node_modules/deno/bin.cjs'),
    ...['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
  ],
  env: (project) => ({ DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(project, '.deno') }),
};
