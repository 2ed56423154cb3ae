// Checks Cloudflare's workerd, started by miniflare as on a developer's machine. The bundles come from
// wrangler, and from plain esbuild, which does not know Workers.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run, serve } from './processes.mjs';
import { journeys, programs, sandboxJourney } from './programs.mjs';
import { node, support } from './runtimes.mjs';
import { root } from './workspace.mjs';

/**
 * The last wrangler with the published API of miniflare 4, which includes workerd. Later versions build on a
 * preview of miniflare 5. Both require a newer Node than the package's minimum.
 */
const versions = { wrangler: '4.116.0', miniflare: '4.20260730.0', esbuild: '0.28.1' };
const compatibilityDate = '2026-07-30';
const node24 = node('24');

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
const d1Databases = ['DB'];
const durableObjects = { DELIVERIES: { className: 'DedupeObject', useSQLite: true } };
const miniflare = new Miniflare({ modules, compatibilityDate, compatibilityFlags, d1Databases, durableObjects });
process.once('SIGTERM', () => miniflare.dispose());
console.log('listening at ' + (await miniflare.ready));
`;

const worker = `import { DedupeObject } from 'payment-platform/webhooks';
import { deliverAtOnce } from './deduped.js';
import { receiver } from './receiver.js';
import { respond } from './respond.js';
import { expectedFacts, sandboxJourney } from './sandbox-journey.js';
export { DedupeObject };
const routes = {
  '/webhooks': (request, context) => receiver.fetch(request, context),
  '/facts': async (_request, _context, env) => Response.json({
    facts: { ...await sandboxJourney(), 'fifty deliveries are handled once': await deliverAtOnce(env) },
    expected: { ...expectedFacts, 'fifty deliveries are handled once': [1, 1] },
  }),
};
export default {
  fetch: (request, env, context) => (routes[new URL(request.url).pathname] ?? respond)(request, context, env),
};
`;

/** Delivers an event fifty times at once over each store, and returns how often it was handled. */
const deduped = `import { createReceiver, d1Dedupe, durableObjectDedupe, sqliteDedupeSql } from 'payment-platform/webhooks';
import { signedNotification } from 'payment-platform/testing';
const secret = 'a-secret-of-16-to-256-characters';
async function countHandled(dedupe) {
  let handled = 0;
  const onError = (error) => { throw error; };
  const receiver = createReceiver({ secret, dedupe, onError, on: { 'transaction.paid': () => { handled += 1; } } });
  const signed = signedNotification('transaction.paid', { secret });
  await Promise.all(Array.from({ length: 50 }, () => receiver.fetch(signed.toRequest())));
  return handled;
}
export async function deliverAtOnce({ DB, DELIVERIES }) {
  await DB.exec(sqliteDedupeSql());
  return [await countHandled(d1Dedupe(DB)), await countHandled(durableObjectDedupe(DELIVERIES))];
}
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

/** Checks a sandbox and the stores of Cloudflare, which run in the Worker itself. */
async function checkFacts(url, printed) {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The Worker failed: ${text}\n${printed()}`);
  const { facts, expected } = JSON.parse(text);
  for (const [story, fact] of Object.entries(expected)) {
    if (!isDeepStrictEqual(facts[story], fact))
      throw new Error(`In the Worker, ${story}: ${JSON.stringify(facts[story])}`);
  }
}

async function installTools(workspace) {
  const project = await workspace.project({ ...versions, ...node24.packages });
  return { project, binary: node24.command(project)[0] };
}

async function runWorker(workspace, bundler, flags) {
  const { project, binary } = await installTools(workspace);
  const settings = { name: 'worker', main: 'worker.js', compatibility_date: compatibilityDate };
  const cwd = workspace.write(join(project, bundler + flags.length), {
    'package.json': '{"type":"module"}',
    'journey.js': journeys.esm,
    'respond.js': programs.respond,
    'sandbox-journey.js': sandboxJourney,
    'deduped.js': deduped,
    'receiver.js': programs.receiver,
    'worker.js': worker,
    'wrangler.json': JSON.stringify({ ...settings, compatibility_flags: flags }),
  });
  await run(binary, bundlers[bundler](project, cwd), { cwd });
  workspace.write(project, { 'host.mjs': host });
  const started = await serve(binary, ['host.mjs', join(cwd, 'out'), ...flags], {
    cwd: project,
    address: /listening at (\S+)/,
  });
  try {
    await checkFacts(new URL('/facts', started.url), started.printed);
    const receivers = [new URL('/webhooks', started.url).href];
    return await workspace.request(started, started.url, receivers, {
      files: false,
      hasNodeCrypto: false,
    });
  } finally {
    await started.stop();
  }
}

/** Runs the tests of this package that need miniflare, over a real D1 database and real Durable Objects. */
async function runStoreChecks(workspace) {
  const { project, binary } = await installTools(workspace);
  const tests = ['d1', 'durable-objects'].map((name) => `test/stores/dedupe/${name}.test.ts`);
  const printed = await run(binary, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
    cwd: root,
    env: { MINIFLARE_PATH: join(project, 'node_modules/miniflare/dist/src/index.js') },
  });
  // A test that was skipped or renamed does not fail the run.
  if (!/Test Files +2 passed \(2\)/.test(printed)) throw new Error(printed);
}

export const workers = (workspace) => [
  ...Object.keys(bundlers).flatMap((bundler) =>
    [['nodejs_compat'], []].map((flags) => ({
      environment: 'workerd',
      version: support.others.workerd[0],
      use: `bundled by ${bundler}, ${flags.length > 0 ? 'with' : 'without'} \`nodejs_compat\``,
      // Each bundler once, and once with and without Node's modules.
      quick: (bundler === 'wrangler') === (flags.length === 0),
      unavailable: node24.unavailable,
      run: () => runWorker(workspace, bundler, flags),
    })),
  ),
  {
    environment: 'workerd',
    version: support.others.workerd[0],
    use: '`d1Dedupe` over D1, and `durableObjectDedupe` over Durable Objects',
    quick: true,
    unavailable: node24.unavailable,
    run: () => runStoreChecks(workspace),
  },
];
