// Checks Next.js: a real build of one route handler, and the server that it starts.
import { join } from 'node:path';
import { run, serve } from './processes.mjs';
import { journeys, programs } from './programs.mjs';

const version = '16.4.6';
const packages = { next: version, react: '19.2.0', 'react-dom': '19.2.0' };

const runtimes = [
  { runtime: 'nodejs', use: 'Node', options: {}, receivers: ['webhooks', 'api/webhooks'] },
  {
    runtime: 'edge',
    use: 'edge',
    options: { files: false, hasNodeCrypto: false },
    receivers: ['webhooks'],
  },
];

const bundlers = ['turbopack', 'webpack'];

async function runNext(workspace, { runtime, options, receivers }, bundler) {
  const project = await workspace.project(packages, `next-${bundler}-${runtime}`);
  workspace.write(project, {
    'journey.js': journeys.esm,
    'respond.js': programs.respond,
    'app/api/route.js': `import { respond } from '../../respond.js';
export const runtime = '${runtime}';
export const POST = (request) => respond(request);
`,
    'receiver.js': programs.receiver,
    'app/webhooks/route.js': `import { receiver } from '../../receiver.js';
export const runtime = '${runtime}';
export const POST = receiver.fetch;
`,
    ...(receivers.includes('api/webhooks') && {
      'pages/api/webhooks.js': `import { toNodeHandler } from 'payment-platform/webhooks';
import { receiver } from '../../receiver.js';
export const config = { api: { bodyParser: false } };
export default toNodeHandler(receiver);
`,
    }),
  });
  const next = join(project, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build', `--${bundler}`], { cwd: project, seconds: 300 });
  const server = await serve(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: project,
    address: /Local:\s+(http:\S+)/,
  });
  try {
    const [journey, ...addresses] = ['api', ...receivers].map((path) => `${server.url}/${path}`);
    return await workspace.request(server, journey, addresses, options);
  } finally {
    await server.stop();
  }
}

export const next = (workspace) =>
  bundlers.flatMap((bundler) =>
    runtimes.map((way) => ({
      environment: 'Next.js',
      version,
      use: `a route handler on the ${way.use} runtime, built by ${bundler}`,
      run: () => runNext(workspace, way, bundler),
    })),
  );
