// Checks Vitest, whose workers and module runner affect how a test loads packages.
import { join } from 'node:path';
import { journeys, programs } from './programs.mjs';
import { nodeIn, nodePackage, noNode } from './runtimes.mjs';

const versions = [
  { version: '3.2.4' },
  // Requires a newer Node than the package's minimum.
  { version: '5.1.1', node: '24' },
];

const test = `import { test } from 'vitest';\nimport { journey } from './journey.js';\n${programs.test}`;

export const vitest = (workspace) =>
  versions.map(({ version, node = 'own' }) => ({
    environment: 'Vitest',
    version,
    use: node === 'own' ? 'a test file' : `a test file, on Node ${node}`,
    unavailable: noNode(node),
    run: async () => {
      const packages = { vitest: version, ...nodePackage(node) };
      const project = await workspace.project(`vitest-${version}`, packages);
      const files = { 'journey.js': journeys.esm, 'main.test.js': test };
      const cwd = workspace.write(join(project, 'tests'), { 'package.json': '{"type":"module"}', ...files });
      return workspace.command(
        nodeIn(project, node),
        [join(project, 'node_modules/vitest/vitest.mjs'), 'run'],
        { cwd },
      );
    },
  }));
