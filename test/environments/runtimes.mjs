// Runtimes from npm: packages that hold one binary for one kind of machine, and need no install script.
import { join } from 'node:path';

const { platform, arch } = process;
const isCovered = ['linux', 'darwin'].includes(platform) && ['x64', 'arm64'].includes(arch);

/** Why these packages cannot be used on this machine. */
export const noRuntimes = isCovered ? undefined : `no package has its binary for ${platform}-${arch}`;

const nodeVersions = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };

export const otherNodes = Object.keys(nodeVersions);

export const versionOfNode = (major) => nodeVersions[major];

/** What a project with another version of Node installs. */
export const nodePackage = (major) => ({ node: `npm:node-${platform}-${arch}@${nodeVersions[major]}` });

export const nodeIn = (project) => join(project, 'node_modules/node/bin/node');

/** What a project with Bun installs. */
export const bunPackage = (version) => ({
  bun: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${version}`,
});

export const bunIn = (project) => join(project, 'node_modules/bun/bin/bun');
