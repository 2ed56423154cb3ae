// Checks Jest, whose module system and, with jsdom, other globals affect how a test loads packages.
import { join } from 'node:path';
import { fakeTimers } from './fake-timers.mjs';
import { run } from './processes.mjs';
import { journeys, programs } from './programs.mjs';

const versions = ['29.7.0', '30.5.2'];

const commonjs = `const { journey } = require('./journey.js');\n${programs.test}`;
const esm = `import { journey } from './journey.js';\n${programs.test}`;

/** A test that does not close its server. Jest must still exit. */
const forgotten = `const { createSandbox } = require('payment-platform/sandbox');
const { useSandbox } = require('payment-platform/testing');
const sandbox = useSandbox();
test.each([1, 2])('the sandbox is reset after each test: %d', async () => {
  expect(sandbox.journal.requests).toHaveLength(0);
  await fetch((await sandbox.listen()).url + '/v1/webhooks');
  expect(sandbox.journal.requests).toHaveLength(1);
});
test('forgets to close', async () => {
  await fetch((await createSandbox().listen()).url + '/v1/webhooks');
});
`;

/** Errors of Node's core belong to another realm in Jest, where `instanceof Error` does not recognise them. */
const errorsOfCore = `const { PaymentPlatform } = require('payment-platform');
const client = (baseUrl) => new PaymentPlatform({ baseUrl, clientId: 'a', clientSecret: 'b-secret-b', maxRetries: 0 });
const failure = (promise) => promise.then(() => { throw new Error('resolved'); }, (error) => error);
test('a refused connection names its code and keeps its cause', async () => {
  const error = await failure(client('http://127.0.0.1:9').webhooks.list());
  expect(error.message).toContain('ECONNREFUSED');
  expect(error.cause.code).toBe('ECONNREFUSED');
});
test('a missing file is called missing', async () => {
  const form = { cnpj: '12345678000195', selfie: '/nonexistent.jpg' };
  const error = await failure(client('http://127.0.0.1:9').onboarding.submitPj(form));
  expect(error.message).toContain('ENOENT');
});
`;

/** Loads every entry and receives bytes, which belong to another realm than the test. */
const entries = `const { PaymentPlatform } = require('payment-platform');
const { createReceiver } = require('payment-platform/webhooks');
const { createSandbox } = require('payment-platform/sandbox');
const { samples, signedNotification } = require('payment-platform/testing');
const { createDurablePayments, memoryPayments } = require('payment-platform/durable');
const secret = 'whsec_0123456789abcdef';
test('a receiver accepts a string, bytes and a stream', async () => {
  const { body, headers } = signedNotification(samples.notification('transaction.paid'), { secret });
  const { Readable } = require('node:stream');
  const forms = [body, Buffer.from(body), new Uint8Array(Buffer.from(body)), Readable.from([Buffer.from(body)])];
  for (const bytes of forms) {
    const receiver = createReceiver({ secret, dedupe: false, on: { 'transaction.paid': () => {} } });
    expect((await receiver.receive({ body: bytes, headers })).status).toBe(200);
  }
});
test('a durable payment is charged in the sandbox, in process and over HTTP', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  for (const [key, options] of [['order-1', sandbox.clientOptions()], ['order-2', server.clientOptions()]]) {
    const durable = createDurablePayments(new PaymentPlatform(options), { store: memoryPayments() });
    const { payment } = await durable.create(samples.payments.pix(), { key });
    expect(payment.status).toBe('waiting_payment');
  }
  await server.close();
});
`;

/** Uses the types of @types/jest together with this package's declarations. */
const typedMatchers = `import { createSandbox } from 'payment-platform/sandbox';
import { paymentPlatformMatchers } from 'payment-platform/testing';
expect.extend(paymentPlatformMatchers);
test('the matchers have types', async () => {
  const sandbox = createSandbox();
  expect(sandbox).toHaveNoDuplicateCharges();
  expect('order-1').not.toHaveBeenChargedOnce(sandbox);
  await sandbox.close();
});
`;

const ways = [
  {
    use: 'a default project (CommonJS)',
    folder: 'default',
    files: {
      'package.json': '{}',
      'journey.js': journeys.commonjs,
      'main.test.js': commonjs,
      'forgotten.test.js': forgotten,
      'errors.test.js': errorsOfCore,
      'entries.test.js': entries,
    },
    guards: 'every call failed: "A dynamic import callback was invoked without --experimental-vm-modules"',
    isQuick: true,
  },
  {
    use: 'ESM (`--experimental-vm-modules`)',
    folder: 'esm',
    files: {
      'package.json': JSON.stringify({ type: 'module', jest: { transform: {} } }),
      'journey.js': journeys.esm,
      'main.test.js': esm,
    },
    args: ['--experimental-vm-modules'],
    isQuick: true,
  },
  {
    use: 'ts-jest',
    folder: 'ts-jest',
    packages: {
      'ts-jest': '29.4.15',
      typescript: '5.9.3',
      '@types/jest': '30.0.0',
      '@types/node': '20.19.43',
    },
    files: {
      'package.json': JSON.stringify({ jest: { preset: 'ts-jest' } }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'CommonJS', target: 'ES2022', strict: true, esModuleInterop: true },
      }),
      'journey.ts': journeys.typescript,
      'main.test.ts':
        esm.replace('./journey.js', './journey').replace('process.env.JOURNEY', '$& as string') +
        typedMatchers,
    },
  },
  {
    use: 'fake timers (`enableGlobally`)',
    folder: 'fake-timers',
    files: {
      'package.json': JSON.stringify({ jest: { fakeTimers: { enableGlobally: true, advanceTimers: true } } }),
      'journey.js': journeys.commonjs,
      'main.test.js': fakeTimers + commonjs,
    },
    isQuick: true,
  },
  {
    use: 'the jsdom environment',
    folder: 'jsdom-environment',
    plugin: 'jest-environment-jsdom',
    files: {
      'package.json': JSON.stringify({ jest: { testEnvironment: 'jsdom' } }),
      'errors.test.js': errorsOfCore,
      'entries.test.js': entries,
    },
    guards: 'every entry failed on import: "TextDecoder is not defined"',
    isQuick: true,
  },
  {
    use: 'a jsdom project whose test says `@jest-environment node`',
    folder: 'jsdom',
    plugin: 'jest-environment-jsdom',
    files: {
      'package.json': JSON.stringify({ jest: { testEnvironment: 'jsdom' } }),
      'journey.js': journeys.commonjs,
      'main.test.js': `/** @jest-environment node */\n${commonjs}`,
    },
  },
];

export const jest = (workspace) =>
  versions.flatMap((version) =>
    ways
      .filter(({ only = version }) => only === version)
      .map(({ use, folder, files, args = [], packages = {}, plugin, guards, isQuick = false }) => ({
        environment: 'Jest',
        version,
        use,
        guards,
        quick: isQuick && version === versions.at(-1),
        run: async () => {
          const more = plugin === undefined ? packages : { [plugin]: version };
          const project = await workspace.project(`jest-${version}-${Object.keys(more)}`, {
            jest: version,
            ...more,
          });
          const cwd = workspace.write(join(project, folder), files);
          const bin = join(project, 'node_modules/jest/bin/jest.js');
          const command = [process.execPath, [...args, bin, '--runInBand', '--no-cache']];
          if ('main.test.js' in files || 'main.test.ts' in files)
            return workspace.command(...command, { cwd });
          // Without the journey, whose upload is a Blob: jsdom's own Blob has no method that reads its bytes.
          await run(...command, { cwd });
        },
      })),
  );
