// Checks Bun, as a runtime and with its test runner.
import { join } from 'node:path';
import { journeys, programs } from './programs.mjs';
import { bunIn, bunPackage, noRuntimes, support } from './runtimes.mjs';

const [version] = support.others.Bun;

/** Exits with an error unless a payment that no server can have received is reported as not executed. */
const unreachable = `import { PaymentPlatform } from 'payment-platform';
import { samples } from 'payment-platform/testing';
for (const baseUrl of ['http://127.0.0.1:1', 'http://localhost:1', 'https://unknown.invalid']) {
  const platform = new PaymentPlatform({ baseUrl, clientId: 'shop', clientSecret: 'a-secret-of-a-shop', maxRetries: 0 });
  const error = await platform.payments.create(samples.payments.pix()).catch((thrown) => thrown);
  if (error.outcome !== 'not-executed') throw new Error(baseUrl + ': ' + error.outcome + ', ' + error.message);
}
`;

const ways = [
  {
    use: 'ESM',
    folder: 'esm',
    type: 'module',
    journey: journeys.esm,
    program: unreachable + programs.bun.esm,
    args: ['main.js'],
  },
  {
    use: 'CommonJS',
    folder: 'commonjs',
    type: 'commonjs',
    journey: journeys.commonjs,
    program: programs.bun.commonjs,
    args: ['main.js'],
  },
  {
    use: '`bun test`',
    folder: 'test',
    type: 'module',
    journey: journeys.esm,
    program: `import { test } from 'bun:test';\nimport { journey } from './journey.js';\n${programs.test}`,
    args: ['test', './main.js'],
  },
];

export const bun = (workspace) =>
  ways.map(({ use, folder, type, journey, program, args }) => ({
    environment: 'Bun',
    version,
    use,
    quick: true,
    unavailable: noRuntimes,
    guards: 'every upload was sent without its content type',
    run: async () => {
      const project = await workspace.project('bun', bunPackage(version));
      const cwd = workspace.write(join(project, folder), {
        'package.json': JSON.stringify({ type }),
        'journey.js': journey,
        'main.js': program,
      });
      return workspace.command(bunIn(project), args, { cwd });
    },
  }));
