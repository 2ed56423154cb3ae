import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type PluginBuild } from 'esbuild';
import { createSandbox, type SandboxServer } from 'payment-platform/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPoints } from '../../../tools/package/entry-points.mjs';
import { emptyDatabase, postgresUrl } from '../../support/postgres.js';
import { writePrismaClient } from '../orms/prisma-client.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
// The folder is inside the project, so that the samples can import the package by name.
const folder = mkdtempSync(fileURLToPath(new URL('.blocks-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);

/** Lists the TypeScript samples of all pages. Portuguese samples differ only in their comments. */
const samples = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```ts( [^\n]*)?\n(.*?)^```/gms)].map(
      ([, info = '', code = ''], index) => ({ page, index: index + 1, info: info.trim(), code }),
    ),
  );

/** Reads the output that the comments after `console.log` promise. */
const promisedBy = (code: string) =>
  [...code.matchAll(/console\.log\(.*\)[;,]?.*?\/\/ (.*)$/gm)].map(([, comment = '']) => comment);

/** Returns a sample's file name. A sample that other samples import states the name itself. */
const toFileName = ({ page, index, info }: (typeof samples)[number]) =>
  / file=(\w+)\.ts$/.exec(info)?.[1] ?? `${page}-${index}`;

// All samples share one bundle, because compiling each sample separately would take a minute.
beforeAll(async () => {
  for (const sample of samples) writeFileSync(join(folder, `${toFileName(sample)}.ts`), sample.code);
  writePrismaClient(folder);
  await build({
    entryPoints: samples
      .filter(({ info }) => !info.startsWith('not-run'))
      .map((sample) => join(folder, `${toFileName(sample)}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The other packages that the samples import are installed.
    plugins: [{ name: 'sources', setup: sourcesOfPackage }],
    logLevel: 'warning',
  });
});

/** Resolves `payment-platform` to the sources, and leaves every other package external. */
function sourcesOfPackage(build: PluginBuild): void {
  build.onResolve({ filter: /^[^./#]/ }, ({ path }) => {
    const [, entry] = /^payment-platform(?:\/(\w+))?$/.exec(path) ?? [path, null];
    if (entry === null) return path.startsWith(folder) ? undefined : { path, external: true };
    const { source } = entryPoints.exports.find(({ name }) => name === (entry ?? 'index')) ?? {};
    return { path: join(root, source ?? '') };
  });
}

/** Runs a sample as a person would. @returns the printed lines, in any order */
async function runSample(
  sample: (typeof samples)[number],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { stdout, stderr } = await run(
    process.execPath,
    ['--no-deprecation', join(folder, `${toFileName(sample)}.mjs`)],
    {
      cwd: root,
      env: { ...process.env, ...environment },
    },
  );
  expect(stderr).toBe('');
  // Handlers print at unpredictable times, so the lines are sorted.
  return stdout.trim().split('\n').sort();
}

test('every code sample in the docs runs, or states the reason why it does not', () => {
  const known = /^(run|run postgres( file=\w+\.ts)?|not-run="[^"]+")?$/;
  expect(samples.filter(({ info }) => !known.test(info))).toEqual([]);
  const reasons = samples.filter(({ info }) => info.startsWith('not-run')).length;
  console.log(`${samples.length} samples, ${reasons} of them with the reason why they are not run`);
  expect(reasons / samples.length).toBeLessThan(0.3);
});

describe('a docs sample that states its output', () => {
  test.concurrent.each(samples.filter(({ info }) => info === 'run'))(
    'prints that output: $page, number $index',
    async (sample) => {
      expect(await runSample(sample, {})).toEqual(promisedBy(sample.code).sort());
    },
  );
});

describe('a docs sample over PostgreSQL that states its output (needs POSTGRES_URL)', () => {
  test.skipIf(postgresUrl === '').each(samples.filter(({ info }) => info === 'run postgres'))(
    'prints that output: $page, number $index',
    async (sample) => {
      expect(await runSample(sample, { DATABASE_URL: await emptyDatabase() })).toEqual(
        promisedBy(sample.code).sort(),
      );
    },
  );
});

describe('a docs sample that states no output', () => {
  const sandbox = createSandbox();
  let server: SandboxServer;
  beforeAll(async () => {
    server = await sandbox.listen();
  });
  afterAll(() => sandbox.close());

  test.concurrent.each(samples.filter(({ info }) => info === ''))(
    'runs to its end with the sandbox: $page, number $index',
    async (sample) => {
      const { baseUrl, clientId, clientSecret } = server.clientOptions();
      await runSample(sample, {
        PAYMENT_PLATFORM_BASE_URL: baseUrl,
        PAYMENT_PLATFORM_CLIENT_ID: clientId,
        PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
        PAYMENT_PLATFORM_WEBHOOK_SECRET: 'a-secret-of-16-to-256-characters',
      });
    },
  );
});
