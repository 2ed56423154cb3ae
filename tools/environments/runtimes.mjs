// Runtimes from npm: packages that contain one binary for one kind of machine, and need no install script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { platform, arch } = process;
const isCovered = ['linux', 'darwin'].includes(platform) && ['x64', 'arm64'].includes(arch);

/** Why these packages cannot run on this machine. */
export const noRuntimes = isCovered ? undefined : `no package has its binary for ${platform}-${arch}`;

/** The supported versions. The table in docs/upgrades.md and `engines` are also derived from them. */
export const support = JSON.parse(readFileSync(new URL('../support.json', import.meta.url), 'utf8'));

const [oldestLine, ...laterLines] = support.node;

/** The Node that runs this script, the package's minimum, and the lines in between. */
const versionsOfNode = {
  own: process.versions.node,
  oldest: `${oldestLine.line}.0.0`,
  ...Object.fromEntries(laterLines.map(({ line, tried }) => [line, tried])),
};

export const nodes = ['oldest', 'own', ...laterLines.map(({ line }) => String(line))];

export const versionOfNode = (name) => versionsOfNode[name];

export const noNode = (name) => (name === 'own' ? undefined : noRuntimes);

/** Lists the packages of a project with this Node version. */
export const nodePackage = (name) =>
  name === 'own' ? {} : { node: `npm:node-${platform}-${arch}@${versionsOfNode[name]}` };

/** Returns the path of this Node version's binary in a project that has installed it. */
export const nodeIn = (project, name) =>
  name === 'own' ? process.execPath : join(project, 'node_modules/node/bin/node');

/** Lists the packages of a project with Bun. */
export const bunPackage = (version) => ({
  bun: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${version}`,
});

export const bunIn = (project) => join(project, 'node_modules/bun/bin/bun');
