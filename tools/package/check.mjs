// Packs the package and uses the tarball as a new user does. Uses a new ESM project and a new CommonJS
// project, with strict TypeScript, and only packages that npm installs. Run it after the build: npm run
// verify -- --only package, which also installs publint and attw in this folder
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { tooLarge, unexpectedFiles } from '../release/contents.mjs';
import { checkDefinitions } from './definitions.mjs';
import { entryPoints } from './entry-points.mjs';
import { checkMcp } from './mcp.mjs';
import { pack } from './pack.mjs';

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const work = mkdtempSync(join(tmpdir(), 'payment-platform-package-'));
const bin = (name) => join(root, 'tools/package/node_modules/.bin', name);
const run = (command, args, cwd = work) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

/** The maximum size of a Worker's load, in kilobytes: bundled by esbuild, minified, gzipped. */
const workerCeilings = {
  "import { PaymentPlatform } from 'payment-platform'; export default PaymentPlatform;": 59.3,
  "import { verifyAsync } from 'payment-platform/webhooks'; export default verifyAsync;": 5.5,
  "import { createReceiver } from 'payment-platform/webhooks'; export default createReceiver;": 13.5,
};

/**
 * The maximum size of the sandbox in a page, including rarely needed code. Bundlers that split code load that
 * later.
 */
const browserCeilings = {
  "import { createSandbox } from 'payment-platform/sandbox'; export default createSandbox;": 166.7,
  "import { samples } from 'payment-platform/testing'; export default samples;": 31.8,
};

/** Bundles a module that imports the installed package, and returns the bundle. */
async function weighed(where, contents, ceiling, options) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: join(work, 'esm') },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
  const what = `${size.toFixed(1)} kB in ${where}, gzipped: ${contents}`;
  if (size > ceiling) throw new Error(`${what}\nThat is more than ${ceiling} kB.`);
  console.log(what);
  return outputFiles[0].text;
}

const isWorkerFile = (file) => file.endsWith('.worker.js');
const hasWorkerFile = ({ files }) => files.some(isWorkerFile);

const modules = entryPoints.exports.map(({ specifier }, index) => ({ specifier, local: `module${index}` }));

/** Uses every entry point, and every file that is loaded on demand: the tarball can lack one. */
const program = (load) => `
${load}
${modules.map(({ specifier, local }) => `import * as ${local} from '${specifier}';`).join('\n')}
async function main(): Promise<void> {
  for (const loaded of [${modules.map(({ local }) => local).join(', ')}])
    if (Object.keys(loaded).length === 0) throw new Error('an entry point without exports');
  // Bundlers rename a class that refers to itself, and its name is shown in messages and stack traces.
  const exported = [${modules.map(({ local }) => local).join(', ')}].flatMap((loaded) => Object.entries<unknown>(loaded));
  for (const [name, value] of exported)
    if (typeof value === 'function' && /^class\\b/.test(String(value)) && value.name !== name)
      throw new Error(\`the class \${name} is called \${value.name}\`);
  const sandbox = createSandbox({ seed: 7 });
  for (const options of [sandbox.clientOptions(), (await sandbox.listen()).clientOptions()]) {
    const platform = new PaymentPlatform(options);
    const payment: Payment = await platform.payments.create(samples.payments.boleto());
    const boleto = await platform.payments.boleto(payment.id);
    if (boleto.contentType !== 'application/pdf') throw new Error('no boleto');
    const durable = createDurablePayments(platform, { store: memoryPayments() });
    const { record } = await durable.create(samples.payments.pix(), { key: payment.id });
    if (record.state !== 'settled') throw new Error('not settled');
    const form = { cnpj: '12.ABC.345/01DE-35', selfie: Uint8Array.of(0xff, 0xd8, 0xff), cartaoCnpj: './package.json' };
    const { registration_id } = await platform.onboarding.submitPj(form, { auth: 'oauth' });
    const { size } = sandbox.control.onboarding.documents(registration_id).cartaoCnpj ?? {};
    if (size === undefined || size < 10) throw new Error('the document did not arrive');
    const { fetch: ask = fetch, baseUrl } = { fetch: undefined, ...options };
    const script = await (await ask(\`\${baseUrl}/_sandbox/page.js\`)).text();
    if (script.length < 10_000) throw new Error('the page of the sandbox has no script');
    const { id, signingRequestPem } = await sandbox.control.certificates.create();
    const issued = await sandbox.control.certificates.issue(signingRequestPem ?? '');
    const active = await platform.certificates.activate(id, { certificate: issued.der });
    if (active.status !== 'active') throw new Error('not activated');
    platform.close();
  }
  const secret = 'whsec_0123456789abcdef';
  const receiver = createReceiver({ secret, on: { 'transaction.paid': () => undefined } });
  const signed = signedNotification('transaction.paid', { secret });
  if ((await receiver.fetch(signed.toRequest())).status !== 200) throw new Error('the sample is not accepted');
  try {
    verify({ body: 'forged', headers: signed.headers }, { secret });
  } catch (error) {
    // Thrown by one entry point, compared with the class of another.
    if (!(error instanceof PaymentPlatformError) || error instanceof TypeError) throw new Error('instanceof');
  }
  noDuplicateCharges(sandbox);
  await sandbox.close();
  console.log('works');
}
void main();
`;
const esm = `
import { PaymentPlatform, PaymentPlatformError, type Payment } from 'payment-platform';
import { createDurablePayments, memoryPayments } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { noDuplicateCharges, samples, signedNotification } from 'payment-platform/testing';
import { createReceiver, verify } from 'payment-platform/webhooks';`;
/** Modules that compile only if both module formats have the same types. The class has private members. */
const bothFormats = {
  'in-commonjs.cts':
    "import type { PaymentPlatform } from 'payment-platform';\nexport type Client = PaymentPlatform;",
  'in-esm.mts': `
import type { PaymentPlatform } from 'payment-platform';
import type { Client } from './in-commonjs.cjs';
export const pass = (client: PaymentPlatform): Client => client;`,
};
const projects = {
  esm: { type: 'module', module: 'NodeNext', load: esm },
  commonjs: { type: 'commonjs', module: 'NodeNext', load: esm },
  // Many CommonJS projects still use this resolution, which does not support "exports".
  node10: { type: 'commonjs', module: 'CommonJS', moduleResolution: 'Node10', load: esm },
};

try {
  const { files: packed, size, unpackedSize } = pack(root, work);
  const { files: published, kilobytes } = JSON.parse(
    readFileSync(join(root, 'tools/release/contents.json'), 'utf8'),
  );
  const unexpected = unexpectedFiles(
    packed.map(({ path }) => path),
    published,
  );
  const problems = [...unexpected, ...tooLarge({ packed: size, unpacked: unpackedSize }, kilobytes)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log(`${packed.length} files: those of tools/release/contents.json, and no others`);
  console.log(`${Math.ceil(size / 1000)} kB packed, ${Math.ceil(unpackedSize / 1000)} kB unpacked`);
  const tarball = join(work, readdirSync(work).find((name) => name.endsWith('.tgz')) ?? '');
  console.log(run(bin('publint'), [tarball, '--strict']).trim());
  run(bin('attw'), [tarball]);
  console.log('Are the types wrong? No, in every kind of resolution.');

  for (const [name, { type, module, moduleResolution = module, load }] of Object.entries(projects)) {
    const project = join(work, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name, type, private: true }));
    const sources = { 'main.ts': program(load), ...(module === 'NodeNext' && bothFormats) };
    for (const [file, text] of Object.entries(sources)) writeFileSync(join(project, file), text);
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      strict: true,
      skipLibCheck: false,
      esModuleInterop: true,
      exactOptionalPropertyTypes: true,
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', tarball], project);
    mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
    symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
    cpSync(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'), {
      recursive: true,
    });
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
    const printed = run(process.execPath, [join(project, 'main.js')], project).trim();
    if (printed !== 'works') throw new Error(`${name}: ${printed}`);
    console.log(`${name}: compiles and runs from the tarball`);
  }

  // A bundler removes unused statements, so a broken one can be missing in a bundle.
  for (const { specifier, files } of entryPoints.exports.filter(hasWorkerFile)) {
    const whole = `if (Object.keys(await import('${specifier}')).length === 0) throw new Error('empty');`;
    run(process.execPath, ['--conditions=workerd', '--input-type=module', '-e', whole], join(work, 'esm'));
    console.log(`${specifier}: ${files.find(isWorkerFile)} loads whole`);
  }

  const definitions = await checkDefinitions(join(work, 'esm'));
  console.log(`"Go to definition" opens the sources in the package: ${definitions} names.`);

  const command = join(work, 'esm/node_modules/.bin/payment-platform');
  if (!run(command, ['sandbox', '--print-config']).includes('"$schema": '))
    throw new Error('the command does not print a configuration');

  const tools = await checkMcp(join(work, 'esm'));
  console.log(`The MCP server starts as its page says, has ${tools} tools, and reads the package.`);

  for (const [contents, ceiling] of Object.entries(workerCeilings)) {
    const text = await weighed('a Worker', contents, ceiling, { conditions: ['workerd'] });
    // Every zod schema has this property.
    if (contents.includes('/webhooks') && text.includes('_zod'))
      throw new Error(`${contents}\nThat has zod.`);
  }
  for (const [contents, ceiling] of Object.entries(browserCeilings)) {
    // The bundler fails if an import of Node is left.
    await weighed('a browser', contents, ceiling, { platform: 'browser' });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
