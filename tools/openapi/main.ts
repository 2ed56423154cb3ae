/**
 * Uses docs/openapi.json and docs/postman.json with merchants' tools, against sandboxes: `npm run verify --
 * --only openapi`. Exits with 3 if the npm registry does not respond. The tools are installed in a temporary
 * folder.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox, type Sandbox, type SandboxServer } from '../../sandbox/index.js';
import { PaymentPlatform } from '../../src/client.js';
import { operations } from '../../src/contract/index.js';
import { rawBodyOf } from '../../src/errors/base.js';
import { callEveryOperation, documentedStatuses } from '../docs/examples.js';
import { run, serve } from '../environments/processes.mjs';
import { type ClientGenerator, clientGenerators, key } from './clients.js';

const packages = {
  '@hey-api/openapi-ts': '0.99.0',
  '@stoplight/prism-cli': '5.16.0',
  newman: '6.2.2',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  typescript: '5.9.3',
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const document = join(root, 'docs/openapi.json');
const work = mkdtempSync(join(tmpdir(), 'payment-platform-openapi-'));
const bin = (name: string) => join(work, 'node_modules/.bin', name);

/** The credentials in docs/postman.json. */
const shop = { clientId: 'shop', clientSecret: 'shop-secret' };
const headers = { 'client-id': shop.clientId, 'client-secret': shop.clientSecret };

/** Returns a short result, or throws. */
type Check = (sandbox: Sandbox, server: SandboxServer) => Promise<string>;

async function inNewSandbox(check: Check): Promise<string> {
  const sandbox = createSandbox({ ...shop, ...documentedStatuses });
  try {
    return await check(sandbox, await sandbox.listen());
  } finally {
    await sandbox.close();
  }
}

const runsCollection: Check = async (_, { url }) => {
  const report = join(work, 'newman.json');
  const reporters = ['--reporters', 'cli,json', '--reporter-json-export', report];
  const collection = join(root, 'docs/postman.json');
  await run(bin('newman'), ['run', collection, '--env-var', `baseUrl=${url}`, ...reporters], { cwd: work });
  const { requests, assertions } = JSON.parse(readFileSync(report, 'utf8')).run.stats;
  return `${requests.total} requests, ${assertions.total} tests`;
};

/** Prism replaces a response with an error if the exchange differs from the document. */
const passesProxy =
  (auth: 'headers' | 'oauth'): Check =>
  async (sandbox, { url }) => {
    const args = ['proxy', document, url, '--errors', '--port', '0'];
    const prism = await serve(bin('prism'), args, { cwd: work, address: /listening on (http:\S+)/ });
    try {
      const wrong = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '[]',
      };
      await fetch(`${prism.url}/v1/payments`, wrong);
      if (sandbox.journal.requests.length > 0) throw new Error('Prism forwarded a request that is wrong.');
      const options = { ...shop, baseUrl: prism.url, auth, maxRetries: 0 };
      await callEveryOperation(new PaymentPlatform(options), sandbox);
    } catch (error) {
      // The error's body lists the violations.
      throw new Error(`${error}\n${JSON.stringify(rawBodyOf(error))}`);
    } finally {
      await prism.stop();
    }
    const called = new Set(sandbox.journal.requests.map(({ operation }) => operation));
    const missing = operations.filter(
      ({ id }) => !called.has(id) && (auth === 'oauth' || id !== 'oauth.token'),
    );
    if (missing.length > 0) throw new Error(`Not called: ${missing.map(({ id }) => id).join(', ')}`);
    return `${called.size} operations, ${sandbox.journal.requests.length} requests, no violation`;
  };

const compilerOptions = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  strict: true,
  noEmit: true,
};

const pays =
  ({ name, ...client }: ClientGenerator): Check =>
  async ({ ledger }, { url }) => {
    const target = { document, baseUrl: url, headers };
    const cwd = join(work, name.replace(/\W+/g, '-'));
    mkdirSync(cwd);
    const files = {
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['pay.ts'] }),
      ...client.files(target),
    };
    for (const [file, content] of Object.entries(files)) writeFileSync(join(cwd, file), content);
    const [generator, ...args] = client.command(target);
    await run(bin(generator), args, { cwd });
    await run(bin('tsc'), ['-p', '.'], { cwd });
    await run(join(root, 'node_modules/.bin/tsx'), ['pay.ts'], { cwd });
    if (ledger.chargesFor(key).length !== 1) throw new Error('The payment is not in the sandbox.');
    return 'compiles under strict, pays a Pix';
  };

const checks: readonly (readonly [name: string, check: Check])[] = [
  ['newman', runsCollection],
  ['prism, headers', passesProxy('headers')],
  ['prism, OAuth', passesProxy('oauth')],
  ...clientGenerators.map((client) => [client.name, pays(client)] as const),
];

/**
 * Installs the tools. Returns whether all of them could be installed.
 *
 * @throws Error if a version does not exist
 */
async function install(): Promise<boolean> {
  writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const options = ['--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  try {
    await run('npm', ['install', ...options], { cwd: work, seconds: 600 });
    return true;
  } catch (error) {
    const unreachable = /E(AI_AGAIN|CONNREFUSED|CONNRESET|NOTFOUND|NETUNREACH|TIMEDOUT)|ERR_SOCKET_TIMEOUT/;
    if (!unreachable.test(String(error))) throw error;
    return false;
  }
}

try {
  if (await install()) {
    for (const [name, check] of checks) {
      const result = await inNewSandbox(check).catch((error: Error) => {
        process.exitCode = 1;
        return `FAILS\n${error.message}`;
      });
      process.stdout.write(`${name.padEnd(36)}${result}\n`);
    }
  } else {
    process.stderr.write('The npm registry did not respond: nothing was checked.\n');
    process.exitCode = 3;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
