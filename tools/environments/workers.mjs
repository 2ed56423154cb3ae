// Cloudflare's workerd, started by miniflare as on a developer's machine: bundled by plain esbuild, which
// knows nothing of workers, and by wrangler.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run, serve } from './processes.mjs';
import { journeys, programs, sandboxJourney } from './programs.mjs';
import { nodeIn, nodePackage, noNode, support } from './runtimes.mjs';

/**
 * The last wrangler with the published API of miniflare 4, which brings workerd along; later ones build on a
 * preview of miniflare 5. Both need a newer Node than the oldest that the package supports.
 */
const versions = { wrangler: '4.116.0', miniflare: '4.20260730.0', esbuild: '0.28.1' };
const compatibilityDate = '2026-07-30';

const host = `import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Miniflare } from 'miniflare';
const [folder, ...compatibilityFlags] = process.argv.slice(2);
const modules = readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .sort((one) => (one === 'worker.js' ? -1 : 1))
  .map((path) => ({ type: 'ESModule', path, contents: readFileSync(join(folder, path), 'utf8') }));
const compatibilityDate = '${compatibilityDate}';
const miniflare = new Miniflare({ modules, compatibilityDate, compatibilityFlags });
process.once('SIGTERM', () => miniflare.dispose());
console.log('listening at ' + (await miniflare.ready));
`;

const worker = `import { receiver } from './receiver.js';
import { respond } from './respond.js';
import { expectedFacts, sandboxJourney } from './sandbox-journey.js';
const routes = {
  '/webhooks': (request, context) => receiver.fetch(request, context),
  '/sandbox': async () => Response.json({ facts: await sandboxJourney(), expected: expectedFacts }),
};
export default {
  fetch: (request, env, context) => (routes[new URL(request.url).pathname] ?? respond)(request, context),
};
`;

const bundlers = {
  esbuild: (project, cwd) => [
    join(project, 'node_modules/esbuild/bin/esbuild'),
    ...[
      'worker.js',
      '--bundle',
      '--format=esm',
      '--external:node:*',
      `--outfile=${join(cwd, 'out/worker.js')}`,
    ],
  ],
  wrangler: (project) => [
    join(project, 'node_modules/wrangler/bin/wrangler.js'),
    ...['deploy', '--dry-run', '--outdir', 'out'],
  ],
};

const guardOf = (flags) =>
  flags.length > 0
    ? 'the engine of Node was chosen, and an upload failed: "setBoundary is not a function"'
    : 'the worker did not start';

/** A sandbox in the worker itself. */
async function checkSandbox(url, printed) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The sandbox failed: ${text}\n${printed()}`);
  const { facts, expected } = JSON.parse(text);
  for (const [story, fact] of Object.entries(expected)) {
    if (!isDeepStrictEqual(facts[story], fact))
      throw new Error(`The sandbox, ${story}: ${JSON.stringify(facts[story])}`);
  }
}

async function runWorker(workspace, bundler, flags) {
  const project = await workspace.project('workers', { ...versions, ...nodePackage('24') });
  const node = nodeIn(project, '24');
  const settings = { name: 'worker', main: 'worker.js', compatibility_date: compatibilityDate };
  const cwd = workspace.write(join(project, bundler + flags.length), {
    'package.json': '{"type":"module"}',
    'journey.js': journeys.esm,
    'respond.js': programs.respond,
    'sandbox-journey.js': sandboxJourney,
    'receiver.js': programs.receiver,
    'worker.js': worker,
    'wrangler.json': JSON.stringify({ ...settings, compatibility_flags: flags }),
  });
  await run(node, bundlers[bundler](project, cwd), { cwd });
  workspace.write(project, { 'host.mjs': host });
  const started = await serve(node, ['host.mjs', join(cwd, 'out'), ...flags], {
    cwd: project,
    address: /listening at (\S+)/,
  });
  try {
    await checkSandbox(new URL('/sandbox', started.url), started.printed);
    const receivers = [new URL('/webhooks', started.url).href];
    return await workspace.request(started, started.url, receivers, {
      files: false,
      hasNodeCrypto: false,
    });
  } finally {
    await started.stop();
  }
}

export const workers = (workspace) =>
  Object.keys(bundlers).flatMap((bundler) =>
    [['nodejs_compat'], []].map((flags) => ({
      environment: 'workerd',
      version: support.others.workerd[0],
      use: `bundled by ${bundler}, ${flags.length > 0 ? 'with' : 'without'} \`nodejs_compat\``,
      guards: guardOf(flags),
      quick: true,
      unavailable: noNode('24'),
      run: () => runWorker(workspace, bundler, flags),
    })),
  );
