// Checks Cloudflare's workerd, started by miniflare as on a developer's machine. The bundles come from
// wrangler, and from plain esbuild, which does not know Workers.
import { readFileSync } from 'node:fs';
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
  '/dedupe': async (request, _context, env) => Response.json(await deliverAtOnce(env, new URL(request.url).search)),
  '/sandbox': async () => Response.json({ facts: await sandboxJourney(), expected: expectedFacts }),
};
export default {
  fetch: (request, env, context) => (routes[new URL(request.url).pathname] ?? respond)(request, context, env),
};
`;

/** The statements of the D1 sample in docs/exactly-once.md. */
const batchOfDocs = ['ship', 'pay'].map((name) => {
  const page = readFileSync(new URL('../../docs/exactly-once.md', import.meta.url), 'utf8');
  const sql = new RegExp(`^const ${name} = \`(.+)\`;$`, 'm').exec(page)?.[1];
  if (sql === undefined) throw new Error(`docs/exactly-once.md has no D1 statement "${name}".`);
  return sql;
});

/**
 * Delivers 50 events many times at once, in each round: 1,000 deliveries each to the stores of D1 and of
 * Durable Objects, and 500 to the D1 batch of docs/exactly-once.md, without a store. Returns how often each
 * event was handled, and each order was shipped.
 */
const deduped = `import { createReceiver, d1Dedupe, durableObjectDedupe, sqliteDedupeSql } from 'payment-platform/webhooks';
const secret = 'a-secret-of-16-to-256-characters';
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
async function signed(body) {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const bytes = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(timestamp + '.' + body));
  const signature = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { body, headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature } };
}
async function deliver(count, dedupe, handler, round = '') {
  const onError = (error) => { throw error; };
  const receivers = [1, 2].map(() => createReceiver({ secret, dedupe, onError, on: { 'transaction.paid': handler } }));
  const send = async (_, index) => {
    const body = JSON.stringify({ event: 'transaction.paid', id: 'p-' + (index % 50) + round });
    await receivers[index % 2].receive(await signed(body));
  };
  for (let sent = 0; sent < count; sent += 250) await Promise.all(Array.from({ length: 250 }, send));
}
async function countHandled(dedupe, round) {
  const handled = {};
  await deliver(1_000, dedupe, (event) => { handled[event.id] = (handled[event.id] ?? 0) + 1; }, round);
  return Object.values(handled).join('');
}
async function countShipped(DB) {
  await DB.exec('DROP TABLE IF EXISTS orders;\\nDROP TABLE IF EXISTS shipments;');
  await DB.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, paid_at TEXT);\\nCREATE TABLE shipments (order_id TEXT);');
  await DB.batch(Array.from({ length: 50 }, (_, n) => DB.prepare('INSERT INTO orders (id) VALUES (?)').bind('p-' + n)));
  const statements = ${JSON.stringify(batchOfDocs)};
  await deliver(500, false, (event) => DB.batch(statements.map((sql) => DB.prepare(sql).bind(event.id))));
  const { results } = await DB.prepare('SELECT count(*) AS n FROM shipments GROUP BY order_id').all();
  return results.map(({ n }) => n).join('');
}
export async function deliverAtOnce({ DB, DELIVERIES }, round) {
  await DB.exec(sqliteDedupeSql());
  return [await countHandled(d1Dedupe(DB), round), await countHandled(durableObjectDedupe(DELIVERIES), round), await countShipped(DB)];
}
`;

/** Checks that each event was handled once, in three rounds of 50 events. The stores have their own row. */
async function checkDedupe(url, printed) {
  const once = '1'.repeat(50);
  for (let round = 1; round <= 3; round++) {
    // A kept connection can be closed by the server just when the next round is sent.
    const init = { headers: { connection: 'close' }, signal: AbortSignal.timeout(60_000) };
    const response = await fetch(`${url}?${round}`, init);
    const text = await response.text();
    if (response.status !== 200 || !isDeepStrictEqual(JSON.parse(text), [once, once, once]))
      throw new Error(`Events were handled this often in round ${round}: ${text}\n${printed()}`);
  }
}

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

const describeGuard = (flags) =>
  flags.length > 0
    ? 'the engine of Node was chosen, and an upload failed: "setBoundary is not a function"'
    : 'the worker did not start';

/** Checks a sandbox that runs in the Worker itself. */
async function checkSandbox(url, printed) {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The sandbox failed: ${text}\n${printed()}`);
  const { facts, expected } = JSON.parse(text);
  for (const [story, fact] of Object.entries(expected)) {
    if (!isDeepStrictEqual(facts[story], fact))
      throw new Error(`The sandbox, ${story}: ${JSON.stringify(facts[story])}`);
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
    await checkSandbox(new URL('/sandbox', started.url), started.printed);
    await checkDedupe(new URL('/dedupe', started.url), started.printed);
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
      guards: describeGuard(flags),
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
