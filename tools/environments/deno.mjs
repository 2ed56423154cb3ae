// Checks Deno, with the package that npm has installed.
import { join } from 'node:path';
import { journeys, programs } from './programs.mjs';
import { support } from './runtimes.mjs';

const [version] = support.others.Deno;

const ways = [
  {
    use: 'ESM',
    name: 'main.mjs',
    files: { 'journey.js': journeys.esm, 'main.mjs': programs.deno.esm },
    type: 'module',
  },
  {
    use: 'CommonJS',
    name: 'main.cjs',
    files: { 'journey.js': journeys.commonjs, 'main.cjs': programs.deno.commonjs },
    type: 'commonjs',
  },
  {
    use: 'TypeScript with type checks (`deno run --check`)',
    name: 'main.ts',
    files: {
      'journey.ts': journeys.typescript,
      'main.ts': programs.deno.typescript,
    },
    type: 'module',
    args: ['--check'],
  },
];

export const deno = (workspace) =>
  ways.map(({ use, name, files, type, args = [] }) => ({
    environment: 'Deno',
    version,
    use,
    quick: use === 'ESM',
    run: async () => {
      const project = await workspace.project('deno', { deno: version });
      const cwd = workspace.write(join(project, type + args.length), {
        'package.json': JSON.stringify({ type }),
        ...files,
      });
      const binary = join(project, 'node_modules/deno/bin.cjs');
      const env = { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(project, '.deno') };
      const options = [binary, 'run', '--quiet', '--allow-all', '--node-modules-dir=manual', ...args, name];
      return workspace.command(process.execPath, options, { cwd, env });
    },
  }));
