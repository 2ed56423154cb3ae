// Checks single-file programs, as merchants deploy them to AWS Lambda. They are deployed without
// node_modules, so each runs in a folder that cannot reach one.
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { journeys, programs } from './programs.mjs';

const versions = { esbuild: '0.28.2', webpack: '5.112.2', rollup: '4.68.7', tsup: '8.5.1' };

/** The additional packages that each bundler needs. */
const companions = {
  webpack: { 'webpack-cli': '7.3.1' },
  rollup: {
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-json': '6.1.0',
    '@rollup/plugin-node-resolve': '16.0.3',
  },
  tsup: { typescript: '5.9.3' },
};

/**
 * A Lambda handler, and a replacement for Lambda's runtime. The replacement loads the bundled file and calls
 * the handler.
 */
const handler = `import { journey } from './journey.js';
export const handler = (event) => journey(event);
`;
const hosts = {
  cjs: "const { handler } = require('./bundle.cjs');\n",
  mjs: "import { handler } from './bundle.mjs';\n",
};
const host = (format) => hosts[format] + programs.lambda;

const esbuildLambda = (format, extension) => ({
  tool: 'esbuild',
  use: `Lambda (\`--platform=node --format=${format}\`)`,
  extension,
  bin: 'esbuild/bin/esbuild',
  args: [
    'handler.js',
    '--bundle',
    '--platform=node',
    '--target=node20',
    `--format=${format}`,
    `--outfile=out/bundle.${extension}`,
  ],
  quick: true,
});

const rollupConfig = `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'handler.js',
  plugins: [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
};
`;

const rollup = (format, extension) => ({
  tool: 'rollup',
  use: `the plugins node-resolve, commonjs and json, with \`${format}\` output`,
  extension,
  bin: 'rollup/dist/bin/rollup',
  files: { 'rollup.config.js': rollupConfig },
  args: [
    '--config',
    '--silent',
    '--format',
    format,
    '--inlineDynamicImports',
    '--file',
    `out/bundle.${extension}`,
  ],
});

const webpackConfig = `export default {
  mode: 'production',
  target: 'node20',
  entry: './handler.js',
  output: { path: process.cwd() + '/out', filename: 'bundle.cjs', library: { type: 'commonjs2' } },
};
`;

const tsupConfig = (format) => `export default {
  entry: { bundle: 'handler.js' },
  format: '${format}',
  platform: 'node',
  noExternal: [/.*/],
  splitting: false,
  outDir: 'out',
};
`;

const tsup = (format, extension) => ({
  tool: 'tsup',
  use: `all packages bundled (\`noExternal\`), with \`${format}\` output`,
  extension,
  bin: 'tsup/dist/cli-default.js',
  files: { 'tsup.config.js': tsupConfig(format) },
  args: [],
  rename: format === 'cjs' ? 'bundle.cjs' : 'bundle.js',
});

const bundles = [
  esbuildLambda('cjs', 'cjs'),
  {
    ...esbuildLambda('esm', 'mjs'),
    guards: 'the bundle did not load: Dynamic require of "util" is not supported',
  },
  {
    tool: 'webpack',
    use: "`target: 'node'`",
    extension: 'cjs',
    bin: 'webpack-cli/bin/cli.js',
    files: { 'webpack.config.mjs': webpackConfig },
    args: ['build', '--stats', 'errors-only'],
    quick: true,
  },
  rollup('cjs', 'cjs'),
  rollup('es', 'mjs'),
  tsup('cjs', 'cjs'),
  tsup('esm', 'mjs'),
];

async function runBundle(workspace, { tool, extension, bin, files = {}, args, rename }) {
  const project = await workspace.project(`bundler-${tool}`, { [tool]: versions[tool], ...companions[tool] });
  const name = `${tool}-${extension}`;
  const cwd = workspace.write(join(project, name), {
    'package.json': '{"type":"module"}',
    'journey.js': journeys.esm,
    'handler.js': handler,
    ...files,
  });
  const warnings = await run(process.execPath, [join(project, 'node_modules', bin), ...args], { cwd });
  const bare = workspace.bare(name);
  // Copies all files, because webpack writes dynamic imports to separate files.
  cpSync(join(cwd, 'out'), bare, { recursive: true });
  if (rename !== undefined) renameSync(join(bare, rename), join(bare, `bundle.${extension}`));
  workspace.write(bare, { [`main.${extension}`]: host(extension) });
  try {
    return await workspace.command(process.execPath, [`main.${extension}`], { cwd: bare });
  } catch (error) {
    error.message += `\nWhat ${tool} had printed:\n${warnings}`;
    throw error;
  }
}

export const bundlers = (workspace) =>
  bundles.map((bundle) => ({
    environment: bundle.tool,
    version: versions[bundle.tool],
    use: bundle.use,
    quick: bundle.quick,
    guards: bundle.guards,
    run: () => runBundle(workspace, bundle),
  }));
