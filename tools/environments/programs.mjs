// The journey and the programs that run it, as source text for the environments' projects.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { webhookSecret } from './platform.mjs';

const readSource = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const source = readSource('journey.ts');

/** Marks a session's result at the end of a program's output. */
const resultMark = 'journey-result:';
export const resultLine = new RegExp(`${resultMark}.*\n`);

const compiled = (module, text = source) =>
  ts.transpileModule(text, {
    compilerOptions: { module, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  }).outputText;

/** A sandbox session without Node, as an ES module. */
export const sandboxJourney = compiled(ts.ModuleKind.ES2022, readSource('sandbox-journey.ts'));

/** The journey in the module format of each environment. */
export const journeys = {
  esm: compiled(ts.ModuleKind.ES2022),
  commonjs: compiled(ts.ModuleKind.CommonJS),
  typescript: source,
};

const takeAndPrint = `.then((result) => console.log('${resultMark}' + JSON.stringify(result)))`;

/** The server of each runtime, with its adapter. */
const servers = {
  node: `const serve = (receiver) => new Promise((resolve) => {
  const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1', () => {
    resolve({ url: 'http://127.0.0.1:' + server.address().port, close: () => server.close() });
  });
});
`,
  bun: `const serve = (receiver) => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: receiver.fetch });
  return { url: server.url.href, close: () => server.stop(true) };
};
`,
  deno: `const serve = (receiver) => {
  const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, receiver.fetch);
  return { url: 'http://127.0.0.1:' + server.addr.port, close: () => server.shutdown() };
};
`,
};

/** The imports of the Node server. */
const imports = {
  esm: `import { createServer } from 'node:http';
import { toNodeHandler } from 'payment-platform/webhooks';
`,
  commonjs: `const { createServer } = require('node:http');
const { toNodeHandler } = require('payment-platform/webhooks');
`,
};

const esm = (server) => `import { journey } from './journey.js';
${server}await journey(JSON.parse(process.env.JOURNEY), { serve })${takeAndPrint};
`;
const commonjs = (server) => `const { journey } = require('./journey.js');
${server}journey(JSON.parse(process.env.JOURNEY), { serve })${takeAndPrint};
`;

/** Programs that run the session, with the imports of their environment. */
export const programs = {
  node: { esm: imports.esm + esm(servers.node), commonjs: imports.commonjs + commonjs(servers.node) },
  bun: { esm: esm(servers.bun), commonjs: commonjs(servers.bun) },
  deno: {
    esm: esm(servers.deno),
    commonjs: commonjs(servers.deno),
    typescript: `import type { Receiver } from 'payment-platform/webhooks';
${esm(servers.deno)}`
      .replace('(receiver)', '(receiver: Receiver)')
      .replace('./journey.js', './journey.ts')
      .replace('process.env.JOURNEY', "Deno.env.get('JOURNEY')!"),
  },
  /** Runs the session with another fetch, which the first line imports. */
  fetch: `import { journey } from './journey.js';
await journey(JSON.parse(process.env.JOURNEY), { fetch })${takeAndPrint};
`,
  /** Calls the bundle's handler. */
  lambda: `handler(JSON.parse(process.env.JOURNEY))${takeAndPrint};
`,
  /** One test, for test runners with the global \`test\`. */
  test: `test('the journey', () => journey(JSON.parse(process.env.JOURNEY))${takeAndPrint});
`,
  /** A receiver for such runtimes, and a handler of Next's API routes. It prints each delivery's outcome. */
  receiver: `import { createReceiver } from 'payment-platform/webhooks';
const print = (what) => console.log('receiver: ' + what);
export const receiver = createReceiver({
  secret: '${webhookSecret}',
  on: { 'transaction.paid': ({ externalReference }) => print('handled ' + externalReference) },
  onRejected: ({ reason }) => print('refused, ' + reason),
  onDuplicate: () => print('a repeat'),
});
`,
  /** A function for runtimes that handle requests, such as workers. */
  respond: `import { journey } from './journey.js';
export async function respond(request) {
  try {
    await journey(await request.json())${takeAndPrint};
    return new Response('The result was printed.');
  } catch (error) {
    return new Response(error?.stack ?? String(error), { status: 500 });
  }
}
`,
};

/** Reads the result of a session that a command ran. */
export function resultIn(printed) {
  const line = printed.split('\n').find((line) => line.includes(resultMark));
  if (line === undefined) throw new Error(`No result was printed:\n${printed}`);
  return JSON.parse(line.slice(line.indexOf(resultMark) + resultMark.length));
}
